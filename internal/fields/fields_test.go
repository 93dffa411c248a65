package fields

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/formats"
)

// TestTexts holds what names suggest to a pattern. A line of the data: thing, name, pattern, and a description if any.
func TestTexts(t *testing.T) {
	lines := rows(t, "testdata/texts.txt")
	for _, row := range lines {
		thing, name, want := row[0], row[1], regexp.MustCompile("^(?:"+row[2]+")$")
		field := Field{Name: name, Of: Named(thing)}
		if len(row) > 3 {
			field.Description = strings.ReplaceAll(row[3], `\n`, "\n")
		}
		h := Of(field)
		if len(h.Texts) == 0 {
			t.Errorf("%s of %q: no texts", name, thing)
			continue
		}
		f := formats.NewFaker()
		for key := range uint64(20) {
			at := Place{Key: formats.Mix(key), Object: formats.Mix(key + 100)}
			text := h.Texts[0](f, at, "")
			if !want.MatchString(text) {
				t.Errorf("%s of %q: %q does not match %s", name, thing, text, want)
				break
			}
			if h.Texts[0](f, at, "") != text {
				t.Errorf("%s of %q: one place gets two texts", name, thing)
			}
		}
	}
}

// TestNumbers holds the numbers that names suggest to a range. A line of the data: name, description, least, most.
func TestNumbers(t *testing.T) {
	for _, row := range rows(t, "testdata/numbers.txt") {
		h := Of(Field{Name: row[0], Of: Named("item"), Description: row[1]})
		if h.Numbers == nil {
			t.Errorf("%s suggests no numbers", row[0])
			continue
		}
		least, most := number(t, row[2]), number(t, row[3])
		f := formats.NewFaker()
		for key := range uint64(20) {
			w := h.Numbers(f, Place{Key: formats.Mix(key), Object: formats.Mix(key + 100)})
			scale := float64(max(w.Scale, 1))
			if lo, hi := float64(w.Lo)/scale, float64(w.Hi)/scale; lo < least || hi > most {
				t.Errorf("%s (%s): from %v to %v, want them within %v and %v", row[0], row[1], lo, hi, least, most)
				break
			}
		}
	}
}

// TestCheckDigits compares with numbers that the standards, or their issuers, give as examples.
func TestCheckDigits(t *testing.T) {
	for _, row := range []struct{ got, want string }{
		{withEAN("400638133393"), "4006381333931"},
		{withEAN("7351353"), "73513537"},
		{withLuhn("7992739871"), "79927398713"},
		{withLuhn("411111111111111"), "4111111111111111"},
		{isbn10("030640615"), "0306406152"},
		{isbn10("097522980"), "097522980X"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	f := formats.NewFaker()
	for key := range uint64(50) {
		text := iban(f, Place{Key: formats.Mix(key), Object: formats.Mix(key + 100)}, "")
		if remainder(text[4:]+text[:4]) != 1 {
			t.Errorf("%s is no IBAN", text)
		}
	}
}

// remainder is that of ISO 7064 MOD 97-10, of the letters' numbers from 10 on.
func remainder(text string) int {
	n := 0
	for _, c := range text {
		digit, _ := strconv.ParseInt(string(c), 36, 64)
		if digit > 9 {
			n *= 10
		}
		n = (n*10 + int(digit)) % 97
	}
	return n
}

func number(t *testing.T, text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func rows(t *testing.T, file string) (all [][]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimSpace(line), " ; "))
	}
	return all
}

// TestFigures holds what is left of texts where only some characters fit.
func TestFigures(t *testing.T) {
	for _, row := range []struct {
		text   string
		lo, hi int
		want   string
	}{
		{"RC-4821", 0, 4, "4821"},
		{"RC-4821", 0, 3, "821"},
		{"RC-4821", 5, 6, "RC-4821"},
		{"Office 12", 0, 4, "Office 12"},
		{"B-7", 0, 2, "B-7"},
	} {
		if got := Form(row.text, Figure, row.lo, row.hi); got != row.want {
			t.Errorf("%s between %d and %d: %s, want %s", row.text, row.lo, row.hi, got, row.want)
		}
	}
}
