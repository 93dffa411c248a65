package fields

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/words"
)

// TestTexts compares what names suggest with a pattern. A line of the data: thing, name, pattern, and a description if any.
func TestTexts(t *testing.T) {
	all := lines(t, "testdata/texts.txt")
	for _, row := range all {
		thing, name, want := row[0], row[1], regexp.MustCompile("^(?:"+row[2]+")$")
		field := Property{Name: name, Of: Named(thing)}
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
			at := Context{Key: formats.Mix(key), Object: formats.Mix(key + 100)}
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

// TestNumbers compares the numbers that names suggest with a range. A line of the data: name, description, least, most.
func TestNumbers(t *testing.T) {
	for _, row := range lines(t, "testdata/numbers.txt") {
		h := Of(Property{Name: row[0], Of: Named("item"), Description: row[1]})
		if h.Numbers == nil {
			t.Errorf("%s suggests no numbers", row[0])
			continue
		}
		least, most := number(t, row[2]), number(t, row[3])
		f := formats.NewFaker()
		for key := range uint64(20) {
			w := h.Numbers(f, Context{Key: formats.Mix(key), Object: formats.Mix(key + 100)})
			scale := float64(max(w.Scale, 1))
			if lo, hi := float64(w.Lo)/scale, float64(w.Hi)/scale; lo < least || hi > most {
				t.Errorf("%s (%s): from %v to %v, want them within %v and %v", row[0], row[1], lo, hi, least, most)
				break
			}
		}
	}
}

// TestCheckDigits compares with examples of the standards or of their issuers.
func TestCheckDigits(t *testing.T) {
	for _, row := range []struct{ got, want string }{
		{withLuhn("7992739871"), "79927398713"},
		{withLuhn("411111111111111"), "4111111111111111"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	f := formats.NewFaker()
	for key := range uint64(50) {
		text := iban(f, Context{Key: formats.Mix(key), Object: formats.Mix(key + 100)}, "")
		if remainder(text[4:]+text[:4]) != 1 {
			t.Errorf("%s is no IBAN", text)
		}
	}
}

// remainder returns the remainder of ISO 7064 MOD 97-10, in which letters count from 10 on.
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

func lines(t *testing.T, file string) (all [][]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimSpace(line), " ; "))
	}
	return all
}

// TestFigures: what is left of texts of which only some characters fit.
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

// TestMakers: what the data refer to exists, and what exists is referred to.
func TestMakers(t *testing.T) {
	used := map[string]bool{}
	check := func(where, text string) {
		used[text] = true
		if made(text).texts == nil {
			t.Errorf("%s refers to %q, which is no text and no maker", where, text)
		}
	}
	for row := range words.Names.Rows() {
		if row[3] != "" {
			check(row[0], row[3])
		}
		if row[4] != "" && numbersMade(row[4]) == nil {
			t.Errorf("%s refers to %q, which is no number", row[0], row[4])
		}
		if row[3] == "" && row[4] == "" || !slices.Contains([]string{"whole", "end", "last"}, row[2]) {
			t.Errorf("%q suggests nothing, or matches nothing", row)
		}
	}
	for row := range words.Kinds.Rows() {
		if row[0] != "-" {
			check(row[0], row[1])
		}
	}
	for name := range listsOfCode(t) {
		check("this package", name)
	}
	check("package formats", "adjective")
	check("package formats", "noun")
	for row := range words.Texts.Rows() {
		if row[1] == "phrase" {
			for _, name := range regexp.MustCompile(`\{([^}]*)\}`).FindAllStringSubmatch(row[3], -1) {
				if used[name[1]] = true; written(name[1]) == nil {
					t.Errorf("%s refers to %q, which is no list", row[0], name[1])
				}
			}
		}
	}
	for row := range words.Texts.Rows() {
		if !used[row[0]] {
			t.Errorf("nothing refers to the text %q", row[0])
		}
	}
	for row := range words.Things.Rows() {
		if kinds()[row[1]] == nil {
			t.Errorf("%s is of kind %q, which there is none", row[0], row[1])
		}
	}
	for row := range words.Units.Rows() {
		if row[1] == "number" && numbersMade(row[2]) == nil {
			t.Errorf("%q is %q, which is no number", row[0], row[2])
		}
	}
}

// listsOfCode returns the names of rows of texts.tsv to which the code of this package refers.
func listsOfCode(t *testing.T) map[string]bool {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	refers := regexp.MustCompile(`\b(?:written|made|saying|pickFrom)\((?:f, )?"([a-z-]+)"\)`)
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range refers.FindAllStringSubmatch(string(text), -1) {
			names[found[1]] = true
		}
	}
	return names
}
