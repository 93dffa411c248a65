package main

import (
	"encoding/pem"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// valueRule judges single values.
type valueRule struct {
	name     string
	when     func(p *place) bool
	believes func(p *place) bool
}

// texts applies a rule to strings that the mock makes, not the document, of places with some names.
func texts(names string) func(*place) bool {
	return func(p *place) bool { return isFree(p) && p.ends(names) }
}

// wholly is texts for whole names.
func wholly(names string) func(*place) bool {
	return func(p *place) bool { return isFree(p) && p.is(names) }
}

func isFree(p *place) bool {
	text, ok := p.value.(string)
	return ok && text != "" && !p.given && !p.maxLength && (p.format == "" || p.format == "string")
}

// numbers applies a rule to numbers without bounds in the document.
func numbers(names string) func(*place) bool {
	return func(p *place) bool {
		_, ok := p.number()
		return ok && !p.given && !p.minimum && !p.maximum && p.ends(names)
	}
}

func matches(pattern string) func(*place) bool {
	re := regexp.MustCompile(pattern)
	return func(p *place) bool { return re.MatchString(p.text()) }
}

func between(low, high float64) func(*place) bool {
	return func(p *place) bool {
		n, _ := p.number()
		return low <= n && n <= high
	}
}

func whole(low, high float64) func(*place) bool {
	return func(p *place) bool {
		n, _ := p.number()
		return low <= n && n <= high && n == float64(int64(n))
	}
}

func among(list string) func(*place) bool {
	known := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		known[word] = true
	}
	return func(p *place) bool { return known[strings.ToLower(p.text())] }
}

const timeNames = `createdat updatedat deletedat closedat mergedat pushedat publishedat startedat finishedat completedat
	expiresat lastloginat lastseenat lastusedat modifiedat archivedat issuedat canceledat cancelledat creationdate
	createddate createddatetime updateddate modifieddate startdate enddate duedate expirydate expirationdate releasedate
	lastupdated lastmodified dateutc datetime createdon updatedon createtime updatetime starttime endtime timestamp
	dateupdated datecreated birthdate dateofbirth birthday`

// choiceList matches descriptions that list the values of a property.
var choiceList = regexp.MustCompile("(?:one of|either|values(?: are)?|can be)[: ]*`[^`]+`(?:,| or)")

const unixPhrases = "unix|epoch|seconds since|milliseconds since"

var unixPhrase = regexp.MustCompile(unixPhrases)

