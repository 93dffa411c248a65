package cases

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// judged makes the case of a finished request, if it is what was wanted.
func (c *coverage) judged(p *proposal, d *draft, r *exchange.Request, title string) (made *Case, only bool) {
	if p.want == Accepted && p.edit == nil && p.site.parameter != nil && p.site.parameter.Name == c.hints.Unique {
		title = p.title() // what is sent has another value, which no other request has
		if p.what != givenAlone {
			return nil, false
		}
	}
	if p.want == Anything {
		return c.newCase(d, r, title), true
	}
	findings := c.findings(d, r)
	if p.want == Accepted {
		if len(findings) > 0 {
			return nil, false
		}
		made = c.newCase(d, r, title)
		switch {
		case !c.refers(p):
			made.Expected, made.Varied = Accepted, p.where()
		case p.site.parameter == nil: // what is accepted is still held to what was sent
			made.Expected, made.Varied = Accepted, p.where()
			if made.Uncertainty == "" {
				made.Uncertainty = p.where() + " may refer to something that does not exist"
			}
		}
		return made, true
	}
	about := p.site.place(p.token)
	broken := -1
	for i := range findings {
		if !concerns(&findings[i], &about) || slices.Contains(limits, findings[i].Code) {
			return nil, false
		}
		if broken < 0 && (p.code == "" || findings[i].Code == p.code) {
			broken = i
		}
	}
	if len(findings) == 0 || broken < 0 && !slices.Contains(choosing, findings[0].Code) {
		return nil, false
	}
	only = len(findings) == 1 && broken == 0
	made = c.newCase(d, r, title)
	made.Expected, made.Violation = Refused, &findings[max(broken, 0)]
	if p.edit != nil { // where exactly a reader stumbles does not matter
		made.Violation.Pointer = about.Pointer
	}
	return made, only
}

// choosing are the findings of choices, which stand for those of what is chosen
// from.
var choosing = []string{"one-of", "any-of", "not", "contains", "if", "then", "else"}

// limits are the findings of what the validator does not read, which others
// may.
var limits = []string{jsontext.CodeDepth, jsontext.CodeNumberTooBig, jsontext.CodeDuplicate, decode.CodeTooManyValues, decode.CodeBodyTooLarge, "too-complex"}

// concerns reports whether a finding is about a place, something within it, or
// the choice that the place is part of.
func concerns(f, about *exchange.Finding) bool {
	if about.In == exchange.InRequest {
		return true
	}
	return f.In == about.In && f.Name == about.Name && (within(f.Pointer, about.Pointer) || within(about.Pointer, f.Pointer))
}

func within(inner, outer string) bool {
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (rest == "" || rest[0] == '/')
}

// references are the ends of names of properties that refer to something.
var references = []string{"Id", "ID", "_id", "-id", "Ids", "_ids", "Uuid", "_uuid", "Ref", "_ref", "Href"}

// refers reports whether the proposal changes what refers to something that may
// not exist, so that a refusal may be right.
func (c *coverage) refers(p *proposal) bool {
	for _, name := range append(p.site.names(), p.token) {
		if _, ok := c.have[name]; ok || name == "id" && len(c.variables) > 0 {
			return true
		}
		if p.site.parameter != nil && unguessable(p.site.parameter) {
			return true
		}
		if slices.ContainsFunc(references, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return true
		}
	}
	return false
}

// unguessable reports whether only the backend knows what is right: the cursor
// of a page, the state of an item.
func unguessable(p *parameter) bool {
	name := strings.ToLower(p.Name)
	for _, part := range []string{"cursor", "token", "after", "before", "continu", "marker", "if-", "etag", "signature", "digest"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
