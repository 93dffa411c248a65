package backends

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// style is how a parameter of the query holds its value.
type style uint8

const (
	plain    style = iota // one value
	exploded              // tag=a&tag=b
	commas                // genre=a,b
	pipes                 // codes=a|b
	spaces                // codes=a%20b
	deep                  // filter[state]=a
)

// parameter is one parameter of the query.
type parameter struct {
	field
	style style
	whole bool // an item or value that is a number in the text
}

func query(name string, rules ...rule) parameter {
	return parameter{field: field{name: name, rule: all(rules...)}}
}

func (p parameter) in(s style) parameter { p.style = s; return p }
func (p parameter) numeric() parameter   { p.whole = true; return p }
func (p parameter) or(standard any, noted string) parameter {
	p.standard, p.noted = standard, noted
	return p
}

// queries reads the parameters, or answers 400.
func (c *call) queries(parameters ...parameter) (map[string]any, bool) {
	k := &check{s: c.s}
	values, kept := map[string]any{}, map[string]any{}
	sent, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		k.report("", "query", "is badly encoded")
	}
	for _, p := range parameters {
		texts, has := sent[p.name]
		switch p.style {
		case deep:
			if object := deepObject(sent, p.name); len(object) > 0 {
				values[p.name] = object
			}
			continue
		case commas, pipes, spaces:
			if has {
				separator := map[style]string{commas: ",", pipes: "|", spaces: " "}[p.style]
				texts = strings.Split(strings.Join(texts, separator), separator)
				if len(texts) == 1 && texts[0] == "" {
					texts = nil // how an empty array is written (RFC 6570 section 3.2.8)
				}
			}
		}
		switch {
		case !has:
		case p.style == plain && len(texts) > 1 && !c.has("takes-repeated-parameters"):
			k.report("", p.name, "is given twice")
		case p.style == plain:
			values[p.name] = p.read(texts[len(texts)-1])
		default:
			items := make([]any, len(texts))
			for i, t := range texts {
				items[i] = p.read(t)
			}
			values[p.name] = items
		}
	}
	for _, p := range parameters {
		p.take(k, p.name, values, kept)
	}
	return kept, c.accept(k, http.StatusBadRequest)
}

// read turns the text of a number into one.
func (p parameter) read(s string) any {
	if n, ok := jsonNumber(s); ok && p.whole {
		return n
	}
	return s
}

// deepObject gathers name[key]=value as texts.
func deepObject(sent url.Values, name string) map[string]any {
	object := map[string]any{}
	for key, values := range sent {
		if inner, ok := strings.CutPrefix(key, name+"["); ok && strings.HasSuffix(inner, "]") {
			object[strings.TrimSuffix(inner, "]")] = values[0]
		}
	}
	return object
}

// textBoolean takes the words true and false of a query.
func textBoolean(fault string) rule {
	return func(k *check, at string, value any) any {
		switch value {
		case "true":
			return true
		case "false":
			return false
		}
		k.report(fault, at, "must be true or false")
		return value == "1" || value == "yes"
	}
}

// count reads an integer that the rules have let through.
func count(value any) int {
	n, ok := value.(json.Number)
	if !ok {
		return 0
	}
	r := rational(n)
	if r.IsInt() && r.Num().IsInt64() {
		return int(r.Num().Int64())
	}
	return 0
}