// valueRules are all rules for single values.
var valueRules = []valueRule{
	{"time-text", func(p *place) bool {
		_, ok := p.value.(string)
		return ok && !p.given && (p.format == "date-time" || p.format == "date" || isFree(p) && p.ends(timeNames))
	}, func(p *place) bool { return isTime(p.text()) }},
	{"time-unix", func(p *place) bool {
		n, ok := p.number()
		return ok && !p.given && n == float64(int64(n)) && (p.ends(timeNames) || unixPhrase.MatchString(p.description) && p.says("time", "date") ||
			p.is("created updated expires")) && !p.ends("ttl timeout elapsedtime")
	}, func(p *place) bool {
		n, _ := p.number()
		return 946684800 <= n && n <= 2208988800 || 946684800e3 <= n && n <= 2208988800e3
	}},

	{"email", func(p *place) bool {
		return p.format == "email" && !p.given || isFree(p) && p.ends("email emailaddress")
	},
		matches(`^[\w.+-]+@[\w-]+(\.[\w-]+)+$`)},
	{"first-name", texts("firstname givenname forename"), matches(`^\p{Lu}[\p{L}'’-]+$`)},
	{"last-name", texts("lastname familyname surname"), matches(`^\p{Lu}[\p{L}'’ -]+$`)},
	{"full-name", func(p *place) bool {
		isPath := p.parent != nil && p.parent.object["owner"] != nil // of a repository
		return !isPath && texts("fullname displayname realname customername authorname ownername contactname cardholdername")(p)
	},
		matches(`^\p{Lu}[\p{L}.'’&-]+( [\p{L}.'’&,-]+){0,4}$`)},
	{"user-name", func(p *place) bool {
		isAnswer := p.pointer == "" && p.operation.Path != "" // of POST /login, say: a token
		return !isAnswer && texts("username login screenname nickname")(p)
	}, matches(`^[A-Za-z][\w.-]{2,29}$`)},
	{"phone", texts("phone phonenumber mobile mobilenumber fax telephone"), matches(`^\+?[\d ().-]{6,20}$`)},
	{"gender", texts("gender sex"), among("male female other unknown nonbinary non-binary m f diverse")},
	{"job", texts("jobtitle occupation profession"), matches(`^\p{Lu}[\p{L} /,.&-]{3,60}$`)},

	{"country", texts("country countryname"), func(p *place) bool { return isCountry(p.text()) }},
	{"country-code", wholly("countrycode isocountry countryiso countrycode2 billingcountrycode shippingcountrycode"), func(p *place) bool { return isCountry(p.text()) }},
	{"city", texts("city town cityname locality"), func(p *place) bool { return isCity(p.text()) }},
	{"postal-code", texts("zip zipcode postalcode postcode"), matches(`^[A-Z0-9][A-Z0-9 -]{2,9}$`)},
	{"street", texts("street streetaddress address1 addressline1 line1"), matches(`\d.*\p{L}|\p{L}.*\d`)},
	{"time-zone", texts("timezone tz"), func(p *place) bool { _, err := time.LoadLocation(p.text()); return err == nil }},
	{"language", texts("language lang languagecode"), func(p *place) bool { return isLanguage(p.text()) }},
	{"locale", texts("locale"), matches(`^[a-z]{2,3}([-_][A-Z][A-Za-z]{1,3})?([-_][A-Z]{2})?$`)},
	{"currency", texts("currency currencycode currencyiso"), func(p *place) bool { return isCurrency(p.text()) }},
	{"latitude", numbers("latitude lat"), between(-90, 90)},
	{"longitude", numbers("longitude lng lon"), between(-180, 180)},
	{"coordinates", func(p *place) bool { return !p.integer && numbers("latitude lat longitude lng lon")(p) },
		func(p *place) bool {
			n, _ := p.number()
			return n != math.Trunc(n)
		}},
	{"region", wholly("region province state"), func(p *place) bool { return p.is("state") && isState(p.text()) || isRegion(p.text()) }},

	{"url", func(p *place) bool {
		return !p.given && (p.format == "uri" || p.format == "url" || isFree(p) && p.ends("url uri href link website homepage permalink"))
	}, func(p *place) bool { return isLink(p.text()) }},
	{"image-url", func(p *place) bool {
		_, ok := p.value.(string)
		isImage := p.ends("avatarurl imageurl pictureurl photourl photourls thumbnailurl logourl iconurl imageuri avatar thumbnail logo picture photo " +
			"photos images image")
		return ok && !p.given && isImage && (p.format == "uri" || p.format == "url" || p.ends("url uri urls") || strings.HasPrefix(p.text(), "http"))
	}, func(p *place) bool {
		mediaType, size := p.fetch(p.text())
		return strings.HasPrefix(mediaType, "image/") && size > 60
	}},
	{"host", texts("hostname domain domainname fqdn"), matches(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)},
	{"ip", texts("ip ipaddress ipaddr clientip remoteip"), matches(`^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]+:[0-9a-f:]*)$`)},
	{"mac", texts("mac macaddress hwaddress"), matches(`^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$`)},
	{"port", numbers("port"), whole(1, 65535)},
	{"user-agent", texts("useragent"), matches(`^[\w-]+/[\d.]+`)},
	{"mime-type", texts("mimetype contenttype mediatype"), matches(`^[a-z]+/[\w.+-]+$`)},
	{"file-name", texts("filename originalfilename"), matches(`^[\w .()-]+\.[a-z0-9]{2,5}$`)},
	{"extension", texts("fileextension extension"), matches(`^\.?[a-z0-9]{2,5}$|^\d+$`)},
	{"hash", texts("sha sha1 sha256 md5 checksum commitsha digest"), matches(`^(sha\d+:)?([0-9a-fA-F]{32,128}|[A-Za-z0-9+/]{22,88}={0,2})$`)},
	{"version", texts("version apiversion appversion"), matches(`^v?\d+([.-]\w+)*$|^\d{4}-\d\d-\d\d`)},
	{"slug", texts("slug"), matches(`^[a-z0-9]+(-[a-z0-9]+)*$`)},
	{"color", texts("color colour hexcolor"), matches(`^(#?[0-9a-fA-F]{3,8}|[A-Za-z]{3,20}( [a-z]+)?)$`)},
	{"token", texts("accesstoken refreshtoken apikey secretkey clientsecret sessiontoken"), matches(`^[\w.+/=-]{16,}$`)},
	{"token-type", texts("tokentype"), among("bearer mac dpop token jwt")},
	{"role", wholly("role userrole roles rolename"), func(p *place) bool { return isRole(p.text()) }},
	{"company", texts("company companyname organization organisation employer manufacturer vendor merchantname brand"),
		matches(`^[\p{Lu}\d][\p{L}\d&.,'’ -]{2,60}$`)},
	{"department", texts("department"), matches(`^\p{Lu}[\p{L} &-]{1,40}$`)},

	{"pem", texts("cacertpem publickeypem privatekeypem certpem csr certificatesigningrequest privatekey"), func(p *place) bool {
		block, _ := pem.Decode([]byte(p.text()))
		return block != nil && len(block.Bytes) > 30
	}},
	{"echo", isFree, func(p *place) bool { // an adjective before the property's own name says nothing
		_, rest, _ := strings.Cut(strings.ToLower(p.text()), " ")
		return rest == "" || rest != strings.Join(p.words, " ")
	}},
	{"described-choice", func(p *place) bool {
		return isFree(p) && p.ends("type kind mode status category format level") && choiceList.MatchString(p.description)
	}, func(p *place) bool { return strings.Contains(p.description, "`"+strings.ToLower(p.text())+"`") }},

	{"last4", texts("last4 lastfour"), matches(`^\d{4}$`)},
	{"iban", texts("iban"), func(p *place) bool { return isIBAN(p.text()) }},
	{"bic", texts("bic swift swiftcode bicswift"), matches(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)},
	{"account-number", texts("accountnumber cardnumber routingnumber"), matches(`^[\dX*• -]{4,24}$`)},
	{"isbn", texts("isbn isbn10 isbn13 ean gtin upc barcode"), matches(`^[\d-]{8,17}X?$`)},
	{"sku", texts("sku"), matches(`^[A-Z0-9][A-Z0-9._-]{2,30}$`)},
	{"document-number", texts("ordernumber invoicenumber trackingnumber ponumber serialnumber referencenumber orderno invoiceno"),
		matches(`^[A-Z0-9#][A-Za-z0-9/#_-]*\d[A-Za-z0-9/_-]*$`)},
	{"vin", texts("vin"), matches(`^[A-HJ-NPR-Z0-9]{17}$`)},

	{"status", wholly("status state orderstatus paymentstatus jobstatus"), func(p *place) bool { return isStatus(p.text()) || p.is("state") && isState(p.text()) }},
	{"sentence", wholly("description summary comment comments note notes bio about body message abstract excerpt"), func(p *place) bool {
		return isProse(p.text())
	}},
	{"title", wholly("title headline subject"), matches(`^[\p{Lu}\d].{2,100}$`)},
	{"name", wholly("name label"), func(p *place) bool { return strings.ContainsFunc(p.text(), unicode.IsLetter) && len(p.text()) > 2 }},
	{"lone-noun", func(p *place) bool {
		return isFree(p) && !p.is("tag tags category keyword topic label genre name type kind object group")
	},
		func(p *place) bool { return !isLoneNoun(p.text()) }},

	{"price", numbers("price unitprice amount total totalprice totalamount subtotal cost fee balance grandtotal"), func(p *place) bool {
		n, _ := p.number()
		return n >= 0 && n <= 1e8 && hasCents(p.value)
	}},
	{"percentage", numbers("percent percentage pct"), between(0, 100)},
	{"rating", numbers("rating stars averagerating"), between(0, 10)},
	{"age", numbers("age"), whole(0, 120)},
	{"year", numbers("year releaseyear"), whole(1800, 2040)},
	{"quantity", numbers("quantity qty"), between(0, 1000)},
	{"bytes", func(p *place) bool {
		_, ok := p.number()
		return ok && !p.given && !p.maximum && p.ends("filesize sizebytes bytes contentlength sizeinbytes")
	}, whole(64, 1e13)},
	{"pixels", func(p *place) bool {
		return numbers("width height")(p) && !p.says("meter", "metre", "inch", " cm", " mm", "centimet")
	}, between(8, 10000)},
	{"milliseconds", numbers("durationms durationmillis latencyms elapsedms timems milliseconds"), whole(1, 1e8)},
	{"count", numbers("count totalcount views likes followers following downloads votes"), whole(0, 1e9)},
	{"temperature", numbers("temperature temp celsius tempc"), between(-60, 150)},
}

