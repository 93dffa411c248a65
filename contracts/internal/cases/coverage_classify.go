package cases

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// classified makes the case of a finished request, nil if the request is not
// what was wanted. only says that it breaks just what it is meant to, if anything.
func (c *coverage) classified(p *proposal, d *draft, r *exchange.Request, title string) (made *Case, only bool) {
	switch p.want {
	case Anything:
		return c.newCase(d, r, title), true
	case Accepted:
		return c.conforming(p, d, r, title), true
	}
	return c.violating(p, d, r, title)
}

func (c *coverage) conforming(p *proposal, d *draft, r *exchange.Request, title string) *Case {
	s := p.site
	if p.edit == nil && s.parameter != nil && s.parameter.Name == c.hints.Unique {
		if p.what != givenAlone && p.basis != Bound {
			return nil
		}
		if p.what == givenAlone {
			title = p.title() // what is sent has another value, which no other request has
		}
	}
	if len(c.findings(d, r)) > 0 {
		return nil
	}
	made := c.newCase(d, r, title)
	where := s.at(p.token).Where()
	switch refers := c.refersToItem(p); {
	case s.parameter != nil && len(s.tokens) == 0 && s.parameter.Content == nil && d.values[s.parameter] == "":
		return made // no text may stand for no value
	case refers && s.parameter != nil:
		return made
	case refers && made.Uncertainty == "":
		made.Uncertainty = where + " may refer to something that does not exist"
	}
	made.Expected, made.Varied, made.Basis = Accepted, where, p.basis
	return made
}

func (c *coverage) violating(p *proposal, d *draft, r *exchange.Request, title string) (made *Case, only bool) {
	findings := c.findings(d, r)
	about := p.site.at(p.token)
	if slices.ContainsFunc(findings, func(f exchange.Finding) bool {
		return !isAbout(&f, &about) || slices.Contains(limitCodes, f.Code)
	}) {
		return nil, false
	}
	meant := slices.IndexFunc(findings, func(f exchange.Finding) bool { return p.code == "" || f.Code == p.code })
	if len(findings) == 0 || meant < 0 && !slices.Contains(choiceCodes, findings[0].Code) {
		return nil, false
	}
	made = c.newCase(d, r, title)
	made.Expected, made.Violation = Refused, &findings[max(meant, 0)]
	made.Lenient = p.lenient || len(r.Body) > 0 && about.In == exchange.InBody && d.body != nil &&
		d.body.encoder.IsGuess()
	if p.edit != nil { // where exactly a reader stumbles does not matter
		made.Violation.Pointer = about.Pointer
	}
	return made, len(findings) == 1 && meant == 0
}

var (
	// choiceCodes are the codes of findings on choices, which stand for the findings on the alternatives.
	choiceCodes = []string{"one-of", "any-of", "not", "contains", "if", "then", "else"}
	// limitCodes are the findings of what the validator does not read, which others may.
	limitCodes = []string{codeOtherOperation, jsontext.CodeDepth, jsontext.CodeNumberTooBig, jsontext.CodeDuplicate, decode.CodeTooManyValues,
		decode.CodeBodyTooLarge, spec.CodeTooComplex}
	// referenceWords end names of properties that refer to something.
	referenceWords = words.RoleOf("reference-word")
)

// isAbout reports whether a finding concerns a place, something within it, or
// the choice that the place is part of.
func isAbout(f, about *exchange.Finding) bool {
	return about.In == exchange.InRequest || f.In == about.In && f.Name == about.Name &&
		(within(f.Pointer, about.Pointer) || within(about.Pointer, f.Pointer))
}

func within(inner, outer string) bool {
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (rest == "" || rest[0] == '/')
}

// refersToItem reports whether the proposal changes what refers to something that
// may not exist, so that a refusal may be right.
func (c *coverage) refersToItem(p *proposal) bool {
	s := p.site
	names := append(slices.Clone(s.tokens[max(0, len(s.tokens)-2):]), p.token)
	if s.parameter != nil {
		if unguessable(s.parameter) {
			return true
		}
		names = append(names, s.parameter.Name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := c.have[name]
		return ok || name == "id" && len(c.variables) > 0 || isReference(name)
	})
}

// isReference reports whether the last name on the way to a site is one of a reference.
func (s *site) isReference() bool {
	return slices.ContainsFunc(s.tokens[max(0, len(s.tokens)-1):], isReference)
}

func isReference(name string) bool {
	own := naming.Words(name)
	return len(own) > 1 && referenceWords.Has(naming.Singular(own[len(own)-1]))
}

// unguessable reports whether only the backend knows a right value of a parameter: the cursor of a page, the state of
// an item (RFC 9110 section 13.1).
func unguessable(p *parameter) bool {
	own := naming.Words(p.Name)
	return len(own) > 1 && own[0] == "if" && p.In == exchange.InHeader ||
		slices.ContainsFunc(own, func(word string) bool { return words.Parts.Has(word, "unguessable") })
}
