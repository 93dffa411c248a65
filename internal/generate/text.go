package generate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// textShape is what is said of strings.
type textShape struct {
	min, max    int // in characters
	patterns    []spec.Regexp
	notPatterns []spec.Regexp
	checks      []func(any) error // of formats
	notChecks   []func(any) error
	format      string // the first that is said
	open        bool   // nothing is known of the format: names may tell
	makers      []maker
}

// maker makes candidates for a string.
type maker func(r *run, key Key) string

func (s *textShape) merge(g *Generator, k *spec.Keywords) bool {
	if k.MinLength != nil {
		s.min = max(s.min, *k.MinLength)
	}
	if k.MaxLength != nil {
		s.max = min(s.max, *k.MaxLength)
	}
	if k.Pattern != nil {
		s.patterns = append(s.patterns, k.Pattern)
	}
	if k.Format != nil {
		s.checks = append(s.checks, k.Format.Validate)
	}
	format := g.formatOf(k)
	if s.format == "" {
		s.format = format
	}
	return k.MinLength != nil || k.MaxLength != nil || k.Pattern != nil || format != "" && !formats.Lookup(format).IsNumeric()
}

// formatOf gives the format that the document says, known or not.
func (g *Generator) formatOf(k *spec.Keywords) string {
	if k.Format != nil {
		return k.Format.Name
	}
	raw := g.schema.Node(k)
	if format := raw.Get("format").Str(); format != "" {
		return format
	}
	if raw.Get("contentEncoding").Str() == "base64" {
		return "byte"
	}
	return ""
}

func (s *textShape) breakKeyword(l lit) {
	if l.op == breaksPat {
		s.notPatterns = append(s.notPatterns, l.k.Pattern)
		return
	}
	s.notChecks = append(s.notChecks, l.k.Format.Validate)
}

// finishText finds out what makes strings that conform.
func (sh *shape) finishText(g *Generator) {
	s := &sh.text
	s.open = formatMaker(formats.Lookup(s.format)) == nil
	for _, m := range sh.textMakers(g) {
		good := sh.probe(m)
		if good > 0 {
			s.makers = append(s.makers, m)
		}
		if good == probes {
			break
		}
	}
	if len(s.makers) == 0 {
		sh.impossible("no string was found that its pattern, format and length allow")
	}
}

// probes is how many candidates of a maker are tried ahead.
const probes = 8

// probe gives how many of a maker's candidates conform.
func (sh *shape) probe(m maker) int {
	r := run{fake: formats.NewFaker()}
	good := 0
	for i := range probes {
		if sh.acceptsText(m(&r, Key(17).at(i))) {
			good++
		}
	}
	return good
}

// formatMaker gives the maker of a format, nil where it has none.
func formatMaker(format *formats.Format) maker {
	if format == nil || format.Generate == nil {
		return nil
	}
	return func(r *run, key Key) string { return format.Generate(r.fake.Seed(uint64(key))) }
}

// readable gives what makes strings for a pattern that mean something: words
// where it takes all of them, else a format that it takes whenever it does.
func (sh *shape) readable() []maker {
	lo, hi := sh.text.min, sh.text.max
	plain := func(r *run, key Key) string { return formats.Phrase(r.fake.Seed(uint64(key)), lo, hi) }
	if good := sh.probe(plain); good == probes {
		return []maker{plain}
	} else if good > 0 {
		return nil
	}
	for i := range formats.All {
		if format := &formats.All[i]; format.Inferred {
			if m := formatMaker(format); sh.probe(m) == probes {
				return []maker{m}
			}
		}
	}
	return nil
}

