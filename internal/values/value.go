// Package values reads what documents and coldframe.yaml say of generated values: x-faker, x-coldframe-value, and
// the section values. What it reads suggests values by their keys; package generate asks for them when it compiles a
// schema, and takes those that conform.
package values

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/tree"
)

// The extensions of a Schema Object that say what its values are.
const (
	Extension      = "x-coldframe-value"
	FakerExtension = "x-faker"
)

// Value is what a document or a setting says of the values of one place. It is immutable.
type Value struct {
	Place  exchange.Place // where it is written
	listed []any          // one of these, by the key; nil if none
	// Name is a property name that suggests such values, and Of the thing that has the property; "" if none.
	Name  string
	Of    fields.Thing
	texts []fields.Maker
	call  string // of formats.Faker.Call; "" if none
	// Formula computes the value from the object around it; nil if none.
	Formula *formula.Formula
	// Numbers is where numbers are to lie; nil for anywhere.
	Numbers *fields.Window
	Said    string // how it is written, for people: x-faker "internet.email"
}

// Candidates returns suggested values for a place, best first. format is the schema's format.
func (v *Value) Candidates(f *formats.Faker, at fields.Context, format string) iter.Seq[any] {
	return func(yield func(any) bool) {
		switch {
		case v.Formula != nil: // which needs the object
		case v.listed != nil:
			yield(v.listed[f.Seed(at.Key).IntN(len(v.listed))])
		case v.Numbers != nil:
			n := v.number(f.Seed(at.Key).Uint64(), v.Numbers.Scale)
			whole := v.number(f.Seed(at.Key).Uint64(), 1)
			_ = yield(json.Number(n)) && yield(json.Number(whole)) && yield(n) && yield(whole)
		case v.call != "":
			if made, ok := f.Seed(at.Key).Call(v.call); ok {
				yieldForms(made, yield)
			}
		default:
			for _, write := range v.texts {
				if !yieldForms(write(f, at, format), yield) {
					return
				}
			}
		}
	}
}

// number returns a number of so many units between the bounds, or at the lower one if none lies there.
func (v *Value) number(random uint64, scale int64) string {
	w := v.Numbers
	lo, hi := (w.Lo*scale+w.Scale-1)/w.Scale, w.Hi*scale/w.Scale
	n := lo + int64(random%uint64(max(hi-lo, 0)+1))
	return strconv.FormatFloat(float64(n)/float64(scale), 'f', -1, 64)
}

// yieldForms returns a value as JSON has it, and as the other type that it may be meant as: a number or a text.
func yieldForms(made any, yield func(any) bool) bool {
	if _, isBool := made.(bool); isBool {
		return yield(made)
	}
	text := fmt.Sprint(made)
	if _, isText := made.(string); isText && !yield(text) {
		return false
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) && !yield(json.Number(text)) {
		return false
	}
	return yield(text)
}

// Of returns what a node of a schema says of its values; nil if it says nothing that can be used. What is wrong
// with it is in the error, whose place is given.
func Of(n *tree.Node) (*Value, exchange.Place, error) {
	if n == nil || n.Kind != tree.Object {
		return nil, exchange.Place{}, nil
	}
	if own := n.Get(Extension); own != nil {
		v, at, err := read(own)
		if v != nil {
			v.Said = Extension
		}
		return v, at, err
	}
	named := n.Get(FakerExtension)
	if named == nil {
		return nil, exchange.Place{}, nil
	}
	name := named.Str()
	if named.Kind == tree.Object && len(named.Fields()) == 1 { // {"name.findName": […]}
		name = named.Fields()[0].Name
	}
	if name == "" {
		return nil, named.Place(), fmt.Errorf("x-faker must be the name of a function, such as internet.email")
	}
	v, err := fakerValue(name)
	if err != nil {
		return nil, named.Place(), err
	}
	if v.Place, v.Said = named.Place(), FakerExtension+" "+quote(name); named.Kind == tree.Object {
		err = v.readArguments(named.Fields()[0].Value)
	}
	return v, named.Place(), err
}

// readArguments takes min and max, in an object or as the first arguments of a function of numbers.
func (v *Value) readArguments(n *tree.Node) error {
	object := n
	if n.Kind == tree.Array && len(n.List()) == 1 {
		object = n.List()[0]
	}
	least, most := object.Get("min"), object.Get("max")
	if n.Kind == tree.Array && len(n.List()) > 1 {
		least, most = n.List()[0], n.List()[1]
	}
	switch {
	case least.Str() == "" && most.Str() == "" && isNumber(least) && isNumber(most):
		return v.between(least, most)
	case n.Kind == tree.Null, n.Kind == tree.Object && len(n.Fields()) == 0, n.Kind == tree.Array && len(n.List()) == 0:
		return nil
	}
	return fmt.Errorf("the arguments of %s are not read, but for min and max; the rest of the schema or a list under %s "+
		"says more", v.Said, Extension)
}

