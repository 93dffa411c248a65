// Package request generates conforming requests to an operation from the document alone. Values depend on a key.
package request

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// Builder makes requests to one operation. It is safe for concurrent use.
type Builder struct {
	operation  *spec.Operation
	parameters []parameter     // required parameters
	media      *spec.MediaType // of the body; nil if none is sent
	encoder    *decode.Encoder
	body       *generate.Generator // nil if the body has no schema
}

// parameter is a parameter with the generator of its values, nil if any text will do.
type parameter struct {
	*spec.Parameter
	generator *generate.Generator
}

// New compiles the generators of an operation's values. The body has the first JSON media type, else the first one.
func New(o *spec.Operation, options generate.Options) *Builder {
	b := &Builder{operation: o}
	for _, p := range o.Parameters {
		bound := parameter{Parameter: p}
		if schema := p.ValueSchema(); schema != nil {
			// an object without properties has no text
			bound.generator = generate.New(schema, generate.Options{Examples: options.Examples})
		}
		if p.Required {
			b.parameters = append(b.parameters, bound)
		}
	}
	if o.Body == nil || len(o.Body.Content) == 0 {
		return b
	}
	b.media = o.Body.Content[max(slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON), 0)]
	b.encoder = decode.NewEncoder(b.media)
	if b.media.Schema != nil {
		b.body = generate.New(b.media.Schema, options)
	}
	return b
}

// Valid returns a conforming request: required parameters, well-formed credentials, and a documented body. The error
// names the parameter or body for which no conforming value can be generated.
func (b *Builder) Valid(key generate.Key) (*exchange.Request, error) {
	return b.ValidWith(key, nil)
}

// Sample returns the conforming request that help and pages show.
func Sample(o *spec.Operation) (*exchange.Request, error) {
	return New(o, generate.Options{Fill: "required", Examples: true}).Valid(generate.NewKey(0, "curl", o.ID))
}

// Media returns the media type of the bodies; nil if none is sent.
func (b *Builder) Media() *spec.MediaType { return b.media }

// ValidWith is like Valid, but uses the values in have for properties of the body if they conform.
func (b *Builder) ValidWith(key generate.Key, have map[string]any) (*exchange.Request, error) {
	r := &exchange.Request{Method: b.operation.Method, Path: b.operation.Template()}
	b.authenticate(r)
	for _, p := range b.parameters {
		text, err := p.text(key.Child(p.In).Child(p.Name))
		if err != nil {
			return nil, err
		}
		Place(r, p.Parameter, text)
	}
	if b.media == nil {
		return r, nil
	}
	var value any = map[string]any{}
	var err error
	switch {
	case b.body != nil && len(have) == 0:
		value, err = b.body.Value(key.Child("body"))
	case b.body != nil:
		value, err = b.body.Fill(key.Child("body"), have)
	case !b.media.IsJSON():
		value = "text"
	}
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return r, b.SetBody(r, value)
}

// SetBody writes a value as the body of a request.
func (b *Builder) SetBody(r *exchange.Request, value any) error {
	body, contentType, err := b.encoder.Encode(b.media.Concrete(), value)
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	r.Body = body
	r.Header.Set("Content-Type", contentType)
	return nil
}

// text returns a parameter's value in its style. Some values have no text: an empty list is represented by omitting
// the parameter.
func (p *parameter) text(key generate.Key) (text string, err error) {
	const attempts = 20
	for i := range attempts {
		var value any = "text"
		if p.generator != nil {
			if value, err = p.generator.Value(key.Child(fmt.Sprint(i))); err != nil {
				return "", fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
			}
		}
		if text, err = decode.Encode(p.Parameter, value); err == nil {
			return text, nil
		}
	}
	return "", err
}

// Place adds a parameter's text, as returned by decode.Encode, to a request.
func Place(r *exchange.Request, p *spec.Parameter, text string) {
	switch p.In {
	case exchange.InPath:
		r.Path = strings.ReplaceAll(r.Path, "{"+p.Name+"}", text)
	case exchange.InHeader:
		r.Header = append(r.Header, exchange.Field{Name: p.Name, Value: text})
	case exchange.InCookie:
		if before, ok := r.Header.Get("Cookie"); ok {
			text = before + "; " + text
		}
		r.Header.Set("Cookie", text)
	default:
		if r.Query != "" {
			r.Query += "&"
		}
		r.Query += text
	}
}

// authenticate adds credentials for the operation's first alternative.
func (b *Builder) authenticate(r *exchange.Request) {
	if len(b.operation.Security) == 0 {
		return
	}
	for _, need := range b.operation.Security[0] {
		switch s := need.Scheme; {
		case s.Type == "mutualTLS":
		case s.Type == "apiKey":
			text := "key"
			if s.In != exchange.InHeader {
				text = s.Name + "=key"
			}
			if !placed(r, s, text) {
				Place(r, &spec.Parameter{Name: s.Name, In: s.In}, text)
			}
		case s.Type == "http" && s.Scheme == "basic":
			r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("user:password")))
		case s.Type == "http" && s.Scheme != "bearer":
			r.Header.Set("Authorization", s.Scheme+" credentials")
		default:
			r.Header.Set("Authorization", "Bearer token")
		}
	}
}

// placed reports whether a request already has the key of another scheme in the place of this one's.
func placed(r *exchange.Request, s *spec.SecurityScheme, text string) bool {
	_, inHeader := r.Header.Get(s.Name)
	cookie, _ := r.Header.Get("Cookie")
	switch s.In {
	case exchange.InHeader:
		return inHeader
	case exchange.InCookie:
		return slices.Contains(strings.Split(cookie, "; "), text)
	}
	return slices.Contains(strings.Split(r.Query, "&"), text)
}