var layouts = []string{time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC1123, time.RFC1123Z, "2006-01-02T15:04"}

func parseTime(text string) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 946684800 {
		if n > 1e11 {
			n /= 1000
		}
		return time.Unix(n, 0).UTC(), true
	}
	return time.Time{}, false
}

func isTime(text string) bool {
	t, ok := parseTime(text)
	return ok && t.Year() > 1920 && t.Year() < 2040
}

func isLink(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	if u.Host == "" {
		return strings.HasPrefix(u.Path, "/") || u.Opaque != "" || u.Scheme != ""
	}
	host := u.Hostname()
	reserved := false
	for end := range strings.FieldsSeq("example.com example.org example.net .example .test localhost 127.0.0.1") {
		reserved = reserved || strings.HasSuffix(host, end)
	}
	return reserved && u.Scheme != ""
}

// isProse reports whether a text reads as one: words, a capital, an end.
func isProse(text string) bool {
	words := strings.Fields(text)
	if len(words) < 3 {
		return false
	}
	first := []rune(text)[0]
	return unicode.IsUpper(first) || unicode.IsDigit(first) && strings.ContainsAny(text[len(text)-1:], ".!?)…")
}

var loneNoun = regexp.MustCompile(`^[a-z]{3,12}$`)

// isLoneNoun reports whether a text is a word of nature or of the house that says nothing of its place.
func isLoneNoun(text string) bool { return loneNoun.MatchString(text) && isHouseholdWord(text) }

func hasCents(value any) bool {
	_, decimals, _ := strings.Cut(fmt.Sprint(value), ".")
	return len(decimals) <= 2
}

func isIBAN(text string) bool {
	text = strings.ReplaceAll(text, " ", "")
	if len(text) < 15 || len(text) > 34 {
		return false
	}
	remainder := 0
	for _, c := range text[4:] + text[:4] {
		switch {
		case '0' <= c && c <= '9':
			remainder = (remainder*10 + int(c-'0')) % 97
		case 'A' <= c && c <= 'Z':
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return remainder == 1
}