func isNumber(n *tree.Node) bool { return n != nil && n.Kind == tree.Number }

// between has numbers lie between two.
func (v *Value) between(least, most *tree.Node) error {
	lo, _ := strconv.ParseFloat(least.Text, 64)
	hi, _ := strconv.ParseFloat(most.Text, 64)
	w := fields.Window{Scale: 100} // of a number with decimals
	const far = 1 << 40
	if lo < -far || hi > far || hi < lo {
		return fmt.Errorf("min and max must be numbers from -%d to %[1]d, the smaller one first", int64(far))
	}
	for ; w.Scale < 10_000 && (lo*float64(w.Scale) != float64(int64(lo*float64(w.Scale))) ||
		hi*float64(w.Scale) != float64(int64(hi*float64(w.Scale)))); w.Scale *= 10 {
	}
	w.Lo, w.Hi = int64(lo*float64(w.Scale)), int64(hi*float64(w.Scale))
	v.Numbers = &w
	v.Name, v.texts, v.call, v.listed = "", nil, "", nil // its own numbers count no more
	return nil
}

func fakerValue(name string) (*Value, error) {
	f, err := findFaker(name)
	if err != nil {
		return nil, err
	}
	v := &Value{}
	switch f.by {
	case "field":
		v.Name, v.Of = f.value, fields.Named(f.of)
		hint := fields.Of(fields.Property{Name: v.Name, Of: v.Of})
		if v.texts = hint.Texts; hint.Numbers != nil {
			v.texts = append([]fields.Maker{windowText(hint)}, v.texts...)
		}
	case "call":
		v.call = f.value
	case "list":
		for text := range strings.SplitSeq(f.value, "|") {
			v.listed = append(v.listed, text)
		}
	case "pattern":
		v.texts = fields.Patterns(f.value)
	case "numbers":
		if w, ok := fields.Range(f.value); ok {
			v.Numbers = &w
		}
	}
	return v, nil
}

// windowText writes a number that a hint suggests.
func windowText(hint *fields.Hint) fields.Maker {
	return func(f *formats.Faker, at fields.Context, _ string) string {
		w := hint.Numbers(f, at)
		n := w.Lo + int64(f.Seed(at.Key).Uint64()%uint64(w.Hi-w.Lo+1))
		return strconv.FormatFloat(float64(n)/float64(max(w.Scale, 1)), 'f', -1, 64)
	}
}

// forms are the keys of an object that says how values are made.
var forms = []string{"faker", "min", "max", "value"}

// read reads what coldframe.yaml or x-coldframe-value says: a constant, a text with ${…}, a list to choose from, or an
// object with faker, with min and max, or with value for a constant that is itself a list or an object. The error is
// about the place.
func read(n *tree.Node) (*Value, exchange.Place, error) {
	v := &Value{Place: n.Place()}
	switch n.Kind {
	case tree.Array:
		if len(n.List()) == 0 {
			return nil, n.Place(), fmt.Errorf("the list has no values to choose from")
		}
		for _, item := range n.List() {
			v.listed = append(v.listed, item.Value())
		}
		return v, v.Place, nil
	case tree.Object:
		return v.readForm(n)
	}
	v.listed = []any{n.Value()}
	if n.Kind != tree.String || !formula.Has(n.Text) {
		return v, v.Place, nil
	}
	var err error
	v.Formula, err = formula.Parse(n.Text)
	return v, v.Place, err
}

func (v *Value) readForm(n *tree.Node) (*Value, exchange.Place, error) {
	for _, m := range n.Fields() {
		if !slices.Contains(forms, m.Name) {
			return nil, n.PlaceOf(m.Name), fmt.Errorf("unknown key %s; there are faker, min with max, and value, "+
				"under which an object that is the value itself stands", quote(m.Name))
		}
	}
	name, value, least, most := n.Get("faker"), n.Get("value"), n.Get("min"), n.Get("max")
	switch {
	case len(n.Fields()) == 1 && value != nil:
		v.listed = []any{value.Value()}
	case len(n.Fields()) == 1 && name.Str() != "":
		made, err := fakerValue(name.Str())
		if err != nil {
			return nil, name.Place(), err
		}
		made.Place = v.Place
		return made, v.Place, nil
	case len(n.Fields()) == 2 && isNumber(least) && isNumber(most):
		if err := v.between(least, most); err != nil {
			return nil, v.Place, err
		}
	default:
		return nil, v.Place, fmt.Errorf("must be one of {faker: NAME}, {min: NUMBER, max: NUMBER} and {value: …}")
	}
	return v, v.Place, nil
}

func quote(text string) string { return strconv.Quote(exchange.Shorten(text, 80)) }
