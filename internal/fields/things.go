package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// Thing is what an object describes.
type Thing struct {
	words  []string // "purchase", "order"; the last says most
	joined string   // "purchaseorder"
	kind   *kind    // nil if it is of no known kind
}

// IsKnown reports whether the thing is of a kind that has its own names and sentences.
func (t Thing) IsKnown() bool { return t.kind != nil }

// Name is the thing's last word, as a property's name.
func (t Thing) Name() string {
	if len(t.words) == 0 {
		return ""
	}
	return t.words[len(t.words)-1]
}

// text is the thing's name in a sentence. An unknown thing has its last words, if they look like words.
func (t Thing) text() string {
	words := t.words
	if t.kind == nil {
		const least, most = 3, 12 // letters
		isNoWord := func(w string) bool { return len(w) < least || len(w) > most }
		words = slices.Compact(slices.DeleteFunc(slices.Clone(words), isNoWord))
		words = words[max(0, len(words)-2):]
	}
	if len(words) == 0 {
		return "item"
	}
	return strings.Join(words, " ")
}

// is reports whether the thing is one of some, by its kind or its last words.
func (t Thing) is(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if t.kind != nil && name == t.kind.name || len(t.words) > 0 && name == t.words[len(t.words)-1] || name == t.joined {
			return true
		}
	}
	return false
}

// Told reports whether the names of an object's properties say that it is a person.
type Told bool

// Tell reads the names of an object's properties.
func Tell(names []string) Told {
	return Told(slices.ContainsFunc(names, func(name string) bool {
		return is(strings.Join(Words(name), ""), "personal")
	}))
}

// With returns what an object without a name describes if its properties say more; false if they do not.
func (t Thing) With(told Told) (Thing, bool) {
	if bool(told) && len(t.words) == 0 {
		return Person(), true
	}
	return t, false
}

// Person is the thing that has a first and a last name.
func Person() Thing { return Thing{[]string{"person"}, "person", kinds()["person"]} }

// ThingOf returns what the place that tokens of a document lead to describes: the name of a component or of a property,
// else of a path.
func ThingOf(tokens []string) Thing {
	var first Thing
	for i := len(tokens) - 1; i > 0; i-- {
		name, isName := "", true
		switch before := tokens[i-1]; before {
		case "properties", "schemas", "definitions", "$defs", "responses", "requestBodies", "parameters":
			name = tokens[i][strings.LastIndexByte(tokens[i], '.')+1:] // io.k8s.api.batch.v1.Job
		case "paths":
			name = lastSegment(tokens[i])
		default:
			isName = false
		}
		if !isName {
			continue
		}
		if name == "_links" || name == "links" { // of HAL and JSON:API
			return links
		}
		t := Named(name)
		if t.IsKnown() {
			return t
		}
		if len(first.words) == 0 {
			first = t
		}
		if tokens[i-1] == "paths" || len(first.words) > 0 {
			break
		}
	}
	return first
}

// links is an object whose members are addresses.
var links = Thing{words: []string{"links"}, joined: "links"}

// lastSegment returns the last segment of a path, of its end at most, that is not a parameter.
func lastSegment(path string) string {
	const end = 200 // bytes: paths of any length take the same time
	segments := strings.Split(path[max(0, len(path)-end):], "/")
	for _, s := range slices.Backward(segments) {
		if s != "" && !strings.Contains(s, "{") && s[0] != ':' {
			return s
		}
	}
	return ""
}

// Named returns the thing that a name stands for; one without words for a name that says nothing.
func Named(name string) Thing {
	words := Words(name)
	joined := strings.Join(words, "")
	if k := kindOfThing(joined); k != nil {
		return Thing{words, joined, k} // "ticket type": no ticket
	}
	if last := len(words) - 1; last > 0 && is(words[last], "technical") {
		words = words[:last]
	}
	all := words
	words = slices.DeleteFunc(slices.Clone(all), func(w string) bool {
		return is(w, "wrapping") || strings.Trim(w, formats.Digits) == ""
	})
	switch last := len(all) - 1; {
	case len(words) == 0 && last > 0 && is(all[last], "kind"): // data_type
		words = all
	case len(words) == 0:
		return Thing{}
	}
	words = words[max(0, len(words)-3):]
	last := len(words) - 1
	words[last] = naming.Singular(words[last])
	joined = strings.Join(words, "")
	for i, rest := 0, joined; i < len(words); rest, i = rest[len(words[i]):], i+1 {
		k := kindOfThing(rest)
		switch {
		case rest != "state" || i == 0: // on its own it is of a country or of a thing
		case is(words[i-1], "land"):
			k = kinds()["region"]
		default: // of a permission
			k = kinds()["status"]
		}
		if k != nil {
			return Thing{words, joined, k}
		}
	}
	return Thing{words: words, joined: joined}
}
