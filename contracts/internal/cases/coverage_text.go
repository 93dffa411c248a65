package cases

import (
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxGenerated is the longest string, in characters, and the longest list that is
// generated to meet a bound.
const maxGenerated = 1 << 16

// siteKey decides the values that are generated for a site.
func siteKey(s *site) generate.Key {
	place := s.place("")
	return generate.NewKey(0, place.In, place.Name, place.Pointer)
}

// proposeLengths takes strings to their bounds in characters, which are neither
// bytes nor UTF-16 units, and beyond.
func proposeLengths(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&isText == 0 || f.values != nil {
		return
	}
	ofLength := func(rank int, want Outcome, code, what string, n int) {
		p.add(rank, want, code, what, s.ofLength(n))
	}
	if n := f.minLength; n > 0 && n < maxGenerated {
		count := counted(n, "character", "characters")
		ofLength(essential, Refused, "min-length", "shorter than "+count, n-1)
		ofLength(usual, Accepted, "", "of the "+count+" that it must have", n)
		if n > 1 && s.unicode() {
			// Fewer characters, but no fewer bytes or units.
			p.refused(usual, "min-length", "shorter than "+count+", longer in bytes",
				strings.Repeat("🌱", n-1), strings.Repeat("é", n-1))
		}
	}
	if n := f.maxLength; n >= 0 && n < maxGenerated {
		count := counted(n, "character", "characters")
		ofLength(essential, Refused, "max-length", "longer than "+count, n+1)
		ofLength(usual, Accepted, "", "of the "+count+" that it may have", n)
		if n > 0 {
			ofLength(exotic, Accepted, "", "one character shorter than it may be", n-1)
			if s.unicode() {
				p.accepted(usual, "of the "+count+" that it may have, more in bytes", strings.Repeat("é", n))
				p.accepted(usual, "of the "+count+" that it may have, more in UTF-16", strings.Repeat("🌱", n))
			}
			ofLength(exotic, Refused, "max-length", "far longer than "+count, min(n*10+100, maxGenerated))
		}
	}
}

// ofLength gives a change to a string of n characters that keeps to all else.
func (s *site) ofLength(n int) change {
	values := s.generated(siteKey(s), func(k *spec.Keywords) { k.MinLength, k.MaxLength = nil, nil },
		func(k *spec.Keywords) { k.MinLength, k.MaxLength = &n, &n })
	return func(at any, i int) (any, bool) {
		text, ok := at.(string)
		if !ok {
			return nil, false
		}
		if s.constraints.format == "email" {
			if i == 0 {
				return address(n), true
			}
			i--
		}
		if s.constraints.format == "" && i < 2 {
			if i == 0 {
				return padded(text, n), true
			}
			return strings.Repeat("a", n), true
		}
		if s.constraints.format == "" {
			i -= 2
		}
		if i == generatedAlternatives {
			return padded(text, n), true
		}
		if i > generatedAlternatives {
			return nil, false
		}
		if value, more := values(at, i); more {
			return value, true
		}
		return text, true // conforms, or is sent already
	}
}

// address makes an e-mail address of n characters, as far as names of hosts and
// of mailboxes may be that long: RFC 5321 section 4.5.3.1.
func address(n int) string {
	const end = "example.com"
	local := min(n-len(end)-1, 64)
	if local < 1 {
		return ""
	}
	host := end
	for rest := n - local - 1 - len(end); rest > 0; rest = n - local - 1 - len(host) {
		if rest == 1 {
			local--
			continue
		}
		label := min(rest-1, 63)
		if rest-1-label == 1 {
			label--
		}
		host = strings.Repeat("a", label) + "." + host
	}
	return strings.Repeat("a", local) + "@" + host
}

// padded makes a text n characters long by what it ends with.
func padded(text string, n int) string {
	if length := utf8.RuneCountInString(text); length >= n {
		return string([]rune(text)[:n])
	} else if length == 0 {
		return strings.Repeat("a", n)
	} else {
		last, _ := utf8.DecodeLastRuneInString(text)
		if last == ' ' {
			last = 'a'
		}
		return text + strings.Repeat(string(last), n-length)
	}
}

// unicode reports whether every character can stand there.
func (s *site) unicode() bool {
	return s.parameter == nil || s.parameter.In == exchange.InQuery
}

// proposePattern changes strings so little that they only just miss a pattern.
func proposePattern(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	for _, re := range f.patterns {
		if !s.text() {
			// $ is the end of the text, and not a place before its last line end:
			// ECMA-262 section 22.2.2.4.
			p.refuse(usual, "pattern", "with a line end after what its pattern allows", once(func(at any) (any, bool) {
				text, ok := at.(string)
				return text + "\n", ok && re.MatchString(text) && !re.MatchString(text+"\n")
			}))
		}
		p.refuse(usual, "pattern", "repeating its end more often than its pattern allows", repeated(re))
		for _, near := range nearMisses {
			p.refuse(near.rank, "pattern", near.what, func(at any, i int) (any, bool) {
				text, ok := at.(string)
				if !ok || i > 2+len(unusualTexts) || i > 2 && near.rank != essential {
					return nil, false
				}
				if i > 2 {
					return unusualTexts[i-3], true
				}
				if changed := near.change(text, i); !re.MatchString(changed) {
					return changed, true
				}
				return text, true // conforms, and is dropped
			})
		}
	}
}

// maxRepeats bounds how often the end of a text is repeated until its pattern
// does not allow it any more.
const maxRepeats = 300

// repeated gives a change to a text with its last character repeated until it is
// just one too many.
func repeated(re spec.Regexp) change {
	return once(func(at any) (any, bool) {
		text, ok := at.(string)
		if !ok || text == "" || !re.MatchString(text) {
			return nil, false
		}
		_, size := utf8.DecodeLastRuneInString(text)
		for last := text[len(text)-size:]; len(text) < maxRepeats; {
			if text += last; !re.MatchString(text) {
				return text, true
			}
		}
		return nil, false
	})
}

// unusualTexts are texts that hardly any pattern allows all of.
var unusualTexts = []any{"!", "_", "é", "a", "A", "0", "a\x01b", "a\nb", " ", ""}

var additions = [...]string{"!", "x", "é"}

var nearMisses = []struct {
	rank   int
	what   string
	change func(text string, i int) string
}{
	{essential, "not of its pattern", func(text string, i int) string { return withCharacterReplaced(text, i) }},
	{usual, "with more before what its pattern allows", func(text string, i int) string { return additions[i] + text }},
	{usual, "with more after what its pattern allows", func(text string, i int) string { return text + additions[i] }},
	{exotic, "in another case than its pattern allows", func(text string, i int) string { return otherCase(text) }},
	{exotic, "cut short of its pattern", func(text string, i int) string { return text[:len(text)*i/3] }},
}

// withCharacterReplaced puts a character of another class in the place of the last, the first
// or the middle one, so that the length stays.
func withCharacterReplaced(text string, i int) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return "!"
	}
	at := []int{len(runes) - 1, 0, len(runes) / 2}[i]
	switch r := runes[at]; {
	case i == 2:
		runes[at] = '!'
	case r >= '0' && r <= '9':
		runes[at] = 'x'
	default:
		runes[at] = '_'
	}
	return string(runes)
}

