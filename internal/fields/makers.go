package fields

import (
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/words"
)

// texts are what a row writes about a property of such words, of an object.
type texts interface {
	makers(words []string, of Thing) []Maker
}

func (write Maker) makers([]string, Thing) []Maker { return []Maker{write} }

// depending are texts that depend on the property's words and the object.
type depending func(words []string, of Thing) []Maker

func (make depending) makers(words []string, of Thing) []Maker { return make(words, of) }

// several are all that each writes; the first that conforms counts.
type several []texts

func (s several) makers(words []string, of Thing) (all []Maker) {
	for _, each := range s {
		all = append(all, each.makers(words, of)...)
	}
	return all
}

// writes are texts that depend on the value's key alone.
type writes func(*formats.Faker) string

func (write writes) makers([]string, Thing) []Maker { return []Maker{writing(write)} }

// patterns are texts of a form: see pattern.
type patterns string

func (form patterns) makers([]string, Thing) []Maker { return Patterns(string(form)) }

// list is one of some texts.
type list []string

func (l list) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return l[f.IntN(len(l))] })}
}

// maker is what a row of the data refers to by its name.
type maker struct {
	texts   texts
	formats string // that the texts fit, separated by spaces
	listed  bool   // an enum's value that a text equals comes before others
	around  bool   // the texts depend on Place.Around
}

// madeTexts are the rows of texts.tsv.
var madeTexts = sync.OnceValue(func() map[string]maker {
	all := make(map[string]maker, words.Texts.Lines())
	for c := range words.Texts.Rows() {
		m := maker{formats: c[2]}
		switch c[1] {
		case "list":
			m.texts = list(strings.Split(c[3], "|"))
		case "pattern":
			m.texts = patterns(c[3])
		case "phrase":
			m.texts = phrase(c[3])
		}
		all[c[0]] = m
	}
	return all
})

// written returns the texts of a list of texts.tsv; nil if none.
func written(name string) []string {
	texts, _ := madeTexts()[name].texts.(list)
	return texts
}

// pickFrom returns one of the texts of a list of texts.tsv.
func pickFrom(f *formats.Faker, name string) string { return pick(f, written(name)...) }

// phrase is a pattern in which "{name}" stands for one of the list of that name.
type phrase string

func (p phrase) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		var b strings.Builder
		for rest := string(p); rest != ""; {
			before, after, _ := strings.Cut(rest, "{")
			b.WriteString(pattern(before)(f))
			name, then, isName := strings.Cut(after, "}")
			if isName {
				b.WriteString(pickFrom(f, name))
			}
			rest = then
		}
		return b.String()
	})}
}

// made returns what a name of the data stands for: a row of texts.tsv, a kind of things as "kind:team", or a function
// of this package. Its texts are nil if none.
func made(name string) maker {
	if m, ok := madeTexts()[name]; ok {
		return m
	}
	if kind, ok := strings.CutPrefix(name, "kind:"); ok && kinds()[kind] != nil {
		return maker{texts: depending(func([]string, Thing) []Maker { return kinds()[kind].called() })}
	}
	return function(name)
}

var functions struct {
	once   sync.Once
	byName map[string]maker
}

// function returns the functions of this package to which the data refer by name; the zero maker for other names.
func function(name string) maker {
	functions.once.Do(func() { functions.byName = makersByName() })
	return functions.byName[name]
}

