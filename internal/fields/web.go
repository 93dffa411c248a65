package fields

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// URIFormats are the formats of addresses of pages and pictures.
const URIFormats = "uri url iri uri-reference iri-reference"

var uriFormats = strings.Fields(URIFormats)

// Folder returns the first segment of addresses of pages about the thing.
func (t Thing) Folder() string {
	if len(t.words) == 0 {
		return "pages"
	}
	return strings.Join(t.words, "-")
}

// page writes the address of a page about the thing, on the domain that RFC 2606 section 3 reserves.
func page(_ []string, t Thing) []Maker {
	under := func(root string) Maker {
		root += t.Folder() + "/"
		return writing(func(f *formats.Faker) string {
			words := slugWords(f)
			tens, ones := f.IntN(10), f.IntN(10)
			return root + words + "-" + formats.Digits[tens:tens+1] + formats.Digits[ones:ones+1]
		})
	}
	return []Maker{under("https://example.com/"), under("/")}
}

// reference writes a reference to the thing that a name stands for: /alert-service/4821.
func reference(words []string) []Maker {
	return Patterns("/" + fixed(strings.Join(words, "-")) + "/####")
}

// slugs are two words that addresses have, written once: most answers have many addresses.
var slugs = sync.OnceValue(func() (all []string) {
	for _, first := range written("slug-first") {
		for _, last := range written("slug-last") {
			all = append(all, first+"-"+last)
		}
	}
	return all
})

func slugWords(f *formats.Faker) string {
	ends := len(written("slug-last"))
	first := f.IntN(len(slugs()) / ends)
	return slugs()[ends*first+f.IntN(ends)]
}

// fileNames are names of files that end in one of some extensions.
type fileNames []string

func (extensions fileNames) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		return slugWords(f) + "-" + strconv.Itoa(1+f.IntN(40)) + pick(f, extensions...)
	})}
}

var files = sync.OnceValue(func() map[string]fileNames {
	all := make(map[string]fileNames, words.Files.Lines())
	for c := range words.Files.Rows() {
		all[c[0]] = strings.Fields(c[1])
	}
	return all
})

// anyFile returns names for files of unknown types.
func anyFile([]string, Thing) []Maker { return fileNames(written("file-ends")).makers(nil, Thing{}) }

// fileNameOf names a file as its words say what it holds.
func fileNameOf(own []string, t Thing) []Maker {
	for _, word := range slices.Concat(own, t.words) {
		for _, word := range []string{word, naming.Singular(word)} {
			if names := files()[word]; names != nil {
				return names.makers(nil, t)
			}
		}
	}
	return anyFile(nil, t)
}

func ipv4(f *formats.Faker) string { return "192.0.2." + strconv.Itoa(1+f.IntN(254)) }
