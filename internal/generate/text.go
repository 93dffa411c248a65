package generate

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
)

type textShape struct {
	of      *schema.Bounds
	checks  []func(any) error // of formats
	format  string            // the first that is named
	open    bool              // the format is unknown: names may suggest the text
	writers []writer
	forms   *sync.Map // by *hint: the form in which its texts conform; nil if the schema takes all
}

type writer func(f *formats.Faker) string

func (s *textShape) merge(g *Generator, k *schema.Keywords) {
	if k.Format != nil {
		s.checks = append(s.checks, k.Format.Validate)
	}
	format := g.formatOf(k)
	if s.format == "" {
		s.format = format
	}
	if format != "" && !formats.Lookup(format).IsNumeric() {
		s.of.Asserted |= schema.String
	}
}

// formatOf returns the format that the document names, known or not.
func (g *Generator) formatOf(k *schema.Keywords) string {
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

// finishText finds the writers of conforming strings: all up to the first whose candidates always conform.
func (sh *shape) finishText(g *Generator) {
	s := &sh.text
	format := formats.Lookup(s.format)
	s.open = format == nil || format.Generate == nil
	if s.of.MinLength > 0 || s.of.MaxLength < never || len(s.of.Patterns)+len(s.checks)+len(sh.failed) > 0 {
		s.forms = new(sync.Map)
	}
	for _, w := range sh.writers(g, format) {
		conforming := sh.tryWriter(w)
		if conforming > 0 {
			s.writers = append(s.writers, w)
		}
		if conforming == writerTries {
			return
		}
	}
	if len(s.writers) == 0 && sh.Relaxed {
		sh.MinLength, sh.MaxLength, sh.Patterns = 0, schema.Unlimited, nil
		*s = textShape{of: s.of, open: true}
		s.writers = []writer{func(f *formats.Faker) string { return formats.Phrase(f, 0, never) }}
	}
	if len(s.writers) == 0 {
		sh.fail("no string was found that its pattern, format and length allow")
	}
}

const writerTries = 8

func (sh *shape) tryWriter(w writer) int {
	f := formats.NewFaker()
	conforming := 0
	for i := range writerTries {
		if sh.acceptsText(w(f.Seed(uint64(Key(17).at(i))))) {
			conforming++
		}
	}
	return conforming
}

// lastResorts are strings for unusual requirements.
var lastResorts = []string{
	"", " ", "0", "1", "a", "A", "!", "1a!A", "-", "/", "{", "\\", "é", "2025-13-45", "not a value",
}

// alphabets are for strings that must not have the letters of others.
var alphabets = []string{formats.LowerAZ, upperAZ, formats.Digits, "!#%+-./:@_"}

const upperAZ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// writers returns what may write conforming strings, the most telling first.
func (sh *shape) writers(g *Generator, format *formats.Format) []writer {
	s := &sh.text
	lo, hi := s.of.MinLength, s.of.MaxLength
	phrase := func(f *formats.Faker) string { return formats.Phrase(f, lo, hi) }
	var all []writer
	if !s.open {
		all = append(all, format.Generate)
		if lo > 0 {
			all = append(all, func(f *formats.Faker) string {
				v := format.Generate(f)
				return format.Lengthened(v, lo-len(v))
			})
		}
		if format.Shortest != "" {
			all = append(all, func(f *formats.Faker) string {
				return strings.Replace(format.Shortest, "?", formats.Letters(f, 1, formats.LowerAZ), 1)
			})
		}
	}
	for _, k := range sh.failed {
		for part := range schema.All(k) {
			if part.MaxLength != nil {
				all = append(all, func(f *formats.Faker) string { return formats.Phrase(f, *part.MaxLength+1, hi) })
			}
		}
	}
	if len(s.of.Patterns) == 0 {
		all = append(all, phrase)
	} else {
		all = append(all, sh.readable(phrase)...)
	}
	for _, re := range s.of.Patterns {
		all = append(all, patternWriter(re.String(), lo, hi, sh.acceptsText))
	}
	if len(s.of.Patterns) > 0 {
		for _, length := range []int{8, 12, 24, 48} { // passwords
			if length >= lo && length <= hi {
				all = append(all, func(f *formats.Faker) string {
					return formats.Letters(f, length-8, formats.Password) + "aA1!bB2#"
				})
			}
		}
	}
	for _, alphabet := range alphabets {
		all = append(all, func(f *formats.Faker) string { return formats.Letters(f, min(max(lo, 3), hi), alphabet) })
	}
	for _, text := range lastResorts {
		all = append(all, func(*formats.Faker) string { return text })
	}
	return all
}

// readable returns what writes meaningful strings for a pattern: phrases if it
// takes all of them, else a format that it takes always.
func (sh *shape) readable(phrase writer) []writer {
	switch sh.tryWriter(phrase) {
	case writerTries:
		return []writer{phrase}
	case 0:
		for _, format := range formats.All {
			if format.Inferred && sh.tryWriter(format.Generate) == writerTries {
				return []writer{format.Generate}
			}
		}
	}
	return nil
}

func (sh *shape) acceptsText(v string) bool {
	s := &sh.text
	if s.of.MinLength > 0 || s.of.MaxLength < never {
		if n := utf8.RuneCountInString(v); n < s.of.MinLength || n > s.of.MaxLength {
			return false
		}
	}
	for _, re := range s.of.Patterns {
		if !schema.Try(re, v) {
			return false
		}
	}
	for _, check := range s.checks {
		if check(v) != nil {
			return false
		}
	}
	return len(sh.failed) == 0 || !sh.rejects(v)
}

// text generates a string: what the property's name suggests if that conforms, else what the schema says.
func (r *run) text(sh *shape, at valueContext) (any, bool) {
	s := &sh.text
	if at.prefer != "" && sh.acceptsText(at.prefer) {
		return at.prefer, true
	}
	if h := at.hint; h != nil && h.picture != nil && r.g.options.ImageURLs && s.format != "byte" &&
		(s.open || slices.Contains(h.Formats, s.format)) {
		if v := h.picture.url(r.fake, at); sh.acceptsPicture(v) {
			return v, true
		}
	}
	if h := at.hint; h != nil && len(h.Texts) > 0 && at.turn < manyTurns &&
		(s.open || slices.Contains(h.Formats, s.format)) {
		if v, ok := r.suggested(sh, h, at); ok {
			return v, true
		}
	}
	for round := range 8 {
		for i, w := range s.writers {
			if v := w(r.fake.Seed(uint64(at.key.at(round*8 + i)))); sh.acceptsText(v) {
				return v, true
			}
		}
	}
	return nil, false
}

// manyTurns is after how many refusals, as by uniqueItems, names suggest no more.
const manyTurns = 20

// maxSuggested is up to which minLength names suggest texts, in characters: no property needs more to look right.
const maxSuggested = 1000

// form is how a hint's texts conform to a shape.
type form struct{ text, as int }

// suggested returns what a hint writes, in a form that conforms.
func (r *run) suggested(sh *shape, h *hint, at valueContext) (any, bool) {
	s := &sh.text
	use := form{}
	if s.forms != nil {
		known, ok := s.forms.Load(h)
		if !ok {
			known = sh.formOf(r.fake, h)
			s.forms.Store(h, known)
		}
		if use = known.(form); use.text < 0 {
			return nil, false
		}
	}
	for try := range 2 {
		if try > 0 {
			at.key, at.object, at.town = at.key.at(1000), at.key.at(1000), 0
		}
		field := at.context()
		if h.Around {
			field.Around = r.around()
		}
		v := h.Texts[use.text](r.fake, field, s.format)
		if v = fields.Form(v, use.as, s.of.MinLength, s.of.MaxLength); sh.acceptsText(v) {
			return v, true
		}
	}
	return nil, false
}

// formOf finds the first form in which most texts conform; -1 if none. It depends on the hint and the shape only.
func (sh *shape) formOf(f *formats.Faker, h *hint) form {
	for as := range fields.Forms {
		if as > 0 && !sh.text.open || sh.MinLength > maxSuggested {
			break
		}
		for text, write := range h.Texts {
			conforming := 0
			for i := range writerTries {
				key := Key(17).at(i)
				v := write(f, fields.Context{Key: uint64(key), Object: uint64(key.at(1))}, sh.text.format)
				if sh.acceptsText(fields.Form(v, as, sh.MinLength, sh.MaxLength)) {
					conforming++
				}
			}
			if conforming > writerTries/2 {
				return form{text, as}
			}
		}
	}
	return form{text: -1}
}
