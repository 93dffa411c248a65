package generate

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/coldframe/coldframe/internal/naming"
)

// hint is what a property's name tells of its value. It is used only where the
// value conforms.
type hint struct {
	text    func(f *faker, at place, format string) string
	formats []string // besides none, those that text makes
	numbers window   // zero: nothing is known
	moment  int      // 1 and up: a time, later ones after earlier ones
}

func (h *hint) fits(format string) bool {
	for _, f := range h.formats {
		if f == format {
			return true
		}
	}
	return false
}

// single gives the hint for the elements of an array.
func (h *hint) single() *hint { return h }

// window gives the numbers that look right.
func (h *hint) window(r *run, at place) *window {
	if h.moment > 0 {
		t := occasion(r.fake, at, h.moment).Unix()
		return &window{t, t}
	}
	if h.numbers == (window{}) {
		return nil
	}
	return &h.numbers
}

// hintFor finds the hint for a name in camelCase, snake_case or kebab-case: for
// the whole of it, else for its last words.
func hintFor(name string) *hint {
	words := naming.Words(name)
	for i := range words {
		joined := strings.Join(words[i:], "")
		if h := hintTable[joined]; h != nil && (i == 0 || !wholeOnly[joined]) {
			return h
		}
		if single, ok := strings.CutSuffix(joined, "s"); ok {
			if h := hintTable[single]; h != nil && (i == 0 || !wholeOnly[single]) {
				return h
			}
		}
	}
	if len(words) > 1 {
		if first := words[0]; first == "num" || first == "total" || first == "number" || first == "max" || first == "min" {
			return hintTable["count"]
		}
	}
	return nil
}

// wholeOnly are names that tell nothing as the end of a longer one.
var wholeOnly = map[string]bool{
	"name": true, "state": true, "code": true, "number": true, "version": true, "time": true, "size": true, "type": true,
	"level": true, "index": true, "key": true, "first": true, "last": true, "start": true, "end": true, "content": true, "year": false,
}

// personal are names that say that an object is about a person.
var personal = map[string]bool{
	"email": true, "firstname": true, "lastname": true, "username": true, "login": true, "birthday": true,
	"dateofbirth": true, "givenname": true, "familyname": true, "phonenumber": true, "jobtitle": true,
}

func isPersonal(name string) bool { return personal[strings.Join(naming.Words(name), "")] }

var (
	personName = &hint{text: func(f *faker, at place, _ string) string {
		first, last := person(f, at)
		return first + " " + last
	}}
	thingName = &hint{text: func(f *faker, at place, _ string) string {
		return title(adjective(f.at(at.key))) + " " + title(noun(f))
	}}
)

// person gives the one person that an object is about.
func person(f *faker, at place) (first, last string) {
	f.at(at.object.at(1))
	return f.FirstName(), f.LastName()
}

// said makes a hint of what gofakeit says.
func said(say func(f *faker) string, formats ...string) *hint {
	return &hint{text: func(f *faker, at place, _ string) string { return say(f.at(at.key)) }, formats: formats}
}

// counted makes a hint for numbers; as a string they are written out.
func counted(lo, hi int64) *hint {
	return &hint{numbers: window{lo, hi}, text: func(f *faker, at place, _ string) string {
		return strconv.FormatInt(lo+int64(f.at(at.key).stream.below(int(hi-lo+1))), 10)
	}, formats: []string{"decimal", "int32", "int64"}}
}

// occasion gives the time of an event in the life of what the object is about:
// created first, updated later.
func occasion(f *faker, at place, moment int) time.Time {
	f.at(at.object.at(2))
	t := epoch.Add(time.Duration(f.stream.below(300*24*3600)) * time.Second)
	for range moment - 1 {
		t = t.Add(time.Duration(1+f.stream.below(20*24*3600)) * time.Second)
	}
	return t
}

func timed(moment int) *hint {
	return &hint{
		moment: moment,
		text: func(f *faker, at place, format string) string {
			t := occasion(f, at, moment)
			if format == "date" {
				return t.Format(time.DateOnly)
			}
			return t.Format(time.RFC3339)
		},
		formats: []string{"date", "date-time"},
	}
}

// mailbox makes an address under a domain that nobody has (RFC 2606).
func mailbox(f *faker) string {
	return plain(f.FirstName()) + "." + plain(f.LastName()) + "@example.com"
}

// plain keeps the letters of a name that an address can have, in lower case.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, name)
}

func title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

