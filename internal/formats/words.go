package formats

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/words"
)

// epoch is the default of Faker.Origin.
var epoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// The alphabets of Letters.
const (
	Digits   = "0123456789"
	Hex      = Digits + "abcdef"
	LowerAZ  = "abcdefghijklmnopqrstuvwxyz"
	Lower36  = Digits + LowerAZ
	Lower32  = Digits + "abcdefghjkmnpqrstvwxyz" // Crockford's base 32
	Password = "ABCDEFGHJKMNPQRSTUVWXYZ0123456789!#%+abcdefghjkmnpqrstuvwxyz"
)

// nouns and adjectives are the lists of words.Texts that random words are of.
var nouns, adjectives = listed("noun"), listed("adjective")

func listed(text string) func() []string {
	return sync.OnceValue(func() []string {
		for row := range words.Texts.Rows() {
			if row[0] == text {
				return strings.Split(row[3], "|")
			}
		}
		return nil
	})
}

// IsWord reports whether Noun or Adjective may return a word in lower case.
func IsWord(word string) bool {
	return slices.Contains(nouns(), word) || slices.Contains(adjectives(), word)
}

// Noun returns a word such as "harbor".
func Noun(f *Faker) string { return one(f, nouns()) }

// Adjective returns a word such as "quiet".
func Adjective(f *Faker) string { return one(f, adjectives()) }

func one(f *Faker, of []string) string { return of[f.IntN(len(of))] }

// Title capitalizes an ASCII word.
func Title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// sentence returns a short English sentence.
func sentence(f *Faker) string {
	return "The " + Adjective(f) + " " + Noun(f) + " and the " + Adjective(f) + " " + Noun(f) + "."
}

// Phrase returns nouns separated by spaces, with lo to hi characters in total.
func Phrase(f *Faker, lo, hi int) string {
	var b strings.Builder
	for b.Len() < lo || b.Len() == 0 {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Noun(f))
	}
	s := b.String()
	if len(s) > hi {
		s = strings.TrimRight(s[:hi], " ")
		s += strings.Repeat("s", max(0, lo-len(s)))
	}
	return s
}

// Letters returns n characters of an alphabet.
func Letters(f *Faker, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[f.IntN(len(alphabet))]
	}
	return string(b)
}

// LocalPart turns a name into the local part of an e-mail address: its ASCII letters in lower case.
func LocalPart(name string) string {
	if latin := locales.Latin(name); latin != "" {
		name = latin
	}
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, Unaccent(strings.ToLower(name)))
}

// Unaccent replaces the lower-case letters of European names by ASCII letters.
func Unaccent(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	return unaccented.Replace(text)
}

var unaccented = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "á", "a", "à", "a", "â", "a", "ã", "a", "ą", "a",
	"ç", "c", "ć", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "ę", "e", "í", "i", "ì", "i", "î", "i", "ï", "i", "ł", "l",
	"ñ", "n", "ń", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ś", "s", "ú", "u", "ù", "u", "û", "u", "ź", "z", "ż", "z")

func email(f *Faker) string {
	return LocalPart(f.FirstName()) + "." + LocalPart(f.LastName()) + "@example.com"
}

func moment(f *Faker) time.Time {
	return f.Epoch().Add(time.Duration(f.IntN(365*24*3600)) * time.Second)
}

func uuid(f *Faker) string {
	b := []byte("00000000-0000-4000-8000-000000000000")
	x := f.Uint64()
	for i, c := range b {
		if i == 18 {
			x = f.Uint64()
		}
		switch c {
		case '0':
			b[i] = Hex[x&15]
		case '8': // variant 10 (RFC 9562 section 4.1)
			b[i] = Hex[8|x&3]
		default:
			continue
		}
		x >>= 4
	}
	return string(b)
}

func semver(f *Faker) string {
	return strconv.Itoa(1+f.IntN(5)) + "." + strconv.Itoa(f.IntN(10)) + "." + strconv.Itoa(f.IntN(20))
}

func phone(f *Faker) string { return "+1202555" + Letters(f, 4, Digits) }

func url(f *Faker) string { return "https://example.com/" + Noun(f) }

func path(f *Faker) string { return "/" + Noun(f) + "/" + Noun(f) }

func host(f *Faker) string { return Noun(f) + ".example.com" }

func count(f *Faker) string { return strconv.Itoa(1 + f.IntN(1000)) }
