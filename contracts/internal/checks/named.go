package checks

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// Bounds of what is looked at in a refusal and in the request that it refuses.
const (
	maxPlaces = 500
	maxTexts  = 500
	maxText   = 200 // bytes
)

// blamed gives the place in the request that the body of a refusal names, as
// Finding.Where writes it: body.url for a text "url", "/url", "$.body.url", for
// ["body", "url"], or for a member "url" of "errors". Of several, varied where it
// is among them; "" where none is named.
func (d *judged) blamed(varied string) string {
	kind, _ := d.Response.Header.Get("Content-Type")
	if name := bare(kind); name != "application/json" && !strings.HasSuffix(name, "+json") {
		return ""
	}
	answer, err := jsontext.Decode(string(d.content))
	if err != nil {
		return ""
	}
	places := d.places()
	var found []string
	left := maxTexts
	texts(answer, false, &left, func(text string) {
		in, name := pathIn(text)
		for _, part := range []string{exchange.InBody, exchange.InQuery, exchange.InHeader} {
			place := part + "." + name
			if (in == "" || in == part) && places[place] && !slices.Contains(found, place) {
				found = append(found, place)
				break
			}
		}
	})
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	for _, place := range found {
		if place == varied || strings.HasPrefix(varied, place+".") || strings.HasPrefix(place, varied+".") && varied != exchange.InBody {
			return varied
		}
	}
	return found[0]
}

// places gives what a refusal of the request can name.
func (d *judged) places() map[string]bool {
	all := map[string]bool{}
	value := d.Case.Value
	if value == nil {
		value, _ = jsontext.Decode(string(d.Request.Body))
	}
	var walk func(value any, at string)
	walk = func(value any, at string) {
		if len(all) >= maxPlaces {
			return
		}
		if at != exchange.InBody {
			all[at] = true
		}
		switch v := value.(type) {
		case map[string]any:
			for name, member := range v {
				walk(member, at+"."+name)
			}
		case []any:
			for i, item := range v {
				walk(item, at+"."+strconv.Itoa(i))
			}
		}
	}
	walk(value, exchange.InBody)
	if query, err := url.ParseQuery(d.Request.Query); err == nil {
		for name := range query {
			all[exchange.InQuery+"."+name] = true
		}
	}
	for _, p := range d.operation.Parameters {
		if p.In == exchange.InHeader {
			if _, sent := d.Request.Header.Get(p.Name); sent {
				all[exchange.InHeader+"."+p.Name] = true
			}
		}
	}
	return all
}

// texts calls tell for each text of a JSON value, the names of members where
// they are those of errors, and the steps of a path that a list has.
func texts(value any, names bool, left *int, tell func(string)) {
	if *left--; *left < 0 {
		return
	}
	switch v := value.(type) {
	case string:
		if v != "" && len(v) <= maxText {
			tell(v)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if names {
				tell(name)
			}
			texts(v[name], faults[strings.ToLower(name)], left, tell)
		}
	case []any:
		if steps, ok := steps(v); ok {
			tell(steps)
			return
		}
		for _, item := range v {
			texts(item, false, left, tell)
		}
	}
}

// faults are the names of objects whose members are named like what is wrong.
var faults = map[string]bool{"error": true, "errors": true, "fields": true, "fielderrors": true, "violations": true, "invalid": true, "details": true}

// steps gives the path that a list of texts and numbers is.
func steps(list []any) (string, bool) {
	var all []string
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			if text, ok = numeral(item); !ok {
				return "", false
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, "."), len(all) > 1
}

func numeral(value any) (string, bool) {
	n, ok := value.(interface{ String() string })
	if !ok {
		return "", false
	}
	return n.String(), true
}

// pathIn reads a text as a place in a request: the part, "" where it is not
// said, and the names that lead to the place.
func pathIn(text string) (in, name string) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "#"), "$")
	text = strings.NewReplacer("/", ".", "[", ".", "]", "").Replace(text)
	text = strings.Trim(text, ".")
	for {
		first, rest, more := strings.Cut(text, ".")
		if !more {
			return in, text
		}
		switch strings.ToLower(first) {
		case "request":
		case "body", "requestbody":
			in = exchange.InBody
		case "query":
			in = exchange.InQuery
		case "header", "headers":
			in = exchange.InHeader
		default:
			return in, text
		}
		text = rest
	}
}

// shownAt shows the value of a place in the body; "" for others.
func (d *judged) shownAt(where string) string {
	value := d.Case.Value
	if value == nil {
		value, _ = jsontext.Decode(string(d.Request.Body))
	}
	in, name, _ := strings.Cut(where, ".")
	if in != exchange.InBody {
		return ""
	}
	for token := range strings.SplitSeq(name, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return ""
			}
			value = v[i]
		default:
			return ""
		}
	}
	text := string(jsontext.Append(nil, value))
	if len(text) > maxText {
		return ""
	}
	return " (" + text + ")"
}

// placeOf gives what the document says of a place in the request; that of the
// operation where it is not known.
func (d *judged) placeOf(where string) exchange.Place {
	in, name, _ := strings.Cut(where, ".")
	if in != exchange.InBody {
		for _, p := range d.operation.Parameters {
			if p.In == in && p.Name == name {
				return p.Place
			}
		}
		return d.operation.Place
	}
	if d.operation.Body == nil || name == "" {
		return d.operation.Place
	}
	kind, _ := d.Request.Header.Get("Content-Type")
	for _, media := range d.operation.Body.Content {
		if media.Schema == nil || !strings.EqualFold(media.Range, bare(kind)) {
			continue
		}
		if k := below(media.Schema.Keywords, strings.Split(name, "."), 0); k != nil {
			return media.Schema.Node(k).Place()
		}
	}
	return d.operation.Place
}

// below gives the schema of what some tokens lead to; nil where none says it.
func below(k *spec.Keywords, tokens []string, depth int) *spec.Keywords {
	switch {
	case k == nil || depth > maxShown:
		return nil
	case len(tokens) == 0:
		return k
	}
	if found := below(k.Properties[tokens[0]], tokens[1:], depth+1); found != nil {
		return found
	}
	if _, err := strconv.Atoi(tokens[0]); err == nil {
		if found := below(k.Items2020, tokens[1:], depth+1); found != nil {
			return found
		}
	}
	for _, parts := range [][]*spec.Keywords{{k.Ref}, k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			if found := below(part, tokens, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}