var nouns = strings.Fields(`acorn anchor apple arrow basket beacon birch bridge button cable candle canvas cedar circle
	clover cloud comet coral cotton crystal daisy ember engine fable feather fern field flint forest fountain garden glacier
	granite harbor hazel hollow island ivory jasmine juniper kettle ladder lagoon lantern laurel lemon lily linen maple
	marble meadow mirror moss mountain needle nettle oak ocean olive orchard paper pebble pepper pine planet plum pocket
	prairie quartz quill rain raven ribbon river rocket rose saffron sage sail shadow shore silver sparrow spruce stone
	summit thistle timber trail tulip valley velvet violet walnut willow winter`)

var adjectives = strings.Fields(`amber ancient azure bold brave bright calm clear clever cool crisp deep eager early easy fair
	fine fresh gentle glad golden grand green happy honest humble keen kind light lively lucky mellow mild neat noble open
	pale plain proud quick quiet rapid rare ready rich round royal sharp silent simple slow smooth soft solid steady strong
	sunny sweet swift tall tidy tiny true vivid warm wide wild wise young`)

func noun(f *faker) string      { return nouns[f.stream.below(len(nouns))] }
func adjective(f *faker) string { return adjectives[f.stream.below(len(adjectives))] }

func sentence(f *faker) string {
	return "The " + adjective(f) + " " + noun(f) + " and the " + adjective(f) + " " + noun(f) + "."
}

func link(f *faker) string { return "https://example.com/" + noun(f) + "/" + noun(f) }

func picture(f *faker) string { return "https://example.com/images/" + noun(f) + ".png" }

