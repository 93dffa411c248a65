package naming

import "strings"

var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index", "vertices": "vertex",
	"matrices": "matrix", "criteria": "criterion", "media": "medium", "data": "datum", "mice": "mouse", "feet": "foot",
	"movies": "movie", "series": "series", "species": "species", "news": "news", "analyses": "analysis", "taxes": "tax",
}

// uncounted end like plurals and are none.
var uncounted = Set(`news series species analytics statistics stats metrics graphics https settings preferences details options
credentials this always previous as has is alias canvas gas atlas bias ios dns sms aws gps tls sls`)

// endings are those of plurals, the first that fits counts: keep says that the
// word is no plural, else cut letters are replaced by add.
var endings = []struct {
	suffix string
	keep   bool
	cut    int
	add    string
}{
	{suffix: "ss", keep: true}, {suffix: "us", keep: true}, {suffix: "is", keep: true},
	{suffix: "ies", cut: 3, add: "y"},
	{suffix: "auses", cut: 1},
	{suffix: "sses", cut: 2}, {suffix: "xes", cut: 2}, {suffix: "ches", cut: 2}, {suffix: "shes", cut: 2},
	{suffix: "uses", cut: 2}, {suffix: "iases", cut: 2},
	{suffix: "s", cut: 1},
}

// Singular gives the singular of a word in lower case, or the word.
func Singular(word string) string {
	if s, ok := irregular[word]; ok {
		return s
	}
	if len(word) < 4 && word != "ids" || uncounted[word] {
		return word
	}
	for _, e := range endings {
		if !strings.HasSuffix(word, e.suffix) || e.suffix == "ies" && len(word) == 4 {
			continue
		}
		if e.keep {
			return word
		}
		return word[:len(word)-e.cut] + e.add
	}
	return word
}

// SingularName folds a name with its last word in the singular: ChannelSenders
// → channelsender.
func SingularName(name string) string {
	words := Words(name)
	if len(words) == 0 {
		return ""
	}
	words[len(words)-1] = Singular(words[len(words)-1])
	return strings.Join(words, "")
}

// IsPlural reports whether the last word of a name is a plural.
func IsPlural(name string) bool {
	words := Words(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return Singular(last) != last
}
