package naming

import "strings"

// naturalKeys are words by which people tell things apart.
var naturalKeys = []struct {
	word   string
	unique bool // no two items have the same value of a property of this name
	ending bool // backends often have it once only where a name ends so
	whole  bool // the same, for the whole name
}{
	{word: "email", unique: true, ending: true},
	{word: "login", unique: true, ending: true},
	{word: "slug", unique: true, ending: true},
	{word: "sku", unique: true, ending: true},
	{word: "handle", unique: true, ending: true},
	{word: "username", unique: true, ending: true},
	{word: "code", unique: true, whole: true},
	{word: "isbn", unique: true}, {word: "issn", unique: true}, {word: "ean", unique: true}, {word: "vin", unique: true}, {word: "iban", unique: true},
	{word: "name", ending: true}, {word: "title", ending: true}, {word: "label", ending: true}, {word: "identifier", ending: true},
	{word: "subject", ending: true}, {word: "reference", ending: true},
	{word: "key", whole: true},
}

// IsNaturalKey reports whether no two items have the same value of a property of
// this name.
func IsNaturalKey(name string) bool {
	name = strings.ToLower(name)
	for _, k := range naturalKeys {
		if k.unique && name == k.word {
			return true
		}
	}
	return false
}

// MayBeNaturalKey reports whether backends often refuse a second item with the
// same value of a property of this name.
func MayBeNaturalKey(name string) bool {
	name = strings.ToLower(name)
	for _, k := range naturalKeys {
		if k.ending && strings.HasSuffix(name, k.word) || k.whole && name == k.word {
			return true
		}
	}
	return false
}
