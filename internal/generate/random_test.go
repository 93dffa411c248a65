package generate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestRandomSchemas makes values for schemas of random keywords. A schema
// without a value must be one that random values find none for either.
func TestRandomSchemas(t *testing.T) {
	const count = 1500
	hopeless := 0
	for seed := range uint64(count) {
		r := &randomSchema{rand.New(rand.NewPCG(seed, 1))}
		text := string(jsontext.Append(nil, r.schema(3)))
		if !tryRandom(t, seed, text) {
			hopeless++
		}
	}
	t.Logf("%d schemas, %d without a value", count, hopeless)
}

func FuzzRandomSchemas(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := &randomSchema{rand.New(rand.NewPCG(seed, 1))}
		tryRandom(t, seed, string(jsontext.Append(nil, r.schema(3))))
	})
}

func tryRandom(t *testing.T, seed uint64, text string) bool {
	s := compile(t, text)
	g := generate.New(s, generate.Options{})
	for i := range uint64(10) {
		v, err := g.Value(generate.NewKey(i))
		if e := (*generate.Error)(nil); errors.As(err, &e) {
			guess := &randomSchema{rand.New(rand.NewPCG(seed, 2))}
			for range 500 {
				if v := guess.value(2); s.Keywords.Validate(v) == nil {
					t.Errorf("seed %d: %s takes %s, but: %v", seed, text, bytes(v), err)
					break
				}
			}
			return false
		}
		if err := s.Keywords.Validate(v); err != nil {
			t.Errorf("seed %d: %s: %s: %v", seed, text, bytes(v), err)
		}
		fill := &randomSchema{rand.New(rand.NewPCG(seed, 3+i))}
		sent, _ := fill.value(2).(map[string]any)
		if v, err := g.Fill(generate.NewKey(i), sent, fill.name()); err != nil {
			t.Errorf("seed %d: %s: %v", seed, text, err)
		} else if err := s.Keywords.Validate(v); err != nil {
			t.Errorf("seed %d: %s filled with %s: %s: %v", seed, text, bytes(sent), bytes(v), err)
		}
		if again, _ := g.Value(generate.NewKey(i)); bytes(again) != bytes(v) {
			t.Errorf("seed %d: %s: %s and %s", seed, text, bytes(v), bytes(again))
		}
	}
	return true
}

type randomSchema struct{ *rand.Rand }

func pickOne[T any](r *randomSchema, list ...T) T { return list[r.IntN(len(list))] }

// value makes a small value, such as the schemas describe.
func (r *randomSchema) value(depth int) any {
	kinds := 7
	if depth == 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return pickOne[any](r, "", "a", "ab", "abc", "x", "2025-01-01")
	case 3, 4:
		v, _ := jsontext.Decode(pickOne(r, "0", "1", "2", "3", "5", "6", "10", "-4", "0.5", "2.5", "1.0"))
		return v
	case 5:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.value(depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range r.IntN(4) {
		object[r.name()] = r.value(depth - 1)
	}
	return object
}

func (r *randomSchema) name() string { return pickOne(r, "a", "b", "c", "ab", "x1") }

func (r *randomSchema) number() any {
	v, _ := jsontext.Decode(fmt.Sprint(r.IntN(8)))
	return v
}

func (r *randomSchema) schemas(depth int) []any {
	list := []any{}
	for range 1 + r.IntN(3) {
		list = append(list, r.schema(depth-1))
	}
	return list
}

func (r *randomSchema) named(depth int) map[string]any {
	object := map[string]any{}
	for range 1 + r.IntN(2) {
		object[r.name()] = r.schema(depth - 1)
	}
	return object
}

func (r *randomSchema) schema(depth int) any {
	if r.IntN(12) == 0 || depth == 0 && r.IntN(4) == 0 {
		return r.IntN(5) > 0
	}
	s := map[string]any{}
	if r.IntN(3) > 0 {
		s["type"] = pickOne[any](r, "object", "array", "string", "integer", "number", "boolean", "null",
			[]any{"object", "string"}, []any{"array", "null"}, []any{"integer", "string"})
	}
	for range r.IntN(4) {
		r.keyword(s, depth)
	}
	return s
}

func (r *randomSchema) keyword(s map[string]any, depth int) {
	n := 22
	if depth > 0 {
		n = 46
	}
	switch r.IntN(n) {
	case 0:
		s["enum"] = []any{r.value(1), r.value(1), r.value(0)}
	case 1:
		s["const"] = r.value(1)
	case 2:
		s["minimum"] = r.number()
	case 3:
		s["maximum"] = r.number()
	case 4:
		s["exclusiveMinimum"] = r.number()
	case 5:
		s["exclusiveMaximum"] = r.number()
	case 6:
		v, _ := jsontext.Decode(pickOne(r, "2", "3", "0.5", "1.5"))
		s["multipleOf"] = v
	case 7, 8:
		s["minLength"] = r.number()
	case 9:
		s["maxLength"] = r.number()
	case 10, 11:
		s["pattern"] = pickOne(r, "^a", "b$", "^[a-c]+$", "^\\d{2,4}$", "x|y", "^(ab)*$")
	case 12:
		s["format"] = pickOne(r, "date", "uuid", "email", "ipv4")
	case 13:
		s["minItems"] = r.number()
	case 14:
		s["maxItems"] = r.number()
	case 15:
		s["uniqueItems"] = true
	case 16:
		s["minProperties"] = r.number()
	case 17:
		s["maxProperties"] = r.number()
	case 18, 19, 20:
		s["required"] = []any{r.name()}
	case 21:
		s["dependentRequired"] = map[string]any{"a": []any{"b"}, r.name(): []any{r.name()}}
	case 22, 23, 24:
		s["properties"] = r.named(depth)
	case 25:
		s["patternProperties"] = map[string]any{pickOne(r, "^a", "b", "\\d$"): r.schema(depth - 1)}
	case 26, 27:
		s["additionalProperties"] = r.schema(depth - 1)
	case 28:
		s["propertyNames"] = map[string]any{"maxLength": r.number()}
	case 29, 30:
		s["items"] = r.schema(depth - 1)
	case 31:
		s["prefixItems"] = r.schemas(depth)
	case 32, 33:
		s["contains"] = r.schema(depth - 1)
	case 34:
		s["minContains"] = r.number()
	case 35:
		s["maxContains"] = r.number()
	case 36:
		s["allOf"] = r.schemas(depth)
	case 37, 38:
		s["anyOf"] = r.schemas(depth)
	case 39, 40:
		s["oneOf"] = r.schemas(depth)
	case 41:
		s["not"] = r.schema(depth - 1)
	case 42:
		s["if"], s["then"], s["else"] = r.schema(depth-1), r.schema(depth-1), r.schema(depth-1)
	case 43:
		s["dependentSchemas"] = r.named(depth)
	case 44:
		s["unevaluatedProperties"] = r.schema(depth - 1)
	case 45:
		s["unevaluatedItems"] = r.schema(depth - 1)
	}
}
