package fields

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/samplefile"
)

// iban writes an account's number with valid check digits (ISO 13616), of the country where the object is if it has
// such numbers.
func iban(f *formats.Faker, at Context, _ string) string {
	t := *townOf(f, at)
	if t.account == "" {
		t = countries()["DE"]
	}
	country, account := t.code, pattern(t.account)(f.Seed(at.Key))
	remainder := 0
	for _, c := range account + country + "00" {
		if c >= 'A' {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		} else {
			remainder = (remainder*10 + int(c-'0')) % 97
		}
	}
	check := 98 - remainder
	return country + strconv.Itoa(check/10) + strconv.Itoa(check%10) + account
}

func taxNumber(f *formats.Faker, at Context, _ string) string {
	form := townOf(f, at).tax
	return pattern(form)(f.Seed(at.Key))
}

func cardNumber(f *formats.Faker) string { return withLuhn(pattern("411111#########")(f)) }

// withLuhn appends the check digit of card numbers and IMEIs. Source: ISO/IEC 7812-1 annex B.
func withLuhn(digits string) string {
	sum := 0
	for i := range digits {
		d := int(digits[i] - '0')
		if (len(digits)-i)%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

func version(f *formats.Faker) string {
	return strconv.Itoa(1+f.IntN(5)) + "." + strconv.Itoa(f.IntN(10)) + "." + strconv.Itoa(f.IntN(20))
}

// digest is so many hexadecimal digits.
type digest int

func (n digest) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return formats.Letters(f, int(n), formats.Hex) })}
}

func sshKey(f *formats.Faker) string {
	return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + formats.Letters(f, 43, formats.Lower36)
}

// publicKey writes a block of PEM; all keys of one object are the same.
func publicKey(_ *formats.Faker, at Context, _ string) string {
	return samplefile.PEM(samplefile.PublicKey, at.decision(6))
}

func secret(f *formats.Faker) string { return formats.Letters(f, 32, formats.Lower36) }
func opaque(f *formats.Faker) string { return formats.Letters(f, 12, formats.Lower32) }
func cursor(f *formats.Faker) string { return "eyJpZCI6" + formats.Letters(f, 12, formats.Lower36) }

// codeOf writes a code that begins with letters of the thing.
func codeOf(_ []string, t Thing) []Maker {
	letters := strings.ToUpper(formats.Unaccent(t.Name()))
	if len(letters) < 3 || strings.ContainsFunc(letters, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		letters = "TX"
	}
	return several{patterns(letters[:min(len(letters), 3)] + "-###"), patterns("####")}.makers(nil, Thing{})
}

// numbered writes a code that begins with letters of the word before the last.
func numbered(words []string, _ Thing) []Maker {
	prefix := "TX"
	if len(words) > 1 {
		prefix = strings.ToUpper(words[len(words)-2])
		prefix = strings.Trim(prefix[:min(len(prefix), 2)], formats.Digits)
	}
	return several{patterns(fixed(prefix) + "-####"), patterns("####")}.makers(nil, Thing{})
}

// fixed keeps the letters of a text that pattern would not replace.
func fixed(text string) string {
	return strings.NewReplacer("#", "", "@", "", "~", "", "%", "", "*", "").Replace(text)
}

func amount(f *formats.Faker) string {
	return strconv.Itoa(2+f.IntN(480)) + "." + pickFrom(f, "cents")
}

func figure(f *formats.Faker) string      { return strconv.Itoa(3 + f.IntN(200)) }
func smallNumber(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(12)) }
