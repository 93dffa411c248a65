package respond

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// Body makes the bodies of one media type of one documented response.
type Body struct {
	media       *spec.MediaType
	options     generate.Options
	examples    string // as Options
	keyed       string // the first media type of a response: all describe the same thing
	encoder     func() *decode.Encoder
	view        func() *View
	items       func() *generate.Generator // of a sequential media type; nil if they have no schema
	pathValues  func() []pathValue
	projections sync.Map // *spec.MediaType of a request → *projection
	written     sync.Map // *spec.Example → its bytes
}

func newBody(o *spec.Operation, media, first *spec.MediaType, options generate.Options, examples string) *Body {
	return &Body{
		keyed:      first.Range,
		media:      media,
		options:    options,
		examples:   examples,
		encoder:    sync.OnceValue(func() *decode.Encoder { return decode.NewEncoder(media) }),
		view:       sync.OnceValue(func() *View { return NewView(media.Schema, options) }),
		items:      generatorOf(media.Item, options),
		pathValues: sync.OnceValue(func() []pathValue { return pathValues(o, media) }),
	}
}

func generatorOf(s *spec.Schema, options generate.Options) func() *generate.Generator {
	return sync.OnceValue(func() *generate.Generator {
		if s == nil {
			return nil
		}
		return generate.New(s, options)
	})
}

// Example returns the documented example of a name, "" for the first, that may be an
// answer; nil if none.
func (b *Body) Example(name string) *spec.Example {
	for _, e := range b.media.Examples {
		if (name == "" || e.Name == name) && Servable(e, b.examples) {
			return e
		}
	}
	return nil
}

// exampleBytes returns an example as a body, which is written once and not to be changed. An answer with one of 20 kB
// takes 8 µs, and 30 times as long without this (BenchmarkLargeExample).
func (b *Body) exampleBytes(e *spec.Example) ([]byte, bool) {
	if known, ok := b.written.Load(e); ok {
		return known.([]byte), true
	}
	var body []byte
	if text, ok := e.Value.(string); ok && !b.media.IsJSON() {
		body = []byte(text)
	} else {
		var err error
		if body, _, err = b.encoder().Encode(b.media.Concrete(), e.Value); err != nil {
			return nil, false
		}
	}
	b.written.Store(e, body)
	return body, true
}

// Servable reports whether an example may be an answer, by Options.Examples.
func Servable(e *spec.Example, examples string) bool {
	return examples == "as-is" || examples == "valid" && len(e.Broken) == 0
}

// unknownExample refuses a request for an example that is not to be served. It says
// which can be asked for, and why others cannot.
func (b *Body) unknownExample(q *Request, status int, name string) *Refusal {
	var servable, broken []string
	for _, e := range b.media.Examples {
		switch {
		case e.Name == "":
		case Servable(e, b.examples):
			servable = append(servable, e.Name)
		default:
			broken = append(broken, e.Name)
		}
	}
	text := "there is none"
	if len(servable) > 0 {
		text = "there are " + strings.Join(servable, ", ")
	}
	switch {
	case len(broken) == 0:
	case b.examples == "off":
		text += "; examples are off (option examples)"
	default:
		text += "; not served, as they break their schema: " + strings.Join(broken, ", ")
	}
	return RefusePreference(q.Preferences.Finding(prefer.Example, "unknown-example",
		fmt.Sprintf("status %d has no example %q to serve; %s", status, name, text)))
}

// defaultCount is how many items a stream has if the request does not say.
const defaultCount = 3

// Generate makes a body: what the request says of it stands in it, the key decides
// the rest. It reports whether the body has as many items as the request prefers. Where no body conforms, it is one
// that is near.
func (b *Body) Generate(q *Request, key generate.Key) (value any, counted bool) {
	count, asked := defaultCount, q.Preferences.Has(prefer.Count)
	if asked {
		count = q.Preferences.Count
	}
	if b.media.Item != nil {
		items := b.sequence(key, count)
		if b.media.Schema == nil || b.media.Conforms(items) {
			return items, asked
		}
		// The schema has constraints on the whole that single items cannot meet.
	}
	if have, unsent := b.derived(q); len(have) > 0 {
		value, _ = b.View().Fill(key, have, unsent...)
	} else {
		value = b.value(key)
	}
	if _, changes := q.change(); asked && !changes {
		more := func(i int) any { return b.value(key.Child("more").Child(strconv.Itoa(i))) }
		return b.resized(q, key, value, more)
	}
	return value, false
}

// Event returns one more event of a stream, by its number: a value for each depends on the request and the number.
func (b *Body) Event(q *Request, number int) []byte {
	one := *q
	one.Preferences = q.Preferences.With(1)
	value, _ := b.Generate(&one, b.Key(q, 200).Child("event").Child(strconv.Itoa(number)))
	text, _, err := b.encoder().Encode(b.media.Concrete(), value)
	if err != nil {
		return []byte(":\n\n")
	}
	return text
}

// View returns how the body shows an object.
func (b *Body) View() *View { return b.view() }

func (b *Body) value(key generate.Key) any {
	switch {
	case b.media.Schema != nil:
		value, _ := b.View().generator().Value(key)
		return value
	case b.media.IsJSON() || b.media.Type == "*":
		return map[string]any{}
	}
	return ""
}

// sequence makes the items of a sequential media type, each by its own key.
func (b *Body) sequence(key generate.Key, count int) []any {
	items := make([]any, count)
	for i := range items {
		items[i], _ = b.items().Value(key.Child(strconv.Itoa(i)))
	}
	return items
}
