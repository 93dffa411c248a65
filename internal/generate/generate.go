// Package generate generates values that conform to a schema.
//
// What is required of one place of a value is a list of constraints (node.go): first that it conforms to its
// schemas. Merging follows references and allOf and collects choices: branches of oneOf and anyOf, if, kinds
// of values (merge.go). Once the choices are made, a shape is left (shape.go) that one kind of value fills:
// number.go, text.go, array.go, object.go. Nodes are merged once, when they are first needed, and are shared
// by all requests.
//
// When the members of an object are made, the rows of a table make those agree that belong together (relations.go).
//
// Strings come from a property's name (package fields), its format (package formats) or its patterns (pattern.go).
//
// The first candidate is generated without looking back and validated if it may not conform. If it does
// not, candidates of other keys follow whose places are validated one by one and repaired (repair.go).
//
// A value depends on its key and its place only.
package generate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/values"
)

// Options says how values are generated.
type Options struct {
	// Fill says which optional properties are there: "all" (the default; as far
	// as the value does not nest too deep) or "required".
	Fill string
	// Examples takes a schema's own example, examples and default if they conform.
	Examples bool
	// Errors says that values describe an error: properties named for errors are not left out.
	Errors bool
	// ImageURLs has the URLs of pictures begin with samplefile.Origin, by whose paths a mock serves them. Default: they
	// are on example.com.
	ImageURLs bool
	// Cache is what generators of the same document share. Default: nothing.
	Cache *Cache
}

// Generator generates values of one schema. It is safe for concurrent use.
type Generator struct {
	schema   *spec.Schema
	options  Options
	root     *node
	relaxed  bool                          // what contradicts the rest of a schema is dropped
	nearest  func() *Generator             // of the same schema, relaxed
	rootSaid func() (*hint, *values.Value) // what name and extensions say of the whole value

	*known
}

// known is what generators of one document share: nodes, which are large, are merged once for all places that lead to
// the same schemas.
type known struct {
	mu      sync.Mutex // guards what follows, and the merging of nodes
	nodes   map[string]*node
	ids     map[*schema.Keywords]int
	scratch []byte
	steps   int // of the search for a place's most shallow value; see maxSearch

	searched int // steps of all searches

	values values.Settings
	origin time.Time
	locale *locales.Locale
}

// Cache is what the generators of one document share. It is safe for concurrent use.
type Cache struct {
	// Values is what a setting says of the document's values. Default: nothing.
	Values values.Settings
	// Origin precedes all generated times, as formats.Faker has it.
	Origin time.Time
	// Locale is what values are of. Default: locales.Default.
	Locale *locales.Locale
	known  sync.Map // by cacheKey
}

// cacheKey is what merging depends on, beside the document.
type cacheKey struct {
	fill              string
	examples, relaxed bool
	direction         spec.Direction
}

func (c *Cache) of(key cacheKey) *known {
	fresh := &known{nodes: map[string]*node{}, ids: map[*schema.Keywords]int{}}
	if c == nil {
		return fresh
	}
	fresh.values, fresh.origin, fresh.locale = c.Values, c.Origin, c.Locale
	shared, _ := c.known.LoadOrStore(key, fresh)
	return shared.(*known)
}

// Error says that no value conforms, or that none was found.
type Error struct {
	Place  exchange.Place // the schema
	Reason string
}

func (e *Error) Error() string {
	where := e.Place.Pointer
	if file := e.Place.String(); file != "" {
		where = strings.TrimSpace(file + " " + where)
	}
	return fmt.Sprintf("no value conforms to the schema at %s: %s", where, e.Reason)
}

// New returns the generator of a schema.
func New(s *spec.Schema, o Options) *Generator { return newGenerator(s, o, false) }

