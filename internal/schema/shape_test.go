package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func shapeOf(k *Keywords) *Shape { return NewShapes(Document{}).Of(k) }

func memberNames(s *Shape) string {
	var names []string
	for _, m := range s.Members() {
		name := m.Name
		for mark, is := range map[string]bool{"!": m.Required, "?": m.Conditional} {
			if is {
				name += mark
			}
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestShape looks at what a shape says of schemas with references, compositions and a cycle.
func TestShape(t *testing.T) {
	s := shapeOf(compile(t, node))
	again := s.Property("children").Items()
	for what, c := range map[string]struct{ got, want any }{
		"members":             {memberNames(s), "children? id! kind? note tags"},
		"names":               {fmt.Sprint(s.Names()), "[children id kind note tags]"},
		"types":               {s.Types(), Object},
		"type of a reference": {s.Property("id").Types(), Integer},
		"readOnly":            {s.Member("id").ReadOnly(), true},
		"writeOnly":           {s.Member("note").WriteOnly(), true},
		"neither":             {s.Member("tags").ReadOnly() || s.Member("tags").WriteOnly(), false},
		"not nullable":        {s.Member("id").Nullable(), false},
		"others":              {s.Property("unlisted").Types(), String},
		"is open":             {s.IsOpen(), true},
		"first item":          {fmt.Sprint(s.Property("tags").Item(0).Bounds().Values), "[a b]"},
		"other items":         {s.Property("tags").Item(1).Types(), String},
		"an array by keyword": {s.Property("tags").LikelyTypes(), Array},
		"any type by name":    {s.Property("tags").Types(), AnyType},
		"a cycle":             {again.Property("children").Items() == again, true},
		"its members":         {memberNames(again), "children? id! kind? note tags"},
		"choices":             {len(s.Choices()), 1},
		"of two branches":     {len(s.Choices()[0].Branches), 2},
		"of a oneOf":          {s.Choices()[0].One, true},
		"required":            {fmt.Sprint(s.Bounds().Required), "[extra id]"},
		"nothing":             {NewShapes(Document{}).Of(nil) == Anything, true},
		"nothing inside":      {Anything.Items() == Anything && Anything.Property("a") == Anything, true},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
}

// TestShapeTypes compares the types that a schema leaves, and those that its keywords make likely.
func TestShapeTypes(t *testing.T) {
	for text, want := range map[string]struct{ types, likely Type }{
		`{}`:                         {AnyType, AnyType},
		`{"type":"integer"}`:         {Integer, Integer},
		`{"type":["number","null"]}`: {Number | Null, Number | Null},
		`{"enum":["a",1.5,2,null]}`:  {String | Fraction | Integer | Null, String | Fraction | Integer | Null},
		`{"const":[]}`:               {Array, Array},
		`{"minimum":1}`:              {AnyType, Number},
		`{"maxLength":1,"items":{}}`: {AnyType, String | Array},
		`{"properties":{"a":{}}}`:    {AnyType, Object},
		`{"pattern":"a"}`:            {AnyType, String},
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:                               {String | Null, String | Null},
		`{"anyOf":[{"type":"string"},false]}`:                                         {String, String},
		`{"allOf":[{"type":["string","integer"]},{"type":["number","null"]}]}`:        {Integer, Integer},
		`{"oneOf":[{"type":"string"},{"minimum":1}]}`:                                 {AnyType, AnyType},
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"boolean"}}}`:                       {Boolean, Boolean},
		`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"type":"array"}]}}}`: {Array, Array},
	} {
		s := shapeOf(compile(t, text))
		if s.Types() != want.types || s.LikelyTypes() != want.likely {
			t.Errorf("%s: %b, likely %b, want %b, %b", text, s.Types(), s.LikelyTypes(), want.types, want.likely)
		}
	}
}

func TestTypeOf(t *testing.T) {
	for text, want := range map[string]Type{
		"1": Integer, "-0": Integer, "1.0": Integer, "1e3": Integer, "1.5e1": Integer, "1.5": Fraction, "1e-1": Fraction,
		"1e99999": Integer, "1e-99999": Fraction, "1e+000002": Integer,
	} {
		if got := TypeOf(json.Number(text)); got != want {
			t.Errorf("%s: %b, want %b", text, got, want)
		}
	}
}

// family is a parent whose discriminator distinguishes its children; one of them has a child.
const family = `{
	"anyOf": [{"$ref": "#/$defs/van"}, {"$ref": "#/$defs/vehicle"}, {"$ref": "#/$defs/truck"}],
	"$defs": {
		"vehicle": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
		"truck": {"allOf": [{"$ref": "#/$defs/vehicle"}, {"required": ["load"], "properties": {"load": {"type": "number"}}}]},
		"tanker": {"allOf": [{"$ref": "#/$defs/truck"}, {"properties": {"gas": {"type": "boolean"}}}]},
		"van": {"allOf": [{"$ref": "#/$defs/vehicle"}, {"properties": {"seats": {"type": "integer"}}}]},
		"all": {"$ref": "#/$defs/tanker"}
	}}`

// TestExtendedShape looks at a parent at its use, which stands for its children, and at a child, which does not.
func TestExtendedShape(t *testing.T) {
	k := compile(t, strings.Replace(family, `"anyOf": [`, `"anyOf": [{"$ref": "#/$defs/all"}, `, 1))
	tanker, van, vehicle, truck := k.AnyOf[0].Ref.Ref, k.AnyOf[1].Ref, k.AnyOf[2].Ref, k.AnyOf[3].Ref
	by := &Discriminator{Property: "kind", Branches: []*Keywords{truck, tanker, van},
		Values: [][]string{{"truck", "lorry"}, {"tanker"}, nil}, Extended: true}
	set := NewShapes(Document{Discriminator: func(k *Keywords) *Discriminator {
		if k == vehicle {
			return by
		}
		return nil
	}})
	if got := memberNames(set.Of(vehicle)); got != "gas? kind! load? seats?" {
		t.Error("the parent:", got)
	}
	if choices := set.Of(vehicle).Choices(); len(choices) != 1 || choices[0].By != by || len(choices[0].Branches) != 3 {
		t.Error("the parent's choices:", choices)
	}
	if got := memberNames(set.Of(tanker)); got != "gas kind! load!" {
		t.Error("a child of a child:", got)
	}
	if got := len(set.Of(van).Choices()); got != 0 {
		t.Error("a child's choices:", got)
	}
	for value, branch := range map[string]int{"truck": 0, "lorry": 0, "tanker": 1, "van": -1} {
		if got := by.Branch(value); got != branch {
			t.Errorf("%s: branch %d, want %d", value, got, branch)
		}
	}
	if by.Value(0) != "truck" || by.Value(2) != "" || (*Discriminator)(nil).Value(0) != "" {
		t.Error("the values to write:", by.Value(0), by.Value(2))
	}
}

// TestShapeInOrder reads members as the document orders them.
func TestShapeInOrder(t *testing.T) {
	k := compile(t, `{"properties": {"a": {}, "b": {}}, "allOf": [{"properties": {"c": {}, "b": {}}}]}`)
	set := NewShapes(Document{Order: func(part *Keywords) []string {
		if part == k {
			return []string{"b", "a", "gone"}
		}
		return []string{"c", "b"}
	}})
	if got := memberNames(set.Of(k)); got != "b a c" {
		t.Error(got)
	}
}

// TestShapeTogether walks a cyclic shape from many goroutines; the race detector watches.
func TestShapeTogether(t *testing.T) {
	s := shapeOf(compile(t, node))
	var wg sync.WaitGroup
	found := make([]*Shape, 8)
	for i := range found {
		wg.Go(func() {
			at := s
			for range 50 {
				at = at.Property("children").Items()
				if got := memberNames(at); got != "children? id! kind? note tags" || !at.Bounds().Requires("id") {
					t.Error(got)
				}
			}
			found[i] = at
		})
	}
	wg.Wait()
	for _, at := range found {
		if at != found[0] {
			t.Error("a schema has two shapes")
		}
	}
}

// TestBounds merges what several schemas say.
func TestBounds(t *testing.T) {
	b := NewBounds()
	for _, text := range []string{
		`{"type":["integer","string"],"minimum":1,"maximum":9,"minLength":2,"enum":[1,2,3]}`,
		`{"type":["number","string"],"exclusiveMinimum":1,"multipleOf":2,"maxLength":5,"enum":[3,2],"required":["b","a"]}`,
		`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"null"},"required":["a"]}`,
	} {
		b.Add(compile(t, text))
	}
	for what, c := range map[string]struct{ got, want any }{
		"types":    {b.Types, Integer | String},
		"asserted": {b.Asserted, Number | String | Object},
		"values":   {fmt.Sprint(b.Values), "[2 3]"},
		"min":      {b.Min.String() + fmt.Sprint(b.MinOpen), "1/1true"},
		"max":      {b.Max.String() + fmt.Sprint(b.MaxOpen), "9/1false"},
		"steps":    {len(b.Steps), 1},
		"lengths":  {fmt.Sprint(b.MinLength, b.MaxLength), "2 5"},
		"items":    {fmt.Sprint(b.MinItems, b.MaxItems == Unlimited), "0 true"},
		"required": {fmt.Sprint(b.Required), "[a b]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	types := func(name string) string {
		schemas, allowed := b.Property(name)
		if !allowed {
			return "forbidden"
		}
		left := AnyType
		for _, k := range schemas {
			left &= OwnTypes(k)
		}
		return fmt.Sprintf("%b", left)
	}
	if types("a") != fmt.Sprintf("%b", String) || types("b") != fmt.Sprintf("%b", Null) {
		t.Error("properties:", types("a"), types("b"))
	}
	b.Add(compile(t, `{"additionalProperties":false,"properties":{"b":true}}`))
	if types("a") != "forbidden" || types("b") == "forbidden" || !b.Closed() {
		t.Error("closed:", types("a"), types("b"))
	}
}
