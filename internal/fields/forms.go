package fields

import (
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

// The forms of a text, for schemas that do not accept the text itself.
const (
	AsItIs = iota
	Slug   // default-billing-plan
	Snake  // default_billing_plan
	Camel  // defaultBillingPlan
	Joined // DefaultBillingPlan
	Upper  // DEFAULT_BILLING_PLAN
	Figure // the digits of a code, as many as fit
	First  // default
	Cut    // shortened or repeated to fit a length
	Forms
)

// Form writes a text in another form; lo and hi bound its length in bytes.
func Form(text string, form, lo, hi int) string {
	if form == AsItIs {
		return text
	}
	switch form {
	case Cut:
		return fit(text, lo, hi)
	case Figure:
		return figureOf(text, lo, hi)
	}
	words := strings.FieldsFunc(formats.Unaccent(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	if len(words) == 0 {
		return text
	}
	for i, w := range words {
		if words[i] = strings.ToLower(w); form == Camel && i > 0 || form == Joined {
			words[i] = formats.Title(words[i])
		}
	}
	switch form {
	case Slug:
		return strings.Join(words, "-")
	case Snake:
		return strings.Join(words, "_")
	case Upper:
		return strings.ToUpper(strings.Join(words, "_"))
	case First:
		return words[0]
	}
	return strings.Join(words, "")
}

// figureOf returns the last digits of a code of capitals and digits, and other texts unchanged.
func figureOf(text string, lo, hi int) string {
	const least = 2 // digits
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	if len(digits) < max(lo, least) || hi < least || strings.ToUpper(text) != text || strings.Contains(text, " ") {
		return text
	}
	return digits[max(0, len(digits)-hi):]
}

// fit cuts a text at a word, or goes on with it.
func fit(text string, lo, hi int) string {
	if len(text) < lo && text != "" {
		text += strings.Repeat(" "+text, lo/(len(text)+1))
	}
	if len(text) <= hi {
		return text
	}
	cut := strings.LastIndexByte(text[:hi+1], ' ')
	if cut < max(lo, 1) {
		cut = hi
	}
	return strings.TrimRight(strings.ToValidUTF8(text[:cut], ""), " ,;-")
}
