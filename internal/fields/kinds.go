package fields

import (
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/words"
)

// kind is a row of kinds.tsv: names and sentences for things of one kind.
type kind struct {
	name             string
	names            string // what made takes
	said             string // sentences separated by "|"; {t} stands for the thing's words
	tags, categories string // separated by "|"; "" is as of other things
}

// called returns the names of things of the kind.
func (k *kind) called() []Maker { return made(k.names).texts.makers(nil, Thing{}) }

func isKind(k *kind, name string) bool { return k != nil && k.name == name }

var kinds = sync.OnceValue(func() map[string]*kind {
	all := make(map[string]*kind, words.Kinds.Lines())
	for c := range words.Kinds.Rows() {
		all[c[0]] = &kind{c[0], c[1], c[2], c[3], c[4]}
	}
	return all
})

// otherThings is the kind of things of no known kind.
func otherThings() *kind { return kinds()["-"] }

var things = sync.OnceValue(func() map[string]*kind {
	all := make(map[string]*kind, words.Things.Lines())
	for c := range words.Things.Rows() {
		all[c[0]] = kinds()[c[1]]
	}
	return all
})

// kindOfThing returns the kind of things of a name, nil if none.
func kindOfThing(name string) *kind { return things()[name] }

func tags(_ []string, t Thing) []Maker {
	return labelled(t, func(k *kind) string { return k.tags })
}

func categories(_ []string, t Thing) []Maker {
	return labelled(t, func(k *kind) string { return k.categories })
}

// labelled writes one of the labels of a thing, else one of the object around it.
func labelled(t Thing, read func(*kind) string) []Maker {
	return []Maker{func(f *formats.Faker, at Context, _ string) string {
		labels := ""
		if t.kind != nil {
			labels = read(t.kind)
		}
		if labels == "" && at.Around != nil && at.Around.kind != nil {
			labels = read(at.Around.kind)
		}
		if labels == "" {
			labels = read(otherThings())
		}
		return pick(f.Seed(at.Key), strings.Split(labels, "|")...)
	}}
}

// isLabel reports whether things of this kind are named by what is around them.
func (t Thing) isLabel() bool { return isKind(t.kind, "tag") || isKind(t.kind, "category") }
