package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/words"
)

// faker says what stands for functions of faker.js: a row of words.Fakers.
type faker struct {
	names     string // the present name first, then earlier and near ones
	by, value string
	of        string // the thing that has the property, for by "field"
}

// fakers are all names that x-faker and faker may have, besides the functions of gofakeit and the things of package
// fields.
var fakers = sync.OnceValue(func() []faker {
	all := make([]faker, 0, words.Fakers.Lines())
	for c := range words.Fakers.Rows() {
		all = append(all, faker{names: strings.TrimSpace(c[0] + " " + c[1]), by: c[2], value: c[3], of: c[4]})
	}
	return all
})

var fakersByName = sync.OnceValue(func() map[string]*faker {
	byName := map[string]*faker{}
	for i := range fakers() {
		f := &fakers()[i]
		for name := range strings.FieldsSeq(f.names) {
			byName[strings.ToLower(name)] = f
		}
	}
	return byName
})

// findFaker returns what stands for a name, in any case: a name of faker.js, a thing that package fields knows, whose
// names are meant then, or a function of gofakeit behind anything with a dot. The error says what to write.
func findFaker(name string) (*faker, error) {
	f, lower := fakersByName()[strings.ToLower(name)], strings.ToLower(name)
	function := lower[strings.LastIndexByte(lower, '.')+1:]
	if f == nil && !strings.Contains(name, ".") && fields.Named(name).IsKnown() {
		return &faker{by: "field", value: "name", of: name}, nil
	}
	if f == nil {
		if _, ok := formats.NewFaker().Seed(1).Call(function); ok {
			return &faker{by: "call", value: function}, nil
		}
		return nil, fmt.Errorf("%s is no function of faker.js that is known%s", quote(name), suggest(name))
	}
	if f.by == "advice" {
		return nil, fmt.Errorf("%s needs arguments, which are not read; %s", quote(name), f.value)
	}
	return f, nil
}

// suggest returns the nearest name, or some of the same module.
func suggest(name string) string {
	all := slices.Sorted(maps.Keys(fakersByName()))
	if near := nearest.Word(strings.ToLower(name), all, max(2, len(name)/3)); near != "" {
		return "; did you mean " + quote(spelt(near)) + "?"
	}
	module, _, _ := strings.Cut(strings.ToLower(name), ".")
	var same []string
	for _, known := range all {
		if strings.HasPrefix(known, module+".") && fakersByName()[known].by != "advice" && len(same) < 8 {
			same = append(same, spelt(known))
		}
	}
	if same != nil {
		return "; there are " + strings.Join(same, ", ")
	}
	return "; write one such as person.fullName, internet.email, commerce.price, lorem.sentence, date.past"
}

// spelt returns a name as the table has it.
func spelt(lower string) string {
	for name := range strings.FieldsSeq(fakersByName()[lower].names) {
		if strings.EqualFold(name, lower) {
			return name
		}
	}
	return lower
}
