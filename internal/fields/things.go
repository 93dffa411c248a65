package fields

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// Thing is what an object is about.
type Thing struct {
	words  []string // "purchase", "order"; the last says most
	joined string   // "purchaseorder"
	kind   *kind    // nil where it is none that is known
}

// IsKnown reports whether the thing is of a kind that has its own names and sentences.
func (t Thing) IsKnown() bool { return t.kind != nil }

// Name is the thing's last word, as a property's name.
func (t Thing) Name() string {
	if len(t.words) == 0 {
		return ""
	}
	return t.words[len(t.words)-1]
}

// text is the thing's name in a sentence: of one that is not known its last words, as far as they look like words.
func (t Thing) text() string {
	words := t.words
	if t.kind == nil {
		const least, most = 3, 12 // letters
		isNoWord := func(w string) bool { return len(w) < least || len(w) > most }
		words = slices.Compact(slices.DeleteFunc(slices.Clone(words), isNoWord))
		words = words[max(0, len(words)-2):]
	}
	if len(words) == 0 {
		return "item"
	}
	return strings.Join(words, " ")
}

// is reports whether the thing is one of some, by its kind or its last words.
func (t Thing) is(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if t.kind != nil && name == t.kind.name || len(t.words) > 0 && name == t.words[len(t.words)-1] || name == t.joined {
			return true
		}
	}
	return false
}

// TakesPlace reports whether the thing happens at a time, for some hours.
func (t Thing) TakesPlace() bool { return t.is(arranged) }

// IsBrief reports whether the thing takes place, or is work of a machine or a talk, that is over within hours.
func (t Thing) IsBrief() bool { return t.TakesPlace() || t.is(brief) }

// IsHeard reports whether the thing is sound: its preview is no picture.
func (t Thing) IsHeard() bool { return t.is("album audiobook episode chapter podcast recording") }

// HasAddress reports whether e-mails to the thing are addressed with its name: those about a campaign are not.
func (t Thing) HasAddress() bool {
	return t.is("person company team location branch hotel restaurant hospital school venue club farm artist account")
}

// IsPerson reports whether the thing is somebody.
func (t Thing) IsPerson() bool { return t.kind != nil && t.kind.name == "person" }

// Told is what the names of an object's properties say of what it is about: a bit for each row of tells.
type Told uint32

// tells are the kinds of things by properties that they have.
var tells = []struct {
	properties string
	of         string // the things that are of the kind, as in rule; "?" are those of no known kind, "-" those without a name
	kind       string
}{
	{dwelling, "home product ticket ?", "home"},
	{"soilph croptype areaha boundaryid farmid", "field", "farmland"},
	{"roomid homeid", "device", "smartdevice"},
	{automated, "event", "deviceevent"},
	{automated, "room", "homeroom"},
	{automated, "home", "smarthome"},
	{"raisedamount goalamount donorcount", "template ? -", "fundingcampaign"},
	{"blockchain contractaddress circulatingsupply", "? file - device", "cryptoasset"},
	{"maturityrating imdbrating seasoncount", "? -", "show"},
	{"baseasset quoteasset ticksize feeasset timeinforce quotevolume", "order company ? -", "tradingorder"},
	{"open24h high24h openinterest", "?", "tradingorder"},
	{"fromclub toclub", "? company", "playertransfer"},
	{"analyte detectionlimit", "? -", "analyticalresult"},
	{"allowfailure exitcode", "job", "cijob"},
	{"registrar nameservers tld", "?", "domain"},
	{"accessionnumber creditline", "location ? -", "artwork"},
	{"latitude openingtime openinghours", "branch", "location"},
	{"employername salarymin salarymax jobtitle salarytype", "job", "jobposting"},
	{"annualrevenue industry", "account", "company"},
	{"phone phonenumber taxnumber vatid city", "client", "company"},
	{"menuitemid dishid", "product ticket device ? -", "dish"},
	{"isbn isbn13 callnumber", "-", "book"},
	{"eartag breed", "? -", "livestock"},
	{personal, "device -", "person"},
}

const (
	// dwelling are properties that homes have, automated those of homes that are automated.
	dwelling = "bedrooms bathrooms bedroomcount bathroomcount livingarea livingareasqft livingareasqm " +
		"propertytype lotsize yearbuilt"
	automated = "deviceid deviceids devicecount targettemperature"
)

// toldBy has the rows of tells that a property's name is in.
var toldBy = sync.OnceValue(func() map[string]Told {
	rows := map[string]Told{}
	for i := range tells {
		for name := range strings.FieldsSeq(tells[i].properties) {
			rows[name] |= 1 << i
		}
	}
	return rows
})

// Tell reads the names of an object's properties.
func Tell(names []string) (told Told) {
	for _, name := range names {
		told |= toldBy()[strings.Join(Words(name), "")]
	}
	return told
}

