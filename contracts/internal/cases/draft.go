package cases

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
)

// draft is a request in values, before it is written. Makers copy one and change a place of it.
type draft struct {
	values map[*parameter]any // those that are sent
	own    map[string]bool    // path variables that the case varies: no item's key takes their place
	body   *body              // nil: none is sent
	value  any                // of the body; shared, so never changed in place
	have   map[string]any     // properties of the body that refer to items which exist
	unique any                // value of the parameter that hints call unique, while nobody has changed it
}

func (d *draft) clone() *draft {
	c := *d
	c.values, c.own = maps.Clone(d.values), maps.Clone(d.own)
	return &c
}

func (d *draft) with(b *body, value any) *draft {
	c := d.clone()
	c.body, c.value = b, value
	return c
}

// draft makes a plain request: required parameters, and a body with what is required if one is documented,
// with the values of have if it has properties of their names.
func (m *Builder) draft(key generate.Key, have map[string]any) (*draft, error) {
	return m.draftFrom(m.source.examples(), key, have)
}

func (m *Builder) draftFrom(examples bool, key generate.Key, have map[string]any) (*draft, error) {
	d := &draft{values: map[*parameter]any{}, own: map[string]bool{}, have: have}
	for _, p := range m.parameters {
		if !p.Required && p.given() == nil && !slices.Contains(m.Needs(), p.In+"."+p.Name) {
			continue
		}
		own, exampled := key.Child(p.In).Child(p.Name), examples
		if p.same != nil && p.Name != m.hints.Unique && !slices.Contains(m.hints.Opaque, p.Name) {
			own, exampled = *p.same, true
		}
		value, err := p.valueFrom(exampled, own)
		if err != nil {
			return nil, err
		}
		d.values[p] = value
		if p.Name == m.hints.Unique {
			d.unique = value
		}
	}
	if len(m.bodies) == 0 {
		return d, nil
	}
	d.body = m.bodies[0]
	var err error
	d.value, err = d.body.makeFrom(examples, key.Child("body"), have, "required")
	return d, err
}

func (p *parameter) value(key generate.Key) (any, error) { return p.valueFrom(false, key) }

// errNull is why a parameter that is text cannot have a value: see proposeNull.
var errNull = errors.New("text has no null")

func (p *parameter) valueFrom(examples bool, key generate.Key) (any, error) {
	if given := p.given(); given != nil {
		return expanded(given, key), nil
	}
	g := p.generator
	if g == nil {
		return "text", nil
	}
	if examples {
		g = p.exampled
	}
	var value any
	var err error
	for i := range attempts {
		if value, err = g.Value(key.Child(fmt.Sprint(i))); err != nil {
			break
		}
		if value == nil && p.Content == nil {
			err = errNull
			continue
		}
		if _, err = p.encode(value); err == nil {
			return p.withUniqueSuffix(value, key), nil
		}
	}
	return nil, fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
}

// withUniqueSuffix returns a value an end of its own, if no two requests may have the same.
func (p *parameter) withUniqueSuffix(value any, key generate.Key) any {
	text, ok := value.(string)
	if !p.once || !ok {
		return value
	}
	room, _ := freeLength(combined(p.schema.Keywords))
	withSuffix := (&naturalKey{room: room}).withSuffix(strings.ReplaceAll(text, " ", "-"), key)
	if room == 0 || !spec.Conforms(p.schema.Keywords, withSuffix) {
		return value
	}
	return withSuffix
}

// write writes a draft. Variables of the path that are not the case's own stay in braces.
func (m *Builder) write(d *draft) (*exchange.Request, error) {
	r := &exchange.Request{Method: m.operation.Method, Path: m.operation.Template()}
	for _, p := range m.parameters {
		value, sent := d.values[p]
		if !sent || p.In == exchange.InPath && !d.own[p.Name] {
			continue
		}
		text, err := p.encode(value)
		if errors.Is(err, decode.ErrOmitted) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
		}
		request.Place(r, p.Parameter, text)
	}
	if d.body != nil {
		value := d.value
		if !d.body.IsJSON() {
			value = inDecimal(value)
		}
		text, contentType, err := d.body.encoder.Encode(d.body.Concrete(), value)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		r.Body = text
		r.Header.Set("Content-Type", contentType)
	}
	m.distinguish(d, r)
	return r, nil
}

