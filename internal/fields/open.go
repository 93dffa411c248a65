package fields

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// endings say what the last word of a name that no rule knows suggests. The first row counts.
var endings = []struct {
	words string
	texts func(words []string) []Maker
}{
	{"id ids uid sid identifier gid oid pid xid key handle2 eid cid rid mid did token uri2 hash",
		func([]string) []Maker {
			return writes(func(f *formats.Faker) string { return formats.Letters(f, 12, formats.Lower32) })
		}},
	{"code number no num nr ref reference codes numbers indicator digits", func(words []string) []Maker {
		prefix := "TX"
		if len(words) > 1 {
			prefix = strings.ToUpper(words[len(words)-2])
			prefix = strings.Trim(prefix[:min(len(prefix), 2)], formats.Digits)
		}
		return append(patterns(prefix[:0]+fixed(prefix)+"-####"), patterns("####")...)
	}},
	{"type kind mode category class level format types subtype variant style scheme strategy policy tier " +
		"behavior behaviour group flavor method usage use option option setting " +
		"methods preference profile model as with flag operator purpose rule role template indicator state",
		func([]string) []Maker {
			return oneOf("standard|basic|default|custom|extended|manual|automatic")
		}},
	{"count total amount sum", func([]string) []Maker {
		return writes(func(f *formats.Faker) string { return strconv.Itoa(3 + f.IntN(200)) })
	}},
	{"user users customer member members reviewer assignees reviewers editor contact",
		func([]string) []Maker { return someone }},
	{"data raw payload bin binary base64 blob bytes buffer", func([]string) []Maker {
		return []Maker{writes(formats.Lookup("base64").Generate)[0]}
	}},
}

// fixed keeps the letters of a text that pattern would replace.
func fixed(text string) string {
	return strings.NewReplacer("#", "", "@", "", "~", "", "%", "", "*", "").Replace(text)
}

// questions begin the names of what is true or false.
var questions = naming.Set("is has can should allows")

// open finds texts for a name that no rule knows, from its own shape.
func (h *Hint) open(words []string, t Thing) {
	if len(words) == 0 {
		h.Texts = nameOf(nil, t)
		return
	}
	if len(words) > 1 && questions[words[0]] {
		h.Texts = oneOf("true|false")
		return
	}
	last := words[len(words)-1]
	for _, e := range endings {
		for word := range strings.FieldsSeq(e.words) {
			if word == last {
				h.Texts = e.texts(words)
				return
			}
		}
	}
	if t.is("url urls uri uris link links") {
		h.Texts, h.Formats = page(words, t), strings.Fields(URIFormats)
		return
	}
	words = words[max(0, len(words)-4):]
	own := strings.Join(words, " ")
	if len(words) == 1 && len(t.words) > 0 && t.Name() != own {
		own = t.words[len(t.words)-1] + " " + own
	}
	h.Texts = numbered(formats.Title(own))
}

// The forms of a text, for schemas that do not take it as it is.
const (
	AsItIs = iota
	Slug   // default-billing-plan
	Snake  // default_billing_plan
	Camel  // defaultBillingPlan
	Joined // DefaultBillingPlan
	Upper  // DEFAULT_BILLING_PLAN
	First  // default
	Cut    // shortened or repeated to fit a length
	Forms
)

// Form writes a text in another form; lo and hi bound its length in bytes.
func Form(text string, form, lo, hi int) string {
	if form == AsItIs {
		return text
	}
	if form == Cut {
		return fit(text, lo, hi)
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

// Keys gives names of the properties of a map about a thing, the likeliest first.
func Keys(t Thing) []string {
	if len(t.words) > 0 {
		last := t.words[len(t.words)-1]
		for _, row := range mapKeys {
			for name := range strings.FieldsSeq(row.maps) {
				if name == last {
					return strings.Fields(row.keys)
				}
			}
		}
	}
	return strings.Fields(usualKeys)
}
