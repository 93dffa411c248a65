package fields

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/naming"
)

// endings say what the last word of a name that no rule knows suggests. The first row counts.
var endings = []struct {
	words string
	texts texts
}{
	{"id ids uid sid iid kid sub identifier gid oid pid xid key handle2 eid cid rid mid did token uri2 hash",
		writes(func(f *formats.Faker) string { return formats.Letters(f, 12, formats.Lower32) })},
	{"code number no num nr ref reference codes numbers indicator digits", made(func(words []string, _ Thing) []Maker {
		prefix := "TX"
		if len(words) > 1 {
			prefix = strings.ToUpper(words[len(words)-2])
			prefix = strings.Trim(prefix[:min(len(prefix), 2)], formats.Digits)
		}
		return several{patterns(fixed(prefix) + "-####"), patterns("####")}.makers(nil, Thing{})
	})},
	{"type kind category class format types subtype variant scheme tier group flavor option setting preference profile model as with " +
		"purpose rule role template state", oneOf("standard|basic|default|custom|extended")},
	{"mode strategy policy behavior behaviour method methods usage use", oneOf("default|automatic|manual")},
	{"style", oneOf("default|classic|modern|compact|bold")},
	{"level", oneOf("low|medium|high")},
	{"flag flg indicator", oneOf("Y|N")},
	{"operator comparator", oneOf("eq|ne|gt|lt|contains")},
	{"count total amount sum cnt", writes(func(f *formats.Faker) string { return strconv.Itoa(3 + f.IntN(200)) })},
	{"user users customer member members reviewer assignees reviewers editor contact", writes(someone)},
	{"data raw payload bin binary base64 blob bytes buffer", formatted("base64")},
}

// endingOf finds the texts that the last word of a name suggests, nil for none.
func endingOf(words []string) texts {
	if len(words) == 0 {
		return nil
	}
	for _, e := range endings {
		for word := range strings.FieldsSeq(e.words) {
			if word == words[len(words)-1] || word == naming.Singular(words[len(words)-1]) {
				return e.texts
			}
		}
	}
	return nil
}

// fixed keeps the letters of a text that pattern would replace.
func fixed(text string) string {
	return strings.NewReplacer("#", "", "@", "", "~", "", "%", "", "*", "").Replace(text)
}

// questions begin the names of what is true or false.
var questions = naming.LazySet("is has can should allows allow enable enables must supports requires")

// open finds texts for a name that no rule knows, from its own shape.
func (h *Hint) open(words []string, t Thing) {
	if len(words) == 0 {
		h.Texts = nameOf(nil, t)
		return
	}
	if texts := endingOf(words); texts != nil {
		if h.Texts = sorts(words, t); h.Texts == nil {
			h.Texts = texts.makers(words, t)
		}
		return
	}
	if t.is("url urls uri uris link links") {
		h.Texts, h.Formats, h.Open = page(words, t), strings.Fields(URIFormats), true
		return
	}
	h.Texts, h.Open = ownWords(words), true
}

// sorts writes sorts of the thing whose type a name is: custom_episode for episodeType. It is nil for other names.
func sorts(words []string, t Thing) []Maker {
	last := len(words) - 1
	switch words[last] {
	case "type", "kind", "subtype", "class":
	default:
		return nil
	}
	of := words[:last]
	if last == 0 {
		of = t.words
	}
	if len(of) == 0 {
		return nil
	}
	thing := "_" + strings.Join(of[max(0, len(of)-2):], "_")
	return []Maker{writing(func(f *formats.Faker) string {
		return pick(f, "standard", "custom", "special", "basic", "temporary", "seasonal") + thing
	})}
}

// ownWords writes the words of a name that nothing is known of, and a letter that tells texts apart: "Study C". It is a
// code where the name is an abbreviation, and a sentence where that is too short.
func ownWords(words []string) []Maker {
	const most, brief = 3, 3 // words, letters of abbreviations
	words = slices.Clone(words[max(0, len(words)-most):])
	last := len(words) - 1
	words[last] = naming.Singular(words[last])
	text := formats.Title(strings.Join(words, " ")) + " "
	own := func(f *formats.Faker) string { return text + pick(f, letters...) }
	if last == 0 && len(words[0]) <= brief {
		prefix, number := strings.ToUpper(words[0])+"-", pattern("####")
		own = func(f *formats.Faker) string { return prefix + number(f) }
	}
	return []Maker{writing(own), said(sentences, Thing{})}
}

var letters = strings.Split(upper, "")

// The forms of a text, for schemas that do not take it as it is.
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

// figureOf returns the last digits of a code of capitals and digits, and another text as it is.
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