func makersByName() map[string]maker {
	times := strings.Join(timeFormats, " ")
	localeTags := inPlaces{localeOf("-"), localeOf("_"), func(t *town) string { return t.language }}
	tag := writes(func(f *formats.Faker) string { return "v" + version(f) })
	return map[string]maker{
		"amount":           {texts: writes(amount), formats: "decimal"},
		"any-file":         {texts: depending(anyFile)},
		"base64":           {texts: writes(formats.Lookup("base64").Generate)},
		"bic":              {texts: inPlace(func(t *town) string { return "EXBK" + t.code + "FF" })},
		"birth-date":       {texts: Maker(birthDate), formats: times},
		"calling-code":     {texts: inPlaces{callingCode, func(t *town) string { return callingCode(t)[1:] }}},
		"card-number":      {texts: writes(cardNumber)},
		"categories":       {texts: depending(categories), around: true},
		"changed":          {texts: moment(2), formats: times},
		"code":             {texts: depending(codeOf)},
		"color":            {texts: writes((*formats.Faker).HexColor), formats: "color"},
		"company":          {texts: writes(companyName)},
		"coordinates":      {texts: inPlace(coordinates)},
		"country":          {texts: inPlaces{country, alpha2, alpha3}, listed: true},
		"country-code":     {texts: inPlaces{alpha2, alpha3}, listed: true},
		"created":          {texts: moment(1), formats: times},
		"currency":         {texts: inPlace(func(t *town) string { return t.currency }), listed: true},
		"currency-name":    {texts: inPlace(func(t *town) string { return t.currencyName })},
		"cursor":           {texts: writes(cursor)},
		"description":      {texts: depending(describe), formats: "markdown"},
		"digest":           {texts: several{digest(64), digest(40), digest(32)}},
		"digest-40":        {texts: digest(40)},
		"email":            {texts: person(emailAddress), formats: "email idn-email"},
		"ended":            {texts: moment(3), formats: times},
		"failure":          {texts: saying("said-failures")},
		"figure":           {texts: writes(figure)},
		"file-name":        {texts: depending(fileNameOf)},
		"first-name":       {texts: person(func(_ *formats.Faker, first, _ string) string { return first })},
		"full-name":        {texts: person(fullName)},
		"honorific":        {texts: depending(honorific)},
		"house-number":     {texts: writes(houseNumber)},
		"iban":             {texts: Maker(iban)},
		"ipv4":             {texts: writes(ipv4), formats: "ipv4 ip"},
		"job-title":        {texts: writes((*formats.Faker).JobTitle)},
		"language":         {texts: inPlace(func(t *town) string { return t.language }), formats: "language", listed: true},
		"last-name":        {texts: person(func(_ *formats.Faker, _, last string) string { return last })},
		"latitude":         {texts: near(latitude)},
		"locale":           {texts: localeTags, formats: "language", listed: true},
		"longitude":        {texts: near(longitude)},
		"message":          {texts: depending(message)},
		"middle-name":      {texts: writes((*formats.Faker).FirstName)},
		"name":             {texts: depending(nameOfWords)},
		"numbered":         {texts: depending(numbered)},
		"opaque":           {texts: writes(opaque)},
		"page":             {texts: depending(page), formats: URIFormats},
		"phone":            {texts: depending(phones), formats: "phone phonenumber"},
		"plain-text":       {texts: depending(plainText), formats: "markdown"},
		"postal-code":      {texts: several{Maker(postalCode), patterns("#####")}},
		"public-key":       {texts: several{Maker(publicKey), digest(64), digest(32)}},
		"readable-name":    {texts: depending(readableName)},
		"region":           {texts: inPlaces{region, func(t *town) string { return t.regionCode }}, listed: true},
		"secret":           {texts: writes(secret), formats: "password"},
		"small-number":     {texts: writes(smallNumber), formats: "decimal"},
		"someone":          {texts: writes(someone)},
		"span":             {texts: several{writes(isoSpan), patterns("3#m")}, formats: "duration"},
		"ssh-key":          {texts: writes(sshKey)},
		"street":           {texts: Maker(street)},
		"tags":             {texts: depending(tags), around: true},
		"tax-number":       {texts: Maker(taxNumber)},
		"time":             {texts: several{moment(1), writes(clock)}, formats: times},
		"time-zone":        {texts: inPlace(func(t *town) string { return t.zone })},
		"title":            {texts: depending(titleOf)},
		"town":             {texts: inPlace(func(t *town) string { return t.city })},
		"town-country":     {texts: inPlace(func(t *town) string { return t.city + ", " + t.country })},
		"unit-of-building": {texts: writes(unitOfBuilding)},
		"user-name":        {texts: person(userName)},
		"uuid":             {texts: writes(formats.Lookup("uuid").Generate), formats: "uuid guid"},
		"version":          {texts: several{writes(version), tag}, formats: "semver"},
		"weekday":          {texts: depending(weekday)},
	}
}

// numbersMade returns the numbers that a row of names.tsv refers to: a range as "0.5..2.0", or a function of this
// package; nil if none.
func numbersMade(name string) func(*formats.Faker, Context) Window {
	if w, ok := Range(name); ok {
		return w.window
	}
	switch name {
	case "created":
		return moment(1).window
	case "changed":
		return moment(2).window
	case "ended":
		return moment(3).window
	case "latitude":
		return near(latitude).window
	case "longitude":
		return near(longitude).window
	}
	return nil
}

// Range reads a range such as "0.5..2.0", whose ends have the decimals that the numbers have.
func Range(text string) (Window, bool) {
	low, high, ok := strings.Cut(text, "..")
	_, decimals, _ := strings.Cut(low, ".")
	w := Window{parseScaled(low), parseScaled(high), 1}
	for range len(decimals) {
		w.Scale *= 10
	}
	return w, ok
}

func parseScaled(number string) int64 {
	n, _ := strconv.ParseInt(strings.Replace(number, ".", "", 1), 10, 64)
	return n
}

func (w Window) window(*formats.Faker, Context) Window { return w }

// between are whole numbers.
func between(lo, hi int64) Window { return Window{lo, hi, 1} }

// writing is the maker of a text that depends on the value's key alone.
func writing(write func(*formats.Faker) string) Maker {
	return func(f *formats.Faker, at Context, _ string) string { return write(f.Seed(at.Key)) }
}

// inLocale takes one of the texts that the locale has, else one in English.
func inLocale(own func(*locales.Locale) []string, english []string) []Maker {
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

func pick(f *formats.Faker, texts ...string) string { return texts[f.IntN(len(texts))] }

// figures writes numbers as texts.
func figures(suggest func(*formats.Faker, Context) Window) []Maker {
	return []Maker{func(f *formats.Faker, at Context, _ string) string {
		w := suggest(f, at)
		n := w.Lo + int64(f.Seed(at.Key).IntN(int(w.Hi-w.Lo)+1))
		digits := len(strconv.FormatInt(max(w.Scale, 1), 10)) - 1
		return strconv.FormatFloat(float64(n)/float64(max(w.Scale, 1)), 'f', digits, 64)
	}}
}