// hintTable is by name, in lower case and without separators.
var hintTable = func() map[string]*hint {
	uris := []string{"uri", "url", "iri", "uri-reference"}
	first := &hint{text: func(f *faker, at place, _ string) string { first, _ := person(f, at); return first }}
	last := &hint{text: func(f *faker, at place, _ string) string { _, last := person(f, at); return last }}
	email := &hint{text: func(f *faker, at place, _ string) string {
		first, last := person(f, at)
		return plain(first) + "." + plain(last) + "@example.com"
	}, formats: []string{"email", "idn-email"}}
	username := &hint{text: func(f *faker, at place, _ string) string {
		first, last := person(f, at)
		return plain(first) + plain(last)[:1] + digit(f, 2)
	}}
	created, updated, later := timed(1), timed(2), timed(3)
	url, image := said(link, uris...), said(picture, uris...)
	id := &hint{numbers: window{1, 1_000_000}, text: func(f *faker, at place, _ string) string {
		return letters(f.at(at.key), 12, "0123456789abcdefghjkmnpqrstvwxyz")
	}}
	count, price := counted(0, 100), &hint{numbers: window{1, 500}, text: func(f *faker, at place, _ string) string {
		return strconv.Itoa(1+f.at(at.key).stream.below(500)) + "." + digit(f, 2)
	}, formats: []string{"decimal"}}
	born := &hint{text: func(f *faker, at place, format string) string {
		t := epoch.AddDate(-20-f.at(at.key).stream.below(50), 0, f.stream.below(365))
		if format == "date-time" {
			return t.Format(time.RFC3339)
		}
		return t.Format(time.DateOnly)
	}, formats: []string{"date", "date-time"}}
	text, heading := said(sentence), said(func(f *faker) string { return title(adjective(f)) + " " + noun(f) + " " + noun(f) })
	country := said(func(f *faker) string { return f.Country() })
	countryCode := said(func(f *faker) string { return f.CountryAbr() })
	street := said(func(f *faker) string { return f.Street() })
	zip := said(func(f *faker) string { return f.Zip() })
	call := said(phone, "phone", "phonenumber")
	company := said(func(f *faker) string { return f.Company() })
	currency := said(func(f *faker) string { return []string{"EUR", "USD", "GBP", "CHF", "JPY"}[f.stream.below(5)] })
	language := said(func(f *faker) string { return []string{"en", "de", "fr", "es", "ja"}[f.stream.below(5)] }, "language")
	color := said(func(f *faker) string { return f.HexColor() }, "color")
	slug := said(func(f *faker) string { return adjective(f) + "-" + noun(f) }, "slug")
	sha := said(func(f *faker) string { return letters(f, 40, "0123456789abcdef") })
	token := said(func(f *faker) string { return letters(f, 32, "0123456789abcdefghijklmnopqrstuvwxyz") }, "password")
	job := said(func(f *faker) string { return f.JobTitle() })

	table := map[string]*hint{}
	add := func(h *hint, names string) {
		for name := range strings.FieldsSeq(names) {
			table[name] = h
		}
	}
	add(email, "email emailaddress mail contactemail")
	add(first, "firstname givenname forename")
	add(last, "lastname familyname surname")
	add(personName, "fullname displayname realname author authorname owner ownername contactname customername username2 recipient sender holder holdername cardholdername")
	add(username, "username login loginname nickname handle screenname userhandle")
	add(thingName, "name label")
	add(said(func(f *faker) string { return f.City() }), "city town locality cityname")
	add(country, "country countryname")
	add(countryCode, "countrycode countryiso")
	add(said(func(f *faker) string { return f.State() }), "province region statename")
	add(street, "street streetaddress address addressline1 line1 address1")
	add(said(func(f *faker) string { return "Unit " + digit(f, 2) }), "addressline2 line2 address2")
	add(said(func(f *faker) string { return digit(f, 2) }), "housenumber streetnumber")
	add(zip, "zip zipcode postalcode postcode plz")
	add(call, "phone phonenumber telephone mobile mobilenumber mobilephone fax cell tel")
	add(company, "company companyname organization organisation organizationname employer vendor manufacturer brand merchant")
	add(url, "url uri link href website homepage site permalink blog")
	add(image, "avatar avatarurl image imageurl picture photo photourl photourls thumbnail thumbnailurl icon iconurl logo logourl cover")
	add(price, "price amount cost total subtotal fee balance salary revenue budget tax discount payment charge")
	add(currency, "currency currencycode")
	add(created, "createdat created createdon createddate createtime datecreated creationdate creationtime createddatetime startdate starttime startedat startat orderdate registeredat publishedat timestamp date datetime issuedat")
	add(updated, "updatedat updated updatedon updateddate updatetime dateupdated modified modifiedat modifiedon lastmodified lastupdated lastmodifiedat pushedat updateddatetime enddate endtime endedat endat completedat finishedat closedat mergedat")
	add(later, "deletedat deletedon expiresat expires expirydate expirationdate expireson archivedat duedate duetime dueat shipdate deliverydate")
	add(born, "birthday birthdate dateofbirth dob")
	add(text, "description summary comment comments note notes body bio about details message msg text caption excerpt content abstract reason detail remarks")
	add(heading, "title headline subject heading")
	add(id, "id uid identifier")
	add(color, "color colour hexcolor")
	add(slug, "slug permalinkslug")
	add(sha, "sha sha1 hash checksum commitsha")
	add(token, "token accesstoken refreshtoken apikey secret password")
	add(job, "jobtitle job occupation role2 profession")
	add(language, "language lang locale languagecode")
	add(said(func(f *faker) string { return f.TimeZoneRegion() }), "timezone tz")
	add(said(func(f *faker) string { return []string{"female", "male", "other"}[f.stream.below(3)] }), "gender sex")
	add(said(func(f *faker) string { return "192.0.2." + digit(f, 2) }, "ipv4", "ip"), "ip ipaddress ipv4 clientip remoteaddr")
	add(said(func(f *faker) string { return noun(f) + ".example.com" }, "hostname"), "hostname host domain domainname fqdn")
	add(said(version, "semver"), "version appversion semver")
	add(said(func(f *faker) string { return noun(f) + ".txt" }), "filename file path filepath")
	add(said(func(f *faker) string { return "application/json" }), "mimetype contenttype mediatype")
	add(said(func(f *faker) string { return f.UserAgent() }), "useragent")
	add(said(func(f *faker) string { return noun(f) }), "tag category keyword topic genre group")
	add(said(func(f *faker) string { return []string{"active", "inactive", "pending"}[f.stream.below(3)] }), "status")
	add(said(uuid, "uuid", "guid"), "uuid guid")
	add(counted(-90, 90), "latitude lat")
	add(counted(-180, 180), "longitude lng lon long")
	add(counted(0, 100), "percent percentage progress ratio")
	add(counted(18, 80), "age")
	add(counted(1, 5), "rating stars")
	add(counted(1, 20), "quantity qty")
	add(count, "count total totalcount size length views likes followers following visits downloads votes score")
	add(counted(1, 10), "page pages pagecount totalpages priority rank position index level")
	add(counted(10, 100), "limit perpage pagesize offset")
	add(counted(1990, 2030), "year")
	add(counted(1, 12), "month")
	add(counted(1, 28), "day")
	add(counted(100, 2000), "width height")
	add(counted(1024, 60000), "port")
	add(counted(1, 600), "duration timeout interval ttl seconds minutes")
	return table
}()
