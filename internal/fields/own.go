package fields

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// ownWords writes the words of an unknown name and a letter, so that texts differ: "Study C". It writes a code if the
// name is an abbreviation, and a sentence if the result is too short.
func ownWords(words []string) []Maker {
	const most, brief = 3, 3 // words, letters of abbreviations
	words = slices.Clone(words[max(0, len(words)-most):])
	last := len(words) - 1
	words[last] = naming.Singular(words[last])
	text := formats.Title(strings.Join(words, " ")) + " "
	own := func(f *formats.Faker) string { return text + pick(f, letters...) }
	if last == 0 && len(words[0]) <= brief {
		prefix, number := strings.ToUpper(words[0])+"-", pattern("####")
		own = func(f *formats.Faker) string { return prefix + number(f) }
	}
	return []Maker{writing(own), plain(words, Thing{})}
}

var letters = strings.Split(upper, "")

var maps = sync.OnceValue(func() map[string]string {
	all := make(map[string]string, words.Maps.Lines())
	for c := range words.Maps.Rows() {
		all[naming.Singular(c[0])] = c[1]
	}
	return all
})

// Keys returns names of the properties of a map, by the last word of its name; other maps have the keys of metadata.
func Keys(name string) []string {
	if words := Words(name); len(words) > 0 {
		if keys := maps()[naming.Singular(words[len(words)-1])]; keys != "" {
			return strings.Fields(keys)
		}
	}
	return strings.Fields(maps()[naming.Singular("metadata")])
}
