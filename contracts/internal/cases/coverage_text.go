package cases

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// proposeEnum sends each listed value, and some that are near one.
func proposeEnum(s *site, p *proposals) {
	values := s.constraints.Values
	if values == nil {
		return
	}
	code := "enum"
	if len(values) == 1 {
		code = ""
	}
	var texts []string
	var top *big.Rat
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		} else if r := rational(v); r != nil && (top == nil || r.Cmp(top) > 0) {
			top = r
		}
	}
	switch {
	case len(texts) > 0:
		first := texts[0]
		p.refused(essential, code, "not listed", "not-a-value", "zzz", first+"x", first+first)
		p.refused(usual, code, "in another case", anyOther(texts)...)
		p.refused(exotic, code, "cut short", first[:len(first)/2], "")
	case top != nil:
		p.refused(essential, code, "not listed", plus(top, big.NewRat(1, 1)), json.Number("-1"))
	default:
		p.refused(essential, code, "not listed", "not-a-value", json.Number("123456"), true, false)
	}
	for _, v := range values {
		p.accepted(usual, "as listed", v).on(Listed)
	}
}

func anyOther(texts []string) []any {
	var all []any
	for _, text := range texts {
		if text == "" {
			continue
		}
		for _, other := range []string{otherCase(text), strings.ToUpper(text[:1]) + strings.ToLower(text[1:])} {
			if other != text {
				all = append(all, other)
			}
		}
	}
	return all
}

// proposeFormats sends strings of each format that are right and that are plausibly wrong.
func proposeFormats(s *site, p *proposals) {
	f := s.constraints
	format := formats.Lookup(f.Format)
	if format == nil {
		return
	}
	for i, wrong := range format.Wrong {
		rank := usual
		switch {
		case i == 0:
			rank = essential
		case i > 2:
			rank = exotic
		}
		p.refused(rank, "format", "no "+f.Format, wrong)
	}
	if s.parameter != nil && s.parameter.In == exchange.InHeader && s.optional { // many programs treat it as missing
		p.add(usual, Anything, "", "empty", constants(""))
	} else {
		p.refused(usual, "format", "empty", "")
	}
	for _, right := range format.Boundary {
		p.accepted(exotic, "another "+f.Format, right)
	}
	for _, rare := range format.Rare {
		p.add(exotic, Anything, "", "a rare "+f.Format, constants(rare))
	}
}

// proposeLengths takes strings to their bounds in characters, which are neither
// bytes nor UTF-16 units, and beyond.
func proposeLengths(s *site, p *proposals) {
	f := s.constraints
	if n := f.MinLength; n > 0 && n < maxGenerated {
		count := counted(n, "character", "characters")
		p.refuse(essential, "min-length", "shorter than "+count, s.ofLength(n-1))
		p.accept(usual, "of the "+count+" that it must have", s.ofLength(n)).on(Bound)
		if n > 1 && s.unicode() {
			// Fewer characters, but no fewer bytes or units.
			p.refused(usual, "min-length", "shorter than "+count+", longer in bytes",
				strings.Repeat("🌱", n-1), strings.Repeat("é", n-1))
		}
	}
	if n := f.MaxLength; n < maxGenerated {
		count := counted(n, "character", "characters")
		p.refuse(essential, "max-length", "longer than "+count, s.ofLength(n+1))
		p.accept(usual, "of the "+count+" that it may have", s.ofLength(n)).on(Bound)
		if n > 0 {
			p.accept(exotic, "one character shorter than it may be", s.ofLength(n-1))
			if s.unicode() {
				p.accepted(usual, "of the "+count+" that it may have, more in bytes", strings.Repeat("é", n))
				p.accepted(usual, "of the "+count+" that it may have, more in UTF-16", strings.Repeat("🌱", n))
			}
			p.refuse(exotic, "max-length", "far longer than "+count, s.ofLength(min(n*10+100, maxGenerated)))
		}
	}
}

// ofLength returns a change to a string of n characters that keeps to all else.
func (s *site) ofLength(n int) change {
	values := s.generated(characters, n)
	return func(at any, try func(any) bool) {
		text, ok := at.(string)
		switch {
		case !ok, s.constraints.Format == "email" && !try(address(n)),
			s.constraints.Format == "" && (!try(padded(text, n)) || !try(strings.Repeat("a", n))):
			return
		}
		more := true
		values(text, func(value any) bool { more = try(value); return more })
		if more {
			try(padded(text, n))
		}
	}
}

// address makes an e-mail address of n characters, or fewer: names of mailboxes have at most 64 (RFC 5321 section
// 4.5.3.1).
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
	length := utf8.RuneCountInString(text)
	if length >= n {
		return string([]rune(text)[:n])
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	if length == 0 || last == ' ' {
		last = 'a'
	}
	return text + strings.Repeat(string(last), n-length)
}

// proposePattern sends the signs that patterns allow, and changes strings so little that they only just miss a pattern.
func proposePattern(s *site, p *proposals) {
	f := s.constraints
	if len(f.Patterns) > 0 && f.Format == "" {
		p.accept(usual, "with the signs that its pattern allows", onceOf(s.withSigns))
	}
	for _, re := range f.Patterns {
		if !s.text() {
			// $ is the end of the text, and not a place before its last line end: ECMA-262 section 22.2.2.4.
			p.refuse(usual, "pattern", "with a line end after what its pattern allows", onceOf(func(text string) (any, bool) {
				return text + "\n", re.MatchString(text) && !re.MatchString(text+"\n")
			}))
		}
		p.refuse(usual, "pattern", "repeating its end more often than its pattern allows", repeated(re))
		for _, near := range nearMisses {
			p.refuse(near.rank, "pattern", near.what, func(at any, try func(any) bool) {
				text, ok := at.(string)
				for i := 0; ok && i < len(additions); i++ {
					if changed := near.change(text, i); !re.MatchString(changed) && !try(changed) {
						return
					}
				}
				if ok && near.rank == essential {
					constants(unusualTexts...)(text, try)
				}
			})
		}
	}
}

// withSigns puts before the last character of a text what is neither letter nor digit, as far as patterns and the
// length allow it.
func (s *site) withSigns(text string) (any, bool) {
	f, was := s.constraints, text
	for sign := ' '; sign <= '~'; sign++ {
		if unicode.IsLetter(sign) || unicode.IsDigit(sign) || text == "" || strings.ContainsRune(was, sign) {
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text)
		with := text[:len(text)-size] + string(sign) + text[len(text)-size:]
		isWrong := func(re spec.Regexp) bool { return !re.MatchString(with) }
		if utf8.RuneCountInString(with) <= f.MaxLength && !slices.ContainsFunc(f.Patterns, isWrong) {
			text = with
		}
	}
	return text, text != was
}

// repeated returns a change to a text with its last character repeated until it is just one too many.
func repeated(re spec.Regexp) change {
	return onceOf(func(text string) (any, bool) {
		if text == "" || !re.MatchString(text) {
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
	{essential, "not of its pattern", withCharacterReplaced},
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
func proposeTexts(s *site, p *proposals) {
	f := s.constraints
	if f.Format != "" || len(f.Patterns) > 0 || !s.unicode() || s.opaque() {
		return
	}
	if f.MinLength <= 0 {
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
	if s.parameter != nil && s.parameter.In == exchange.InQuery { // patterns of SQL fail at it in every row
		p.add(exotic, Anything, "", "a lone backslash", constants(`\`))
	}
}