// textMakers gives what may make conforming strings, the most telling first.
func (sh *shape) textMakers(g *Generator) []maker {
	s := &sh.text
	var makers []maker
	for _, k := range sh.flat {
		if m := namedFaker(g.schema.Node(k).Get("x-faker")); m != nil {
			makers = append(makers, m)
		}
	}
	format := formats.Lookup(s.format)
	if m := formatMaker(format); m != nil {
		makers = append(makers, m)
		if s.min > 0 {
			makers = append(makers, func(r *run, key Key) string {
				v := m(r, key)
				return format.Lengthened(v, s.min-len(v))
			})
		}
		if short := format.Shortest; short != "" {
			makers = append(makers, func(r *run, key Key) string {
				return strings.Replace(short, "?", formats.Letters(r.fake.Seed(uint64(key)), 1, formats.LowerAZ), 1)
			})
		}
	}
	if len(s.patterns) > 0 {
		makers = append(makers, sh.readable()...)
	}
	var all, none []string
	for _, re := range s.patterns {
		all = append(all, re.String())
	}
	for _, re := range s.notPatterns {
		none = append(none, re.String())
	}
	if len(s.patterns) == 0 {
		lo, hi := s.min, s.max
		makers = append(makers, func(r *run, key Key) string { return formats.Phrase(r.fake.Seed(uint64(key)), lo, hi) })
	}
	if len(all)+len(none) > 0 {
		makers = append(makers, lazily(func() maker {
			if a := newAutomaton(all, none, s.min, s.max); a != nil {
				return func(_ *run, key Key) string { return a.make(key) }
			}
			return nil
		}))
	}
	for _, length := range []int{8, 12, 24, 48} { // passwords
		if length >= s.min && length <= s.max && len(all) > 0 {
			makers = append(makers, func(r *run, key Key) string {
				return formats.Letters(r.fake.Seed(uint64(key)), length-8, formats.Password) + "aA1!bB2#"
			})
		}
	}
	// Odd strings for odd demands.
	for _, odd := range []string{"", " ", "0", "1", "a", "A", "!", "1a!A", "-", "/", "{", "\\", "é", "2025-13-45", "not a value"} {
		makers = append(makers, func(*run, Key) string { return odd })
	}
	return makers
}

// lazily puts off the making of a maker until it is asked for the first time,
// which is while the shape is finished.
func lazily(prepare func() maker) maker {
	var m maker
	var asked bool
	return func(r *run, key Key) string {
		if !asked {
			m, asked = prepare(), true
		}
		if m == nil {
			return ""
		}
		return m(r, key)
	}
}

// acceptsText reports whether the string conforms to all that is said of
// strings.
func (sh *shape) acceptsText(v string) bool {
	s := &sh.text
	if s.min > 0 || s.max < never {
		n := utf8.RuneCountInString(v)
		if n < s.min || n > s.max {
			return false
		}
	}
	for _, re := range s.patterns {
		if !re.MatchString(v) {
			return false
		}
	}
	for _, re := range s.notPatterns {
		if re.MatchString(v) {
			return false
		}
	}
	for _, check := range s.checks {
		if check(v) != nil {
			return false
		}
	}
	for _, check := range s.notChecks {
		if check(v) == nil {
			return false
		}
	}
	return len(sh.excluded) == 0 || !contains(sh.excluded, v)
}

// text makes a string: what the property's name tells where that conforms, else
// what the schema tells.
func (r *run) text(sh *shape, at place) (any, bool) {
	s := &sh.text
	if at.prefer != "" && sh.acceptsText(at.prefer) {
		return at.prefer, true
	}
	if h := at.hint; h != nil && h.text != nil && (s.open || slices.Contains(h.formats, s.format)) {
		for try := range 2 {
			at := at
			if try > 0 {
				at.key, at.object = at.key.at(1000), at.key.at(1000)
			}
			if v := h.text(r.fake, at, s.format); sh.acceptsText(v) {
				return v, true
			}
		}
	}
	for round := range 8 {
		for i, m := range s.makers {
			if v := m(r, at.key.at(round*8+i)); sh.acceptsText(v) {
				return v, true
			}
		}
	}
	return nil, false
}