// distinguish returns a request a key of its own if it needs one, unless the case is about that key.
func (m *Builder) distinguish(d *draft, r *exchange.Request) {
	if m.hints.Unique == "" {
		return
	}
	for p, value := range d.values {
		if p.Name != m.hints.Unique || p.In != exchange.InHeader || d.unique != nil && !reflect.DeepEqual(value, d.unique) ||
			!p.takes(value) {
			continue
		}
		sum := sha256.Sum256(append([]byte(r.Method+r.Path+"?"+r.Query+"\n"), r.Body...))
		for _, text := range []string{
			fmt.Sprintf("%x-%x-4%03x-8%03x-%x", sum[:4], sum[4:6], int(sum[6])<<4|int(sum[7])>>4,
				int(sum[8])<<4|int(sum[9])>>4, sum[10:16]),
			fmt.Sprintf("%x", sum[:12]), fmt.Sprintf("%x", sum[:4]),
		} {
			if p.takes(text) {
				r.Header.Set(p.Name, text)
				return
			}
		}
	}
}

func (m *Builder) texts(d *draft) map[string]string {
	texts := map[string]string{}
	for _, p := range m.parameters {
		if value, sent := d.values[p]; sent && p.In == exchange.InPath {
			if text, err := p.encode(value); err == nil {
				texts[p.Name] = text
			}
		}
	}
	return texts
}

// codeOtherOperation says that a request which does not fit an operation fits another one of the same method and path,
// so that a backend need not refuse it.
const codeOtherOperation = "other-operation"

// findings returns what the contract holds against a finished request.
func (m *Builder) findings(d *draft, r *exchange.Request) []exchange.Finding {
	texts := m.texts(d)
	path := make([]string, len(m.variables))
	for i, name := range m.variables {
		path[i] = texts[name]
	}
	_, findings := m.validator.Request(r, path)
	for _, other := range m.others {
		if len(findings) == 0 {
			break
		}
		if _, against := other.Request(r, path); len(against) == 0 {
			return []exchange.Finding{{Code: codeOtherOperation, Message: "the request is one to " + other.Name(),
				In: exchange.InRequest}}
		}
	}
	return findings
}

// accepted makes the case of a draft that conforms. varies is the place that
// differs from a plain request, "" if none.
func (m *Builder) accepted(d *draft, title, varies string) (*Case, error) {
	r, err := m.write(d)
	if err != nil {
		return nil, err
	}
	if findings := m.findings(d, r); len(findings) > 0 {
		return nil, fmt.Errorf("no conforming request was found: %s", exchange.Join(findings))
	}
	c := m.newCase(d, r, title)
	if !d.uncertain() {
		c.Expected, c.Varied = Accepted, varies
	}
	return c, nil
}

func (m *Builder) newCase(d *draft, r *exchange.Request, title string) *Case {
	c := &Case{Operation: m.operation, Title: title, Request: r, Path: m.texts(d), Credentials: m.Credentials(),
		made: again{draft: d}}
	if d.body != nil {
		c.Value = d.value
		c.Uncertainty = d.danglingReference()
		if d.body.encoder.IsGuess() {
			c.Uncertainty = "the document does not say how " + d.body.Range + " writes the body"
		}
	}
	for p := range d.values {
		if slices.Contains(m.hints.Opaque, p.Name) {
			c.Uncertainty = p.In + "." + p.Name + " is made up"
		}
	}
	return c
}

// danglingReference names a property of the body that should refer to an item which exists,
// and does not any more.
func (d *draft) danglingReference() string {
	object, ok := d.value.(map[string]any)
	if !ok {
		return ""
	}
	for _, from := range []map[string]any{d.have, d.body.source.given()} {
		for name, value := range from {
			if now, has := object[name]; has && !isTemplate(value) && !reflect.DeepEqual(now, value) {
				return "body." + name + " refers to something that may not exist"
			}
		}
	}
	return ""
}
