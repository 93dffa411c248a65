package generate

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// hint is what a property's name suggests for its value. It counts only where the value conforms.
type hint struct {
	text    func(f *formats.Faker, at place, format string) string
	formats []string // that text writes, besides strings without a format
	numbers window   // zero: no suggestion
	event   int      // 1 and up: the time of an event, later ones after earlier ones
	picture *picture // that text is the URL of; nil: none
	side    int      // of the picture that the surrounding object describes: 1 the width, 2 the height
}

func (h *hint) window(f *formats.Faker, at place) *window {
	if h.event > 0 {
		t := eventTime(f, at, h.event).Unix()
		return &window{t, t}
	}
	if h.side > 0 {
		width, height := pictureSize(at)
		n := int64([]int{width, height}[h.side-1])
		return &window{n, n}
	}
	if h.numbers == (window{}) {
		return nil
	}
	return &h.numbers
}

func textHint(write func(*formats.Faker) string, formatNames ...string) *hint {
	return &hint{formats: formatNames, text: func(f *formats.Faker, at place, _ string) string {
		return write(f.Seed(uint64(at.key)))
	}}
}

func oneOf(texts ...string) *hint {
	return textHint(func(f *formats.Faker) string { return texts[f.IntN(len(texts))] })
}

// numberHint suggests numbers of a range, also in strings.
func numberHint(lo, hi int64) *hint {
	h := textHint(func(f *formats.Faker) string {
		return strconv.FormatInt(lo+int64(f.IntN(int(hi-lo+1))), 10)
	}, "decimal", "int32", "int64")
	h.numbers = window{lo, hi}
	return h
}

// personHint suggests what a function writes of the person that the surrounding object is about.
func personHint(write func(f *formats.Faker, first, last string) string, formatNames ...string) *hint {
	return &hint{formats: formatNames, text: func(f *formats.Faker, at place, _ string) string {
		f.Seed(uint64(at.object.at(1)))
		first := f.FirstName()
		return write(f, first, f.LastName())
	}}
}

func eventHint(event int) *hint {
	return &hint{event: event, formats: timeFormats, text: func(f *formats.Faker, at place, format string) string {
		return eventTime(f, at, event).Format(layout(format, time.RFC3339))
	}}
}

// eventTime gives the time of the n-th event in the life of the surrounding
// object: creation is the first, updates come later.
func eventTime(f *formats.Faker, at place, n int) time.Time {
	f.Seed(uint64(at.object.at(2)))
	t := formats.Epoch.Add(time.Duration(f.IntN(300*24*3600)) * time.Second)
	for range n - 1 {
		t = t.Add(time.Duration(1+f.IntN(20*24*3600)) * time.Second)
	}
	return t
}

var timeFormats = []string{"date", "date-time"}

func layout(format, usual string) string {
	switch format {
	case "date":
		return time.DateOnly
	case "date-time":
		return time.RFC3339
	}
	return usual
}

var (
	personName = personHint(func(_ *formats.Faker, first, last string) string { return first + " " + last })
	thingName  = textHint(func(f *formats.Faker) string {
		return formats.Title(formats.Adjective(f)) + " " + formats.Title(formats.Noun(f))
	})
	// uriFormats are the formats of addresses of pages and pictures.
	uriFormats = []string{"uri", "url", "iri", "uri-reference"}
)

