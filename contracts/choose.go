package contracts

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// choice says which operations are tested.
type choice struct{ include, exclude []pattern }

// pattern is one of Options.Operations, read.
type pattern struct {
	text   string
	tag    string // "" for a pattern of method and path, or of an operationId
	method string // "" for any
	name   string // of the path or the operationId; "" for any
}

func newChoice(patterns []string) (*choice, error) {
	c := &choice{}
	for _, text := range patterns {
		rest, exclude := strings.CutPrefix(strings.TrimSpace(text), "!")
		p := pattern{text: text}
		if tag, ok := strings.CutPrefix(rest, "tag:"); ok {
			p.tag = tag
		} else if method, path, ok := strings.Cut(rest, " "); ok {
			p.method, p.name = strings.ToUpper(method), strings.TrimSpace(path)
		} else if rest != "" && rest == strings.ToUpper(rest) && !strings.ContainsAny(rest, "/*") {
			p.method = rest
		} else {
			p.name = rest
		}
		if p.tag == "" && p.method == "" && p.name == "" {
			return nil, fmt.Errorf("operation %q: want a path, METHOD path, an operationId or tag:NAME", text)
		}
		if exclude {
			c.exclude = append(c.exclude, p)
		} else {
			c.include = append(c.include, p)
		}
	}
	return c, nil
}

// takes reports whether an operation is tested.
func (c *choice) takes(o *spec.Operation) bool {
	for _, p := range c.exclude {
		if p.matches(o) {
			return false
		}
	}
	for _, p := range c.include {
		if p.matches(o) {
			return true
		}
	}
	return len(c.include) == 0
}

func (p *pattern) matches(o *spec.Operation) bool {
	if p.tag != "" {
		for _, tag := range o.Tags {
			if glob(p.tag, tag) {
				return true
			}
		}
		return false
	}
	if p.method != "" && p.method != "*" && p.method != strings.ToUpper(o.Method) {
		return false
	}
	return p.name == "" || glob(p.name, o.Path) || p.method == "" && glob(p.name, o.ID)
}

// glob reports whether a text is what a pattern says, in which "*" stands for
// any characters, "/" among them.
func glob(pattern, text string) bool {
	head, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	if !ok {
		return false
	}
	for {
		middle, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, rest)
		}
		at := strings.Index(text, middle)
		if at < 0 {
			return false
		}
		text, rest = text[at+len(middle):], after
	}
}
