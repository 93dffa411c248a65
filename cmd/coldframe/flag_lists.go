package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/nearest"
)

// named is the value of a flag that names some of a few things, with commas
// between; given several times it names all of them.
type named struct {
	to    *[]string
	form  string
	known []string
}

func (l *named) String() string { return "" }

func (l *named) Type() string { return l.form }

func (l *named) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		bare := strings.TrimPrefix(word, "!")
		if !slices.Contains(l.known, bare) {
			if meant := nearest.Hint(bare, l.known); meant != "" {
				return fmt.Errorf("%q is not known%s", bare, meant)
			}
			return fmt.Errorf("%q is none of %s", bare, strings.Join(l.known, ", "))
		}
		*l.to = append(*l.to, word)
	}
	return nil
}

// without gives what names choose: those that are named, or all where none is,
// but for those that are left out with "!".
func without(names, all []string) []string {
	var chosen []string
	for _, name := range names {
		if !strings.HasPrefix(name, "!") {
			chosen = append(chosen, name)
		}
	}
	if chosen == nil {
		chosen = slices.Clone(all)
	}
	return slices.DeleteFunc(chosen, func(name string) bool { return slices.Contains(names, "!"+name) })
}

// repeated is the value of a flag that is given once for each thing. In the
// environment there is one a line.
type repeated struct {
	to   *[]string
	form string
}

func (r *repeated) String() string { return "" }

func (r *repeated) Type() string { return r.form }

func (r *repeated) Set(text string) error {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			*r.to = append(*r.to, line)
		}
	}
	return nil
}

// pairs are names and values; in the environment there is one a line. What is
// wrong with one is said without its value, which may be a secret.
type pairs struct {
	form, separator string
	all             [][2]string
}

func (p *pairs) String() string { return "" }

func (p *pairs) Type() string { return p.form }

func (p *pairs) Set(text string) error {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, p.separator)
		if name = strings.TrimSpace(name); !ok || name == "" || p.separator == ":" &&
			strings.ContainsAny(name, " \t\"(),/;<=>?@[\\]{}") {
			return errors.New("want " + p.form)
		}
		p.all = append(p.all, [2]string{name, strings.TrimSpace(value)})
	}
	return nil
}

func (p *pairs) values() map[string]string {
	values := make(map[string]string, len(p.all))
	for _, pair := range p.all {
		values[pair[0]] = pair[1]
	}
	return values
}

func (p *pairs) header() http.Header {
	header := http.Header{}
	for _, pair := range p.all {
		header.Add(pair[0], pair[1])
	}
	return header
}