func newGenerator(s *spec.Schema, o Options, relaxed bool) *Generator {
	g := &Generator{
		schema: s, options: o, relaxed: relaxed, known: o.Cache.of(cacheKey{o.Fill, o.Examples, relaxed, s.Direction}),
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.root = g.node([]constraint{{op: conforms, schema: schema.Resolve(s.Keywords)}})
	g.rootSaid = sync.OnceValues(func() (*hint, *values.Value) {
		above, tokens := g.wayTo(s.Keywords)
		about := fields.ThingOf(tokens)
		name, isNamed := about.Name(), false
		if n := len(tokens) - 2; n > 0 && tokens[n-1] == "headers" {
			name, isNamed = tokens[n], true
		} else if n := len(above); n > 0 && above[n-1].Get("name").Str() != "" { // a parameter has it beside its schema
			name, isNamed = above[n-1].Get("name").Str(), true
		}
		h := g.hint(name, about, g.root.constraints)
		if !isNamed {
			isComponent := slices.Contains(tokens, "schemas") || slices.Contains(tokens, "definitions")
			h.Tell(about, !isComponent && schema.CertainTypes(s.Keywords)&schema.String != 0)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		value := g.said(nil, "", g.root.constraints)
		if value != nil {
			h = g.hintOf(value, h)
		}
		return h, value
	})
	g.nearest = sync.OnceValue(func() *Generator { return newGenerator(s, o, true) })
	return g
}

// wayTo returns the nodes of the document above a schema and the tokens that lead to it.
func (g *Generator) wayTo(k *schema.Keywords) (above []*tree.Node, tokens []string) {
	n := g.schema.Node(k)
	if n == nil || n.File == nil {
		return nil, nil
	}
	return n.File.Way(n)
}

const (
	maxAttempts = 24
	// maxSteps bounds the work on the candidates of one value: schemas applied to a value, merged or validated. When it is
	// spent, candidates with nothing optional follow, for as many steps again. Steps are counted and no time is taken, so
	// that a key always gets the same value. Those of the largest real
	// documents take up to 110,000.
	maxSteps = 200_000
)

// Value generates the value of a key. If none conforms, the error is an *Error and the value is one that is near.
func (g *Generator) Value(key Key) (any, error) {
	v, _, err := g.value(key, nil, maxSteps)
	return g.orNearest(v, err, key, nil)
}

// ValueWithin is Value for one of many schemas that share an allowance of steps, of which it takes what it uses; the
// last may use more. With an error it returns no value.
func (g *Generator) ValueWithin(key Key, steps *int) (any, error) {
	searched := g.searched
	v, left, err := g.value(key, nil, maxSteps)
	*steps -= maxSteps - left + g.searched - searched
	return v, err
}

// orNearest returns the nearest value if an error says that none conforms: the candidate that was refused, if there
// is one, else what the relaxed generator makes.
func (g *Generator) orNearest(candidate any, err error, key Key, fill *sent) (any, error) {
	if err == nil || candidate != nil {
		return candidate, err
	}
	r := runs.Get().(*run)
	defer r.release()
	r.begin(g.nearest(), 0, fill)
	r.steps = maxSteps
	v, _ := r.generate(r.g.root, r.start(key))
	return v, err
}

// value returns the first candidate that conforms; with an error the first that was refused, nil if none. It also says
// how many of the steps are left.
func (g *Generator) value(key Key, fill *sent, steps int) (any, int, error) {
	if g.depthOf(g.root) >= impossible {
		return nil, steps, g.impossible()
	}
	attempts := maxAttempts
	if fill != nil {
		attempts /= 4
	}
	r := runs.Get().(*run)
	defer r.release()
	var refused any
	r.steps = steps
	for attempt := 0; attempt < attempts; attempt++ {
		if r.steps <= 0 && attempt > 0 {
			if attempt > maxAttempts/2 || fill != nil {
				break
			}
			attempt, r.steps = maxAttempts/2+1, steps
		}
		r.begin(g, attempt, fill)
		decider := key
		if attempt > 0 {
			decider = key.at(attempt)
		}
		value, ok := r.generate(g.root, r.start(decider))
		if !ok {
			continue
		}
		if !r.unsure {
			return value, r.steps, nil
		}
		if schema.Within(g.schema.Keywords, value, &r.steps) {
			return value, r.steps, nil
		}
		if refused == nil {
			refused = value
		}
	}
	e := &Error{Place: g.schema.Place, Reason: "no candidate was valid"}
	if r.stuck != nil {
		e.Place, e.Reason = g.placeOf(r.stuck), g.reasonOf(r.stuck)
	} else if r.steps <= 0 {
		e.Reason = "none was found in the steps that a value may take"
	} else if k := g.schema.Keywords; !schema.Affordable(k, refused, new(schema.Allowance)) {
		e.Reason = "its candidates take too long to validate"
	} else if refusal := k.Validate(refused); refusal != nil {
		lines := strings.Split(strings.TrimSpace(refusal.Error()), "\n")
		e.Reason = "a candidate was refused: " + strings.TrimPrefix(lines[len(lines)-1], "- ")
	}
	return refused, r.steps, e
}

// impossible says why the whole schema has no value: it follows the first requirement that cannot be met.
func (g *Generator) impossible() *Error {
	n := g.root
	for range maxDepth {
		m := g.see(n)
		if m.shape.reason != "" || m.choice != nil {
			break
		}
		parts := m.shape.parts(g)
		i := slices.IndexFunc(parts, func(part *node) bool { return g.depthOf(part) >= impossible })
		if i < 0 || parts[i] == nil || parts[i] == n {
			break
		}
		n = parts[i]
	}
	return &Error{Place: g.placeOf(n), Reason: g.reasonOf(n)}
}

func (g *Generator) reasonOf(n *node) string {
	m := g.see(n)
	switch {
	case m.shape.reason != "":
		return m.shape.reason
	case m.choice != nil:
		for _, b := range m.choice.branches {
			if reason := g.see(b).shape.reason; reason != "" {
				return "no alternative can be met: " + reason
			}
		}
		return "no alternative can be met"
	case g.depthOf(n) < impossible:
		return "no conforming value was found"
	}
	return "it requires itself without end"
}

func (g *Generator) placeOf(n *node) exchange.Place {
	if n == g.root || len(n.constraints) == 0 || n.constraints[0].schema == nil {
		return g.schema.Place
	}
	k := n.constraints[0].schema
	return cmp.Or(g.schema.Node(k).Place(), exchange.Place{Pointer: k.Location})
}

// Key decides a value: the same key leads to the same value, wherever and whenever
// it is used. Keys of neighbouring places are unrelated.
type Key uint64

// NewKey returns the key of a seed and of everything that the value may depend on:
// the operation, path parameters, the status.
func NewKey(seed uint64, parts ...string) Key {
	k := Key(formats.Mix(seed ^ formats.Increment))
	for _, part := range parts {
		k = k.Child(part)
	}
	return k
}

// Child returns the key of the place that token leads to, a token of a JSON Pointer.
func (k Key) Child(token string) Key {
	h := uint64(fnvOffset)
	for i := range len(token) {
		h = (h ^ uint64(token[i])) * fnvPrime
	}
	return Key(formats.Mix(uint64(k)*formats.Increment + h))
}

// at returns the key of the n-th of several decisions at one place.
func (k Key) at(n int) Key { return Key(formats.Mix(uint64(k) + formats.Increment*uint64(n+1))) }

// intN returns a number from 0 to n-1; n must be positive.
func (k Key) intN(n int) int { return int(formats.Mix(uint64(k)^fnvOffset) % uint64(n)) }

// The constants of FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)
