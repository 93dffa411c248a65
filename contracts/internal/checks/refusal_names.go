package checks

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// Bounds of the search for names in a refusal and in the request.
const (
	maxPlaces     = 500
	maxTexts      = 500
	maxTextLength = 200 // bytes
)

// namedPlace returns the place in the request that the body of a refusal names, as
// Finding.Where writes it: body.url for a text "url", "/url", "$.body.url", for
// ["body", "url"], or for a member "url" of "errors". Of several it prefers
// varied; "" if none is named.
func (in *input) namedPlace(varied string) string {
	if !in.isJSON() {
		return ""
	}
	refusal, err := jsontext.Decode(string(in.body))
	if err != nil {
		return ""
	}
	places := in.places()
	var found []string
	left := maxTexts
	eachText(refusal, false, &left, func(text string) {
		part, name := parsePlace(text)
		for _, candidate := range []string{exchange.InBody, exchange.InQuery, exchange.InHeader} {
			place := candidate + "." + name
			if (part == "" || part == candidate) && places[place] {
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
		if place == varied || strings.HasPrefix(varied, place+".") ||
			strings.HasPrefix(place, varied+".") && varied != exchange.InBody {
			return varied
		}
	}
	return found[0]
}

// minQuoted is how long a text of the request must be, in bytes, for a refusal that has it to be about it.
const minQuoted = 5

// quotesAnother reports whether the body of a refusal has a text of the request that is not at the place varied.
func (in *input) quotesAnother(varied string) bool {
	answer, isQuoted := string(in.body), false
	look := func(place string, value any) {
		for tokens, v := range jsonvalue.Walk(value) {
			at := strings.Join(append([]string{place}, tokens...), ".")
			text, _ := v.(string)
			if len(text) >= minQuoted && at != varied && !strings.HasPrefix(at, varied+".") {
				isQuoted = isQuoted || strings.Contains(answer, text) ||
					strings.Contains(answer, string(jsontext.Append(nil, text)))
			}
		}
	}
	look(exchange.InBody, in.requestValue())
	query, _ := url.ParseQuery(in.Request.Query)
	for name, values := range query {
		for _, text := range values {
			var value any = text
			if object, err := jsontext.Decode(text); err == nil {
				value = object
			}
			look(exchange.InQuery+"."+name, value)
		}
	}
	return isQuoted
}

func (in *input) requestValue() any {
	if in.Case.Value != nil {
		return in.Case.Value
	}
	value, _ := jsontext.Decode(string(in.Request.Body))
	return value
}

// places returns what a refusal of the request can name.
func (in *input) places() map[string]bool {
	all := map[string]bool{}
	for tokens := range jsonvalue.Walk(in.requestValue()) {
		if len(tokens) > 0 && len(all) <= maxPlaces {
			all[exchange.InBody+"."+strings.Join(tokens, ".")] = true
		}
	}
	if query, err := url.ParseQuery(in.Request.Query); err == nil {
		for name := range query {
			all[exchange.InQuery+"."+name] = true
		}
	}
	for _, p := range in.operation.Parameters {
		if _, sent := in.Request.Header.Get(p.Name); sent && p.In == exchange.InHeader {
			all[exchange.InHeader+"."+p.Name] = true
		}
	}
	return all
}

// namesPlaces reports whether the members of an object of a name are named like what is wrong: errors, fieldErrors.
func namesPlaces(name string) bool {
	parts := naming.Words(name)
	if len(parts) == 0 {
		return false
	}
	last := naming.Singular(parts[len(parts)-1])
	return words.Errors.Has(last, "list") || words.Errors.Has(last, "place")
}

// eachText reports the texts in a JSON value, the names of members of
// objects of namesPlaces, and lists that are paths, joined with dots.
func eachText(value any, names bool, left *int, report func(string)) {
	if *left--; *left < 0 {
		return
	}
	switch v := value.(type) {
	case string:
		if v != "" && len(v) <= maxTextLength {
			report(v)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if names {
				report(name)
			}
			eachText(v[name], namesPlaces(name), left, report)
		}
	case []any:
		if path, ok := joinPath(v); ok {
			report(path)
			return
		}
		for _, item := range v {
			eachText(item, false, left, report)
		}
	}
}

func joinPath(list []any) (string, bool) {
	var all []string
	for _, item := range list {
		switch v := item.(type) {
		case string:
			all = append(all, v)
		case json.Number:
			all = append(all, v.String())
		default:
			return "", false
		}
	}
	return strings.Join(all, "."), len(all) > 1
}

// parsePlace reads a text as a place in a request: the part, "" if it is not said, and the path within. The names of
// parts are words of OpenAPI: $request.body#/url (runtime expressions), requestBody, header.
func parsePlace(text string) (part, name string) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "#"), "$")
	text = strings.NewReplacer("/", ".", "[", ".", "]", "").Replace(text)
	name = strings.Trim(text, ".")
	for {
		first, rest, more := strings.Cut(name, ".")
		if !more {
			return part, name
		}
		switch strings.ToLower(first) {
		case "request":
		case "body", "requestbody":
			part = exchange.InBody
		case "query":
			part = exchange.InQuery
		case "header", "headers":
			part = exchange.InHeader
		default:
			return part, name
		}
		name = rest
	}
}

// valueAt shows the value at a place in the body; "" for others.
func (in *input) valueAt(where string) string {
	part, name, _ := strings.Cut(where, ".")
	if part != exchange.InBody {
		return ""
	}
	value, ok := jsonvalue.At(in.requestValue(), strings.Split(name, "."))
	if !ok {
		return ""
	}
	text := string(jsontext.Append(nil, value))
	if len(text) > maxTextLength {
		return ""
	}
	return " (" + text + ")"
}
