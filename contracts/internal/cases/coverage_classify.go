package cases

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// classified makes the case of a finished request, nil where the request is not
// what was wanted. only says that it breaks just what it is meant to, if anything.
func (c *coverage) classified(p *proposal, d *draft, r *exchange.Request, title string) (made *Case, only bool) {
	if p.want == Accepted && p.edit == nil && p.site.parameter != nil && p.site.parameter.Name == c.hints.Unique {
		title = p.title() // what is sent has another value, which no other request has
		if p.what != givenAlone {
			return nil, false
		}
	}
	switch p.want {
	case Anything:
		return c.newCase(d, r, title), true
	case Accepted:
		return c.conforming(p, d, r, title), true
	}
	return c.violating(p, d, r, title)
}

// conforming makes a case that is accepted; nil where the request does not conform.
func (c *coverage) conforming(p *proposal, d *draft, r *exchange.Request, title string) *Case {
	if len(c.findings(d, r)) > 0 {
		return nil
	}
	made := c.newCase(d, r, title)
	if refers := c.refersToItem(p); !refers || p.site.parameter == nil {
		made.Expected, made.Varied = Accepted, p.where()
		if refers && made.Uncertainty == "" {
			made.Uncertainty = p.where() + " may refer to something that does not exist"
		}
	}
	return made
}

// violating makes a case that is refused; nil where the request does not break
// what it is meant to.
func (c *coverage) violating(p *proposal, d *draft, r *exchange.Request, title string) (made *Case, only bool) {
	findings := c.findings(d, r)
	about := p.site.place(p.token)
	meant := -1
	for i := range findings {
		if !isAbout(&findings[i], &about) || slices.Contains(limitCodes, findings[i].Code) {
			return nil, false
		}
		if meant < 0 && (p.code == "" || findings[i].Code == p.code) {
			meant = i
		}
	}
	if len(findings) == 0 || meant < 0 && !slices.Contains(choiceCodes, findings[0].Code) {
		return nil, false
	}
	made = c.newCase(d, r, title)
	made.Expected, made.Violation = Refused, &findings[max(meant, 0)]
	if p.edit != nil { // where exactly a reader stumbles does not matter
		made.Violation.Pointer = about.Pointer
	}
	return made, len(findings) == 1 && meant == 0
}

// choiceCodes are the findings of choices, which stand for those of what is chosen
// from.
var choiceCodes = []string{"one-of", "any-of", "not", "contains", "if", "then", "else"}

// limitCodes are the findings of what the validator does not read, which others
// may.
var limitCodes = []string{jsontext.CodeDepth, jsontext.CodeNumberTooBig, jsontext.CodeDuplicate, decode.CodeTooManyValues, decode.CodeBodyTooLarge, "too-complex"}

// isAbout reports whether a finding is about a place, something within it, or
// the choice that the place is part of.
func isAbout(f, about *exchange.Finding) bool {
	if about.In == exchange.InRequest {
		return true
	}
	return f.In == about.In && f.Name == about.Name && (within(f.Pointer, about.Pointer) ||
		within(about.Pointer, f.Pointer))
}

func within(inner, outer string) bool {
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (rest == "" || rest[0] == '/')
}

// referenceSuffixes are the ends of names of properties that refer to something.
var referenceSuffixes = []string{"Id", "ID", "_id", "-id", "Ids", "_ids", "Uuid", "_uuid", "Ref", "_ref", "Href"}

// refersToItem reports whether the proposal changes what refersToItem to something that may
// not exist, so that a refusal may be right.
func (c *coverage) refersToItem(p *proposal) bool {
	for _, name := range append(p.site.names(), p.token) {
		if _, ok := c.have[name]; ok || name == "id" && len(c.variables) > 0 {
			return true
		}
		if p.site.parameter != nil && unguessable(p.site.parameter) {
			return true
		}
		if slices.ContainsFunc(referenceSuffixes, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return true
		}
	}
	return false
}

// unguessable reports whether only the backend knows what is right: the cursor
// of a page, the state of an item.
func unguessable(p *parameter) bool {
	name := strings.ToLower(p.Name)
	for _, part := range []string{"cursor", "token", "after", "before", "continu", "marker", "if-", "etag", "signature",
		"digest"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
