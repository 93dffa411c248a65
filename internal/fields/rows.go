package fields

import (
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

// texts say what a rule writes about a property of such words, of an object. The rows of the tables have them as
// values of the types below, which the linker lays out. As calls that made their makers, the 1,900 rows and the sets of
// words beside them took 1.3 ms of 10 and 130 pages at each start, and 270 KB of the program.
type texts interface {
	makers(words []string, of Thing) []Maker
}

// numbers say which numbers a rule suggests.
type numbers interface {
	window(f *formats.Faker, at Place) Window
}

func (write Maker) makers([]string, Thing) []Maker { return []Maker{write} }

// made are makers that depend on the property's words and the object.
type made func(words []string, of Thing) []Maker

func (make made) makers(words []string, of Thing) []Maker { return make(words, of) }

// several are all that each writes, the first that conforms counts.
type several []texts

func (s several) makers(words []string, of Thing) (all []Maker) {
	for _, each := range s {
		all = append(all, each.makers(words, of)...)
	}
	return all
}

type writes func(*formats.Faker) string

func (write writes) makers([]string, Thing) []Maker { return []Maker{writing(write)} }

// formatted are the texts of a format.
type formatted string

func (name formatted) makers([]string, Thing) []Maker {
	return []Maker{writing(formats.Lookup(string(name)).Generate)}
}

// patterns are texts of a form: see pattern.
type patterns string

func (form patterns) makers([]string, Thing) []Maker { return Patterns(string(form)) }

// oneOf is one of texts that are separated by "|".
type oneOf string

func (list oneOf) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		return nth(string(list), f.IntN(1+strings.Count(string(list), "|")))
	})}
}

// nth returns one of the texts of a list that are separated by "|". The start need not split it.
func nth(list string, n int) string {
	for range n {
		_, list, _ = strings.Cut(list, "|")
	}
	text, _, _ := strings.Cut(list, "|")
	return text
}

// together is one of texts, the one of the same place for all lists of one length of an object.
type together string

func (list together) makers([]string, Thing) []Maker {
	return shifted{string(list), 0}.makers(nil, Thing{})
}

// shifted is together for the text that stands so many places on.
type shifted struct {
	list   string
	places int
}

func (s shifted) makers([]string, Thing) []Maker {
	texts := strings.Split(s.list, "|")
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		return texts[(f.Seed(at.decision(8)).IntN(len(texts))+s.places)%len(texts)]
	}}
}

func (w Window) window(*formats.Faker, Place) Window { return w }

// between are whole numbers.
func between(lo, hi int64) Window { return Window{lo, hi, 1} }

// scaled are numbers in units of 1/scale.
func scaled(lo, hi, scale int64) Window { return Window{lo, hi, scale} }

type windows func(f *formats.Faker, at Place) Window

func (suggest windows) window(f *formats.Faker, at Place) Window { return suggest(f, at) }

// windowsOf returns what suggests the numbers, nil if nothing does.
func windowsOf(n numbers) func(f *formats.Faker, at Place) Window {
	if n == nil {
		return nil
	}
	return n.window
}
