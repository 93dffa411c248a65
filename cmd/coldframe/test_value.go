package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/spec"
)

// listed is the value of a flag that names some of a few things, with commas
// between; given several times it names all of them.
type listed struct {
	to    *[]string
	form  string
	known []string
}

func (l *listed) String() string { return "" }

func (l *listed) Type() string { return l.form }

func (l *listed) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		bare := strings.TrimPrefix(word, "!")
		if !slices.Contains(l.known, bare) {
			if meant := spec.Suggest(bare, l.known); meant != "" {
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
		if name = strings.TrimSpace(name); !ok || name == "" || p.separator == ":" && strings.ContainsAny(name, " \t\"(),/;<=>?@[\\]{}") {
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

// span is a time with its unit: 500ms, 30s, 5m. 0 is none.
type span time.Duration

// maxSpan is the longest time that can be asked for.
const maxSpan = 7 * 24 * time.Hour

func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	text := time.Duration(*s).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

func (s *span) Type() string { return "time" }

func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > maxSpan {
		return fmt.Errorf("%q is no time such as 500ms, 30s or 5m", text)
	}
	*s = span(d)
	return nil
}

func (s span) duration() time.Duration { return time.Duration(s) }

// positive is a number from 1 up.
type positive struct{ to *int }

func (p positive) String() string {
	if p.to == nil {
		return ""
	}
	return strconv.Itoa(*p.to)
}

func (p positive) Type() string { return "number" }

func (p positive) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no whole number from 1 up", text)
	}
	*p.to = int(n)
	return nil
}

// perSecond is a rate; 0 is no bound.
type perSecond float64

func (r *perSecond) String() string {
	if *r == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*r), 'f', -1, 64)
}

func (r *perSecond) Type() string { return "number" }

func (r *perSecond) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= 1e9) {
		return fmt.Errorf("%q is no number above 0", text)
	}
	*r = perSecond(n)
	return nil
}

// shard is one of several parts: 2/4.
type shard struct{ part, of int }

func (s *shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.part, s.of)
}

func (s *shard) Type() string { return "N/M" }

func (s *shard) Set(text string) error {
	first, second, _ := strings.Cut(text, "/")
	part, err1 := strconv.ParseUint(first, 10, 16)
	of, err2 := strconv.ParseUint(second, 10, 16)
	if err1 != nil || err2 != nil || part < 1 || part > of {
		return fmt.Errorf("%q is no part such as 2/4, which is the second of four", text)
	}
	s.part, s.of = int(part), int(of)
	return nil
}