// fieldRules say what property names suggest: names are in lower case, without separators. Where a name is in
// two rules, the last counts. Names that suggest a format are in package formats.
var fieldRules = []struct {
	names string
	hint  *hint
}{
	{"email emailaddress mail contactemail", personHint(func(_ *formats.Faker, first, last string) string {
		return formats.LocalPart(first) + "." + formats.LocalPart(last) + "@example.com"
	}, "email", "idn-email")},
	{"firstname givenname forename", personHint(func(_ *formats.Faker, first, _ string) string { return first })},
	{"lastname familyname surname", personHint(func(_ *formats.Faker, _, last string) string { return last })},
	{"fullname displayname realname author authorname owner ownername contactname customername username2 recipient sender " +
		"holder holdername cardholdername", personName},
	{"username login loginname nickname handle screenname userhandle", personHint(func(f *formats.Faker, first, last string) string {
		return formats.LocalPart(first) + formats.LocalPart(last)[:1] + formats.Letters(f, 2, formats.Digits)
	})},
	{"gender sex", oneOf("female", "male", "other")},
	{"birthday birthdate dateofbirth dob", &hint{formats: timeFormats, text: func(f *formats.Faker, at place, format string) string {
		years := 20 + f.Seed(uint64(at.key)).IntN(50)
		return formats.Epoch.AddDate(-years, 0, f.IntN(365)).Format(layout(format, time.DateOnly))
	}}},
	{"jobtitle job occupation role2 profession", textHint((*formats.Faker).JobTitle)},

	{"city town locality cityname", textHint((*formats.Faker).City)},
	{"country countryname", textHint((*formats.Faker).Country)},
	{"countrycode countryiso", textHint((*formats.Faker).CountryAbr)},
	{"province region statename", textHint((*formats.Faker).State)},
	{"street streetaddress address addressline1 line1 address1", textHint((*formats.Faker).Street)},
	{"addressline2 line2 address2", textHint(func(f *formats.Faker) string { return "Unit " + formats.Letters(f, 2, formats.Digits) })},
	{"housenumber streetnumber", textHint(func(f *formats.Faker) string { return formats.Letters(f, 2, formats.Digits) })},
	{"zip zipcode postalcode postcode plz", textHint((*formats.Faker).Zip)},
	{"timezone tz", textHint((*formats.Faker).TimeZoneRegion)},
	{"language lang locale languagecode", &hint{text: oneOf("en", "de", "fr", "es", "ja").text, formats: []string{"language"}}},
	{"latitude lat", numberHint(-90, 90)},
	{"longitude lng lon long", numberHint(-180, 180)},

	{"name label", thingName},
	{"title headline subject heading", textHint(func(f *formats.Faker) string {
		return formats.Title(formats.Adjective(f)) + " " + formats.Noun(f) + " " + formats.Noun(f)
	})},
	{"description summary comment comments note notes body bio about details message msg text caption excerpt content abstract " +
		"reason detail remarks", textHint(formats.Sentence)},
	{"tag category keyword topic genre group", textHint(formats.Noun)},
	{"status", oneOf("active", "inactive", "pending")},
	{"company companyname organization organisation organizationname employer vendor manufacturer brand merchant",
		textHint((*formats.Faker).Company)},
	{"url uri link href website homepage site permalink blog", textHint(func(f *formats.Faker) string {
		return "https://example.com/" + formats.Noun(f) + "/" + formats.Noun(f)
	}, uriFormats...)},
	{"filename file path filepath", textHint(func(f *formats.Faker) string { return formats.Noun(f) + ".txt" })},
	{"mimetype contenttype mediatype", oneOf("application/json")},
	{"useragent", textHint((*formats.Faker).UserAgent)},

	{"createdat created createdon createddate createtime datecreated creationdate creationtime createddatetime startdate " +
		"starttime startedat startat orderdate registeredat publishedat timestamp date datetime issuedat", eventHint(1)},
	{"updatedat updated updatedon updateddate updatetime dateupdated modified modifiedat modifiedon lastmodified lastupdated " +
		"lastmodifiedat pushedat updateddatetime enddate endtime endedat endat completedat finishedat closedat mergedat", eventHint(2)},
	{"deletedat deletedon expiresat expires expirydate expirationdate expireson archivedat duedate duetime dueat shipdate " +
		"deliverydate", eventHint(3)},

	{"id uid identifier", &hint{numbers: window{1, 1_000_000}, text: func(f *formats.Faker, at place, _ string) string {
		return formats.Letters(f.Seed(uint64(at.key)), 12, formats.Lower32)
	}}},
	{"slug permalinkslug", textHint(func(f *formats.Faker) string { return formats.Adjective(f) + "-" + formats.Noun(f) }, "slug")},
	{"sha sha1 hash checksum commitsha", textHint(func(f *formats.Faker) string { return formats.Letters(f, 40, formats.Hex) })},
	{"token accesstoken refreshtoken apikey secret password",
		textHint(func(f *formats.Faker) string { return formats.Letters(f, 32, formats.Lower36) }, "password")},

	{"currency currencycode", oneOf("EUR", "USD", "GBP", "CHF", "JPY")},
	{"price amount cost total subtotal fee balance salary revenue budget tax discount payment charge",
		&hint{numbers: window{1, 500}, formats: []string{"decimal"}, text: func(f *formats.Faker, at place, _ string) string {
			return strconv.Itoa(1+f.Seed(uint64(at.key)).IntN(500)) + "." + formats.Letters(f, 2, formats.Digits)
		}}},
	{"percent percentage progress ratio", numberHint(0, 100)},
	{"age", numberHint(18, 80)},
	{"rating stars", numberHint(1, 5)},
	{"quantity qty", numberHint(1, 20)},
	{"count total totalcount size length views likes followers following visits downloads votes score", numberHint(0, 100)},
	{"page pages pagecount totalpages priority rank position index level", numberHint(1, 10)},
	{"limit perpage pagesize offset", numberHint(10, 100)},
	{"year", numberHint(1990, 2030)},
	{"month", numberHint(1, 12)},
	{"day", numberHint(1, 28)},
	{"width height", numberHint(100, 2000)},
	{"port", numberHint(1024, 60000)},
	{"duration timeout interval ttl seconds minutes", numberHint(1, 600)},
}