// With returns what an object is about where its properties say more than its name; false if they do not.
func (t Thing) With(told Told) (Thing, bool) {
	for i := range tells {
		if row := &tells[i]; told&(1<<i) != 0 && t.isNamed(row.of) {
			k := kinds()[row.kind]
			switch {
			case t.kind == k:
				return t, false
			case len(t.words) == 0 || row.kind == "person":
				return thingOf(row.kind), true
			case t.joined == t.Name():
				return Thing{t.words, row.kind, k}, true
			}
			return Thing{t.words, t.joined, k}, true // library branch
		}
	}
	return t, false
}

// isNamed is is, with the things of no known kind and those without a name.
func (t Thing) isNamed(of string) bool {
	for name := range strings.FieldsSeq(of) {
		switch {
		case name == "-" && len(t.words) == 0, name == "?" && len(t.words) > 0 && !t.IsKnown():
			return true
		}
	}
	return t.is(of)
}

// Person is the thing that has a first and a last name.
var Person = Thing{[]string{"person"}, "person", &kindTable[0]}

// thingOf is the thing of a kind.
func thingOf(kind string) Thing { return Thing{[]string{kind}, kind, kinds()[kind]} }

// wrapping are words that say how something is sent, and not what it is.
var wrapping = naming.LazySet(`response request result results data dto model object info information detail details base simple
	full nullable create created update updated list listing lists collection page paginated item items entry entries element
	record value values payload body attributes properties content contents response node nodes edge edges resource entity schema input
	output params parameters wrapped wrapper nested v1 v2 v3 v4 api get all read write new summary minimal extended public private response inner
	json type meta metadata options embedded links included embedded the a an of with and for by in to`)

// technicalEnds end the names of schemas that say the same without them: ArtistContract, ProductOfferingPartial.
var technicalEnds = naming.LazySet(`contract partial vm viewmodel serializer bean pojo vo bo wire proto representation projection bundle struct ref refs
	reference references param params haljson hal single search`)

// held stand before "holder" in the names of people: a media type holder is none.
var held = naming.LazySet(`account card policy share stake ticket title key license licence bond right rights record office
	permit option loan pass
	badge lease debt`)

// ThingOf returns what the place that tokens of a document lead to is about: the name of a component or of a property,
// else of a path.
func ThingOf(tokens []string) Thing {
	var first Thing
	for i := len(tokens) - 1; i > 0; i-- {
		name, isName := "", true
		switch before := tokens[i-1]; before {
		case "properties", "schemas", "definitions", "$defs", "responses", "requestBodies", "parameters":
			name = tokens[i][strings.LastIndexByte(tokens[i], '.')+1:] // io.k8s.api.batch.v1.Job
		case "paths":
			name = lastSegment(tokens[i])
		default:
			isName = false
		}
		if !isName {
			continue
		}
		if tokens[i] == "_links" {
			return thingOf("linkset")
		}
		t := Named(name)
		if t.IsKnown() {
			return t
		}
		if len(first.words) == 0 {
			first = t
		}
		if tokens[i-1] == "paths" || len(first.words) > 0 {
			break
		}
	}
	return first
}

// lastSegment returns the last segment of a path, of its end at most, that is no parameter.
func lastSegment(path string) string {
	const end = 200 // bytes: paths of any length take the same time
	segments := strings.Split(path[max(0, len(path)-end):], "/")
	for _, s := range slices.Backward(segments) {
		if s != "" && !strings.Contains(s, "{") {
			return s
		}
	}
	return ""
}

// land stands before "state" in the names of regions.
var land = naming.LazySet("us usa federal country province home german indian brazilian mexican shipping billing tax")

// Named returns the thing that a name stands for; one without words for a name that says nothing.
func Named(name string) Thing {
	words := Words(name)
	joined := strings.Join(words, "")
	if k := kinds()[joined]; k != nil {
		return Thing{words, joined, k} // "ticket type": no ticket
	}
	isTechnical := func(last int) bool {
		return technicalEnds.Has(words[last]) || words[last] == "holder" && !held.Has(words[last-1])
	}
	if last := len(words) - 1; last > 0 && isTechnical(last) {
		words = words[:last]
	}
	all := words
	words = slices.DeleteFunc(slices.Clone(all), func(w string) bool {
		return wrapping.Has(w) || strings.Trim(w, formats.Digits) == ""
	})
	switch last := len(all) - 1; {
	case len(words) == 0 && last > 0 && (all[last] == "type" || all[last] == "model"): // data_type
		words = all
	case len(words) == 0:
		return Thing{}
	}
	words = words[max(0, len(words)-3):]
	last := len(words) - 1
	words[last] = naming.Singular(words[last])
	joined = strings.Join(words, "")
	for i, rest := 0, joined; i < len(words); rest, i = rest[len(words[i]):], i+1 {
		if k := kinds()[rest]; k != nil {
			if rest == "state" && i > 0 && !land.Has(words[i-1]) {
				k = kinds()["status"] // of a permission
			}
			return Thing{words, joined, k}
		}
	}
	return Thing{words: words, joined: joined}
}
