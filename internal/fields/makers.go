package fields

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// writing is the maker of a text that depends on the value's key alone.
func writing(write func(*formats.Faker) string) Maker {
	return func(f *formats.Faker, at Place, _ string) string { return write(f.Seed(at.Key)) }
}

// inLocale takes one of the texts that the locale has, else of a list that are separated by "|".
func inLocale(own func(*locales.Locale) []string, list string) []Maker {
	english := strings.Split(list, "|")
	return []Maker{writing(func(f *formats.Faker) string {
		if f.Locale != nil {
			if texts := own(f.Locale); texts != nil {
				return texts[f.IntN(len(texts))]
			}
		}
		return english[f.IntN(len(english))]
	})}
}

// pattern writes "#" as a digit, "@" as an upper-case letter, "~" as a lower-case one, "%" as a hexadecimal digit and
// "*" as a digit or lower-case letter.
func pattern(text string) func(*formats.Faker) string {
	return func(f *formats.Faker) string {
		b := []byte(text)
		for i, c := range b {
			switch c {
			case '#':
				b[i] = formats.Digits[f.IntN(10)]
			case '@':
				b[i] = upper[f.IntN(len(upper))]
			case '~':
				b[i] = formats.LowerAZ[f.IntN(26)]
			case '%':
				b[i] = formats.Hex[f.IntN(16)]
			case '*':
				b[i] = formats.Lower36[f.IntN(36)]
			}
		}
		return string(b)
	}
}

// upper has the letters that nobody takes for digits, or for the beginning of a duration.
const upper = "ABCDEFGHJKLMNQRSTUVWXYZ"

// Patterns writes texts of a form: see pattern.
func Patterns(text string) []Maker { return []Maker{writing(pattern(text))} }

// onlyDate writes a time without its hours where no format asks for them.
func onlyDate(write Maker) Maker {
	return func(f *formats.Faker, at Place, format string) string {
		return write(f, at, cmp.Or(format, "date"))
	}
}

func pick(f *formats.Faker, texts ...string) string { return texts[f.IntN(len(texts))] }

// figures writes numbers as texts.
func figures(suggest func(*formats.Faker, Place) Window) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		w := suggest(f, at)
		n := w.Lo + int64(f.Seed(at.Key).IntN(int(w.Hi-w.Lo)+1))
		digits := len(strconv.FormatInt(max(w.Scale, 1), 10)) - 1
		return strconv.FormatFloat(float64(n)/float64(max(w.Scale, 1)), 'f', digits, 64)
	}}
}