// descriptionPhrases lead from phrases of a description to the name that it
// stands for. The first that is found counts.
var descriptionPhrases = []struct{ phrase, name string }{
	{"email address", "email"}, {"e-mail", "email"},
	{"uuid", "uuid"},
	{"iso 4217", "currency"}, {"currency code", "currency"},
	{"iso 3166", "countrycode"}, {"country code", "countrycode"},
	{"iso 639", "language"}, {"bcp 47", "language"}, {"language code", "language"},
	{"iso 8601", "timestamp"}, {"iso8601", "timestamp"}, {"rfc 3339", "timestamp"}, {"rfc3339", "timestamp"},
	{"unix time", "timestamp"}, {"unix timestamp", "timestamp"}, {"epoch", "timestamp"},
	{"ip address", "ip"}, {"time zone", "timezone"}, {"timezone", "timezone"},
	{"phone number", "phone"}, {"postal code", "zip"}, {"zip code", "zip"},
	{"url of", "url"}, {"uri of", "url"}, {"link to", "url"}, {"percentage", "percent"},
	{"identifier of", "id"}, {"unique identifier", "id"}, {"full name", "fullname"}, {"name of the user", "fullname"},
	{"sha of", "sha"}, {"commit hash", "sha"},
}

var (
	hints = func() map[string]*hint {
		m := map[string]*hint{}
		for i := range formats.All {
			format := &formats.All[i]
			h := textHint(format.Generate, format.Name)
			for name := range strings.FieldsSeq(format.FieldNames) {
				m[name] = h
			}
		}
		for _, rule := range fieldRules {
			for name := range strings.FieldsSeq(rule.names) {
				m[name] = rule.hint
			}
		}
		maps.Copy(m, pictureHints())
		return m
	}()
	// ambiguous names suggest nothing as the end of a longer name.
	ambiguous = strings.Fields("name state code number version time size type level index key first last start end content")
	// personal names say that an object is about a person.
	personal = strings.Fields(`email firstname lastname username login birthday dateofbirth givenname familyname phonenumber
		jobtitle`)
)

// hintOf finds the hint for a name in camelCase, snake_case or kebab-case: for
// the whole of it, else for its last words; singular and plural alike.
func hintOf(name string) *hint {
	words := naming.Words(name)
	for i := range words {
		joined := strings.Join(words[i:], "")
		for _, name := range []string{joined, strings.TrimSuffix(joined, "s")} {
			if h := hints[name]; h != nil && (i == 0 || !slices.Contains(ambiguous, name)) {
				return h
			}
		}
	}
	if len(words) > 1 && slices.Contains([]string{"num", "total", "number", "max", "min"}, words[0]) {
		return hints["count"]
	}
	return nil
}

func hintIn(description string) *hint {
	description = strings.ToLower(description[:min(len(description), 200)])
	for _, d := range descriptionPhrases {
		if strings.Contains(description, d.phrase) {
			return hints[d.name]
		}
	}
	return nil
}

func isPersonal(name string) bool {
	return slices.Contains(personal, strings.Join(naming.Words(name), ""))
}