// mapKeys are what the properties of maps are called, by the last word of the map's name.
var mapKeys = []struct{ maps, keys string }{
	{"translation translations localization locales i18n names titles descriptions languages2", "en de fr es it " +
		"nl pt ja sv pl da fi"},
	{"header headers", "content-type cache-control etag x-request-id accept-language vary retry-after " +
		"x-rate-limit server date"},
	{"rate rates exchangerates currencies prices amounts", "EUR USD GBP CHF JPY SEK DKK PLN CAD AUD"},
	{"language languages", "Go TypeScript Python Shell Rust Java Kotlin HTML CSS"},
	{"environment env variables vars envs", "LOG_LEVEL REGION CACHE_TTL API_URL FEATURE_FLAGS TIME_ZONE WORKERS"},
	{"count counts totals statistics stats metrics scores", "views orders visits returns downloads shares reviews"},
	{"permission permissions scopes roles access", "read write admin billing reports export invite"},
	{"feature features flags toggles capabilities", "dark_mode export search notifications comments two_factor " +
		"beta"},
	{"error errors violations", "email name quantity start_date price address phone"},
	{"product variant article attribute attributes specification specifications specs", "color material size style finish pattern capacity"},
	{"file files attachments artifacts", "readme.md report.pdf notes.txt data.csv photo.jpg"},
	{"link links urls", "self next previous first last related"},
	{"status inventory states", "available pending sold reserved returned"},
	{"user users members", "anna ben clara david elena"},
	{"image images photo photos picture pictures thumbnail thumbnails icon icons logo logos avatar avatars", "small medium " +
		"large original thumbnail"},
}

const usualKeys = "environment team region source priority channel owner department cost_center stage reference " +
	"version"

// keyedBy are what the properties of maps are called, by the last word of what a description or a name says of the
// keys: "a map from node IDs to URLs", "keyed by locale", pricesByCurrency.
var keyedBy = []struct{ keys, names string }{
	{"id ids identifier identifiers uuid", "k3p9x2 b7q4m1 w8d6t5 h2n7c4 r5v1z8 j6f3y9"},
	{"locale locales language languages", "en de fr es it nl pt ja"},
	{"currency currencies", "EUR USD GBP CHF JPY SEK"},
	{"country countries", "DE FR US GB NL ES IT JP"},
	{"header headers", "content-type cache-control etag x-request-id accept-language vary"},
	{"file files filename filenames path paths", "readme.md report.pdf notes.txt data.csv photo.jpg"},
	{"label labels tag tags", "environment team region stage priority channel"},
	{"date dates day days", "2025-03-03 2025-03-04 2025-03-05 2025-03-06 2025-03-07"},
	{"month months", "2025-01 2025-02 2025-03 2025-04 2025-05"},
	{"year years", "2021 2022 2023 2024 2025"},
	{"email emails address addresses", "anna@example.com ben@example.com clara@example.com david@example.com"},
	{"user users username usernames login logins member members", "anna ben clara david elena"},
	{"domain domains host hosts hostname hostnames", "www.example.com shop.example.com api.example.com docs.example.com"},
	{"size sizes", "small medium large original"},
	{"status statuses state states", "open pending done cancelled"},
	{"region regions", "eu-west us-east ap-south eu-north"},
	{"platform platforms", "web ios android desktop"},
	{"field fields property properties column columns", "name email status quantity start_date price"},
}

// keysSaid finds what a description says of the keys of a map.
var keysSaid = lazyregexp.New(`(?i)\b(?:keyed (?:by|on|with)|indexed by|(?:map|mapping|dictionary|hash|object) (?:from|of|mapping)|` +
	`keys? (?:is|are|being|represents?)|grouped by|per) (?:(?:the|an?|its|their|each|all) )?((?:[\w-]+ ){0,3}?[\w-]+)` +
	`(?: ?(?:to|,|;|\.|\)|and|with|whose|=>|->|→|\n)|$)`)

// Keys returns names of the properties of a map, by its name and its description, the likeliest first.
func Keys(name, description string) []string {
	if said := keysSaid.Get().FindStringSubmatch(description[:min(len(description), maxDescription)]); said != nil {
		if keys := keysNamed(Words(strings.ReplaceAll(said[1], " ", "_"))); keys != nil {
			return keys
		}
	}
	words := Words(name)
	n := len(words) - 1
	if n > 1 && words[n-1] == "by" {
		if keys := keysNamed(words); keys != nil {
			return keys
		}
	}
	for _, row := range mapKeys {
		for of := range strings.FieldsSeq(row.maps) {
			if n >= 0 && naming.Singular(of) == naming.Singular(words[n]) {
				return strings.Fields(row.keys)
			}
		}
	}
	return strings.Fields(usualKeys)
}

// keysNamed returns keys of what words end in; nil for nothing known.
func keysNamed(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	for _, row := range keyedBy {
		for name := range strings.FieldsSeq(row.keys) {
			if name == words[len(words)-1] {
				return strings.Fields(row.names)
			}
		}
	}
	return nil
}