// proposeTexts sends characters that programs are known to stumble over.
func proposeTexts(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&isText == 0 || f.values != nil || f.format != "" || len(f.patterns) > 0 || !s.unicode() || s.opaque() {
		return
	}
	if f.minLength <= 0 {
		p.accepted(exotic, "empty", "")
	}
	if s.parameter == nil {
		p.accepted(exotic, "with spaces around it", " a b ")
	}
	for _, text := range []struct {
		what  string
		value string
		want  Outcome
	}{
		{"with accents", "Zoë Müller-Ångström", Accepted},
		{"in another script", "温室植物", Accepted},
		{"beyond the basic plane", "🌱🪴", Accepted},
		{"written from right to left", "صندوق بارد", Accepted},
		{"with combining characters", "Zoe\u0308", Accepted},
		{"joined by an invisible character", "👩\u200d🌾", Accepted},
		{"with quotes and brackets", `O'Neil "x" <b>&amp; \ / %20 + ;--`, Accepted},
		{"with line ends", "a\nb\tc", Accepted},
		{"with what patterns are made of", `(a[b{c*?+.^$|\`, Accepted},
		{"with what searches are made of", `100%_*"'--;`, Accepted},
		{"with NUL", "a\x00b", Anything},
		{"with a change of direction", "a\u202eb", Anything},
		{"blank", "   ", Anything},
		{"of ten thousand characters", strings.Repeat("a", 10_000), Anything},
	} {
		p.add(exotic, text.want, "", text.what, constants(text.value))
	}
}
