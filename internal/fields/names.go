package fields

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// row is a line of names.tsv. See words.Names.
type row struct {
	of, match    string
	text, number string
}

func (r row) writes() bool { return r.text != "" }
func (r row) counts() bool { return r.number != "" }

// rows are the rows of names.tsv by name.
var rows = sync.OnceValue(func() map[string][]row {
	all := make(map[string][]row, words.Names.Lines())
	for c := range words.Names.Rows() {
		all[c[0]] = append(all[c[0]], row{c[1], c[2], c[3], c[4]})
	}
	return all
})

// rowOf finds a row for a name: for the whole of it, else for its last words, as many as a row knows. Rows for the
// object come before rows for any; the words before may name another object: company_name of a person. matched is how
// many words the row is for.
func rowOf(words []string, of Thing, counts func(row) bool) (found *row, matched int) {
	for i := range words {
		if i > 0 && kindOfThing(words[i-1]) != nil {
			of = Named(strings.Join(words[:i], "_"))
		}
		joined := strings.Join(words[i:], "")
		for _, name := range []string{joined, naming.Singular(joined)} {
			if found = firstRow(name, i == 0, of, counts); found != nil {
				return found, len(words) - i
			}
		}
	}
	return nil, 0
}

func firstRow(name string, whole bool, of Thing, counts func(row) bool) *row {
	all := rows()[name]
	fits := func(r row) bool { return counts(r) && r.match != "last" && (whole || r.match == "end") }
	if i := slices.IndexFunc(all, func(r row) bool { return r.of != "" && of.is(r.of) && fits(r) }); i >= 0 {
		return &all[i]
	}
	if i := slices.IndexFunc(all, func(r row) bool { return r.of == "" && fits(r) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// lastRow finds the row for the last word of a name if no row has more of the name.
func lastRow(word string) *row {
	for _, name := range []string{word, naming.Singular(word)} {
		all := rows()[name]
		if i := slices.IndexFunc(all, func(r row) bool { return r.match == "last" }); i >= 0 {
			return &all[i]
		}
	}
	return nil
}

// is reports whether a word may play a part of parts.tsv.
func is(word, part string) bool { return words.Parts.Has(word, part) }

func anyIs(words []string, part string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is(w, part) })
}

// IsHundredth reports whether a word ends the names of amounts in the smallest unit of a currency.
func IsHundredth(word string) bool { return is(word, "hundredths") }

// flagOf returns what a boolean nearly always is; 0 for nothing.
func flagOf(name []string) int {
	return map[string]int{"true": 1, "false": -1}[words.Flags.Second(strings.Join(name, ""))]
}

var english = sync.OnceValue(func() map[string]string {
	all := make(map[string]string, words.Languages.Lines())
	for c := range words.Languages.Rows() {
		all[c[0]] = c[2]
	}
	return all
})

// Words splits a name as naming.Words does, with its words in English if one of them is of another language.
func Words(name string) []string {
	own := naming.Words(name)
	if !slices.ContainsFunc(own, func(w string) bool { return english()[w] != "" }) {
		return own
	}
	var all []string
	for _, w := range own {
		if translated := english()[w]; translated != "" {
			all = append(all, strings.Fields(translated)...)
		} else {
			all = append(all, w)
		}
	}
	return all
}
