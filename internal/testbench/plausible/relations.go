package main

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/naming"
)

// objectRule judges how the properties of one object go together. It applies if the object has what it compares.
type objectRule struct {
	name  string
	judge func(p *place) (believed, applies bool)
}

// get returns the property whose words, joined, are the earliest of some names.
func get(object map[string]any, names string) (string, any) {
	wanted, found := strings.Fields(names), ""
	for _, own := range sortedNames(object) {
		if object[own] == nil {
			continue
		}
		if i := slices.Index(wanted, strings.Join(naming.Words(own), "")); i >= 0 {
			wanted, found = wanted[:i], own
		}
	}
	if found == "" {
		return "", nil
	}
	return found, object[found]
}

func sortedNames(object map[string]any) []string {
	var names []string
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func numberIn(object map[string]any, names string) (float64, bool) {
	_, v := get(object, names)
	return numberOf(v)
}

func numberOf(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

func textIn(object map[string]any, names string) string {
	_, v := get(object, names)
	text, _ := v.(string)
	return text
}

func timeIn(object map[string]any, names string) (time.Time, bool) {
	_, v := get(object, names)
	switch v := v.(type) {
	case string:
		return parseTime(v)
	case json.Number:
		return parseTime(v.String())
	}
	return time.Time{}, false
}

const (
	createdNames = "createdat created createdon createddate creationdate creationtime createtime datecreated " +
		"createddatetime datecreatedutc issuedat clientidissuedat"
	updatedNames = "updatedat updated updatedon updateddate updatetime modifiedat modified lastmodified " +
		"lastmodifiedat modifieddate dateupdated pushedat updateddatetime lastupdated"
	endedNames = "closedat deletedat mergedat completedat finishedat archivedat canceledat cancelledat resolvedat endedat"
	startNames = "startat starttime startdate startsat startedat start validfrom from periodstart begin begindate"
	endNames   = "endat endtime enddate endsat endedat end validto validuntil to periodend finishedat until"
	finished   = "closed completed complete done failed cancelled canceled archived deleted resolved merged expired " +
		"finished succeeded success error rejected refunded stopped inactive delivered declined voided returned expended " +
		"destroyed retired error_sending error_converting"
	failures = "error errors errormessage errorcode failurereason failuremessage lasterror"
	removals = "deletedat deletedon bannedat banneduntil suspendedat revokedat archivedat"
)

func ordered(first, then string) func(p *place) (bool, bool) {
	return func(p *place) (bool, bool) {
		a, ok := timeIn(p.object, first)
		b, both := timeIn(p.object, then)
		return !b.Before(a), ok && both
	}
}

// sum judges a total that is the sum of parts, to the cent.
func near(a, b float64) bool { return math.Abs(a-b) < 0.011+math.Abs(b)*1e-6 }

func twins(first, second string, factor, offset float64) func(p *place) (bool, bool) {
	return func(p *place) (bool, bool) {
		for name, v := range p.object {
			words := naming.Words(name)
			if len(words) == 0 || words[len(words)-1] != first {
				continue
			}
			other := strings.Join(words[:len(words)-1], "") + second
			a, ok := numberOf(v)
			b, both := numberIn(p.object, other)
			if ok && both {
				want := a*factor + offset
				if words[0] == "cubic" {
					want = a * factor * factor * factor
				}
				return math.Abs(b-want) <= math.Max(1, math.Abs(want)*0.05), true
			}
		}
		return false, false
	}
}

var objectRules = []objectRule{
	{"created-updated", ordered(createdNames, updatedNames)},
	{"created-ended", ordered(createdNames, endedNames)},
	{"created-expires", ordered(createdNames, "expiresat expires expiry expirydate expirationdate expireson duedate dueat "+
		"clientsecretexpiresat editexpiration")},
	{"start-end", ordered(startNames, endNames)},
	{"open-has-no-end", func(p *place) (bool, bool) {
		status := strings.ToLower(textIn(p.object, "status state"))
		_, has := p.object["id"]
		if status == "" || slices.Contains(strings.Fields(finished), status) || !has && len(p.object) < 4 {
			return false, false
		}
		applies, believed := false, true
		for name, v := range p.object {
			joined := strings.Join(naming.Words(name), "")
			if slices.Contains(strings.Fields(endedNames), joined) {
				applies = true
				believed = believed && v == nil
			}
		}
		return believed, applies
	}},
	{"no-error-on-success", func(p *place) (bool, bool) {
		for _, name := range sortedNames(p.object) {
			joined := strings.Join(naming.Words(name), "")
			if !slices.Contains(strings.Fields(failures), joined) {
				continue
			}
			status := strings.ToLower(textIn(p.object, "status state"))
			isEnvelope := p.pointer == "" && joined == "error" && len(p.object) < 4
			if strings.Contains(status, "fail") || strings.Contains(status, "err") || isEnvelope {
				continue
			}
			switch v := p.object[name].(type) {
			case nil:
				return true, true
			case []any:
				return len(v) == 0, true
			case string:
				return v == "", true
			case bool:
				return !v, true
			case map[string]any:
				return len(v) == 0, true
			}
		}
		return false, false
	}},
	{"total-is-sum", func(p *place) (bool, bool) {
		subtotal, ok := numberIn(p.object, "subtotal subtotalprice subtotalamount netamount totalnet net totalexcltax")
		total, both := numberIn(p.object, "total totalprice grandtotal totalamount amounttotal grossamount totalgross gross totalincltax")
		if !ok || !both {
			return false, false
		}
		sum := subtotal
		for _, part := range []string{"tax taxes taxamount totaltax vat vatamount", "shipping shippingcost shippingprice totalshipping shippingamount", "fee fees"} {
			n, _ := numberIn(p.object, part)
			sum += n
		}
		discount, _ := numberIn(p.object, "discount discounts discountamount totaldiscount totaldiscounts")
		return near(total, sum-math.Abs(discount)), true
	}},
	{"quantity-times-price", func(p *place) (bool, bool) {
		quantity, a := numberIn(p.object, "quantity qty")
		price, b := numberIn(p.object, "unitprice unitamount priceperunit unitcost price")
		total, c := numberIn(p.object, "total totalprice lineprice linetotal lineamount totalamount amount subtotal")
		return near(total, quantity*price), a && b && c
	}},
	{"count-of-list", func(p *place) (bool, bool) {
		_, n := get(p.object, "count numresults resultcount itemcount numberofitems returned")
		count, ok := numberOf(n)
		lists := 0
		var list []any
		for _, v := range p.object {
			if l, is := v.([]any); is {
				list = l
				lists++
			}
		}
		return int(count) == len(list), ok && lists == 1
	}},
	{"total-of-list", func(p *place) (bool, bool) {
		total, ok := numberIn(p.object, "total totalcount totalitems totalresults totalelements totalhits")
		lists, least := 0, 0
		for _, v := range p.object {
			if l, is := v.([]any); is {
				least = len(l)
				lists++
			}
		}
		return int(total) >= least, ok && lists == 1
	}},
	{"has-more", func(p *place) (bool, bool) {
		_, more := get(p.object, "hasmore hasnext hasnextpage")
		has, ok := more.(bool)
		total, counted := numberIn(p.object, "total totalcount totalitems totalresults")
		length := -1
		for _, v := range p.object {
			if l, is := v.([]any); is {
				length = len(l)
			}
		}
		return has == (int(total) > length), ok && counted && length >= 0
	}},
	{"page-of-pages", func(p *place) (bool, bool) {
		page, ok := numberIn(p.object, "page currentpage pagenumber")
		pages, both := numberIn(p.object, "pages totalpages pagecount lastpage numpages")
		return page <= math.Max(pages, 1), ok && both
	}},
	{"kilograms-pounds", twins("kg", "lb", 2.20462, 0)},
	{"kilograms-pounds", twins("kilograms", "pounds", 2.20462, 0)},
	{"kilometres-miles", twins("km", "mi", 0.621371, 0)},
	{"kilometres-miles", twins("kilometers", "miles", 0.621371, 0)},
	{"metres-feet", twins("meters", "feet", 3.28084, 0)},
	{"metres-feet", twins("m", "ft", 3.28084, 0)},
	{"celsius-fahrenheit", twins("c", "f", 1.8, 32)},
	{"celsius-fahrenheit", twins("celsius", "fahrenheit", 1.8, 32)},
	{"kph-mph", twins("kph", "mph", 0.621371, 0)},
	{"cm-inches", twins("cm", "in", 0.393701, 0)},
	{"minimum-maximum", func(p *place) (bool, bool) {
		for _, name := range sortedNames(p.object) {
			low, ok := numberOf(p.object[name])
			for _, pair := range [][2]string{{"min", "max"}, {"minimum", "maximum"}, {"low", "high"}} {
				if !ok || !slices.Contains(naming.Words(name), pair[0]) {
					continue
				}
				other := strings.Replace(strings.Join(naming.Words(name), ""), pair[0], pair[1], 1)
				if high, both := numberIn(p.object, other); both {
					return low <= high, true
				}
			}
		}
		return false, false
	}},
	{"city-in-country", func(p *place) (bool, bool) {
		city, land := textIn(p.object, "city town cityname locality"), textIn(p.object, "country countryname countrycode countryiso")
		return slices.Contains(countries[strings.ToLower(land)].cities, city), city != "" && land != ""
	}},
	{"full-name-of-parts", func(p *place) (bool, bool) {
		first, last := textIn(p.object, "firstname givenname"), textIn(p.object, "lastname familyname surname")
		full := textIn(p.object, "fullname displayname name")
		return strings.Contains(full, first) && strings.Contains(full, last), first != "" && last != "" && full != ""
	}},
	{"email-of-name", func(p *place) (bool, bool) {
		email, last := textIn(p.object, "email emailaddress"), textIn(p.object, "lastname familyname surname")
		if first := textIn(p.object, "firstname givenname"); email == "" || last == "" || first == "" {
			return false, false
		}
		letters := regexp.MustCompile(`[^a-z]`).ReplaceAllString(strings.ToLower(last), "")
		return strings.Contains(strings.ToLower(email), letters), len(letters) == len(last)
	}},
	{"slug-of-name", func(p *place) (bool, bool) {
		slug, name := textIn(p.object, "slug"), textIn(p.object, "name title")
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
		return len(words) > 0 && strings.Contains(slug, words[0]), slug != "" && name != ""
	}},
	{"self-link", func(p *place) (bool, bool) {
		_, id := get(p.object, "id uuid")
		link := textIn(p.object, "self selflink selfurl")
		if id == nil || link == "" {
			return false, false
		}
		text, _ := json.Marshal(id)
		return strings.Contains(link, strings.Trim(string(text), `"`)), true
	}},
	{"file-type-of-name", func(p *place) (bool, bool) {
		name, mediaType := textIn(p.object, "filename originalfilename name title"), textIn(p.object, "mimetype contenttype mediatype")
		types := fileTypes[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])]
		return slices.Contains(types, mediaType), types != nil && strings.Contains(mediaType, "/")
	}},
	{"address-of-country", func(p *place) (bool, bool) {
		land := countries[strings.ToLower(textIn(p.object, "country countrycode"))].name
		for _, name := range []string{"address", "location", "billingaddress", "postaladdress"} {
			_, v := get(p.object, name)
			inner, _ := v.(map[string]any)
			if other := countries[strings.ToLower(textIn(inner, "country countrycode"))].name; land != "" && other != "" {
				return land == other, true
			}
		}
		return false, false
	}},
	{"tags-of-thing", func(p *place) (bool, bool) {
		thing := p.words
		list, _ := p.object["tags"].([]any)
		if len(list) == 0 || len(thing) == 0 || !slices.Contains(strings.Fields("pet pets plant plants photo photos"), thing[len(thing)-1]) {
			return false, false
		}
		return !slices.ContainsFunc(list, func(tag any) bool {
			text, _ := tag.(string)
			if object, ok := tag.(map[string]any); ok {
				text, _ = object["name"].(string)
			}
			return slices.Contains(strings.Fields("urgent backlog bug documentation enhancement internal beta feedback"), text)
		}), true
	}},
	{"total-of-parts", func(p *place) (bool, bool) {
		for name, v := range p.object {
			words := naming.Words(name)
			total, ok := numberOf(v)
			if !ok || len(words) < 2 || words[0] != "total" || !strings.HasSuffix(words[len(words)-1], "s") {
				continue
			}
			rest, sum, parts := strings.Join(words[1:], ""), 0.0, 0
			for other, n := range p.object {
				first := naming.Words(other)
				if len(first) != len(words) || strings.Join(first[1:], "") != rest ||
					slices.Contains(strings.Fields("total average max min unique"), first[0]) {
					continue
				}
				if f, isNumber := numberOf(n); isNumber {
					sum, parts = sum+f, parts+1
				}
			}
			if parts > 1 {
				return total == sum, true
			}
		}
		return false, false
	}},
	{"slugs-differ", func(p *place) (bool, bool) {
		for _, name := range sortedNames(p.object) {
			list, _ := p.object[name].([]any)
			seen := map[string]bool{}
			for _, item := range list {
				object, _ := item.(map[string]any)
				slug := textIn(object, "slug")
				if slug == "" {
					break
				}
				if seen[slug] {
					return false, true
				}
				seen[slug] = true
			}
			if len(seen) > 1 {
				return true, true
			}
		}
		return false, false
	}},
	{"owner-and-name", func(p *place) (bool, bool) {
		full, name := textIn(p.object, "fullname"), textIn(p.object, "name")
		_, owner := get(p.object, "owner")
		return strings.HasSuffix(full, "/"+name), full != "" && name != "" && owner != nil
	}},
	{"country-currency", func(p *place) (bool, bool) {
		currency, land := textIn(p.object, "currency currencycode"), textIn(p.object, "country countrycode")
		c := countries[strings.ToLower(land)]
		return strings.EqualFold(c.currency, currency), currency != "" && c.name != ""
	}},
	{"not-deleted", func(p *place) (bool, bool) {
		for _, name := range sortedNames(p.object) {
			joined := strings.Join(naming.Words(name), "")
			if !slices.Contains(strings.Fields(removals), joined) {
				continue
			}
			if status := strings.ToLower(textIn(p.object, "status state")); slices.Contains(strings.Fields(finished), status) {
				continue
			}
			return p.object[name] == nil, true
		}
		return false, false
	}},
	{"items-differ", func(p *place) (bool, bool) {
		for _, name := range sortedNames(p.object) {
			list, _ := p.object[name].([]any)
			if len(list) < 2 {
				continue
			}
			seen := map[string]bool{}
			for _, item := range list {
				object, _ := item.(map[string]any)
				_, id := get(object, "id uuid name")
				if id == nil {
					break
				}
				text, _ := json.Marshal(id)
				if seen[string(text)] {
					return false, true
				}
				seen[string(text)] = true
			}
			return true, len(seen) > 0
		}
		return false, false
	}},
}
