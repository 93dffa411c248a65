// Package lazyregexp compiles regular expressions at their first use. Compiling package variables at start would take
// 3 % of the CPU time until the Plant Store is served, which uses hardly any of them.
package lazyregexp

import (
	"regexp"
	"sync/atomic"
)

// Regexp is a regular expression that is compiled at its first use.
type Regexp struct {
	text string
	read atomic.Pointer[regexp.Regexp]
}

// New returns a regular expression. As a package variable it costs nothing at start.
func New(text string) *Regexp { return &Regexp{text: text} }

// Get returns the compiled expression. It panics if the text is invalid.
func (r *Regexp) Get() *regexp.Regexp {
	compiled := r.read.Load()
	if compiled == nil {
		compiled = regexp.MustCompile(r.text)
		r.read.Store(compiled)
	}
	return compiled
}
