package generate

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
)

// kindRelations have values be what the type beside them says: the content of a DNS record, the value of a contact or
// of a field, an address of a version.
var kindRelations = []relation{
	{parts: []string{"value contactvalue fieldvalue content data target rdata recordvalue",
		"type kind recordtype rrtype contacttype valuetype datatype fieldtype medium"},
		apply: func(m *members) { m.setByKind(valuesOfKinds) }},
	{parts: []string{"coordinates", "type"}, apply: setCoordinates},
	{parts: []string{"type", "attributes"}, answer: true, apply: func(m *members) {
		own := strings.ReplaceAll(m.sh.object.about.Folder(), "-", "_")
		if strings.HasSuffix(m.text(0), "_"+own) && !m.isExample(0) {
			m.set(0, own) // of a resource (JSON:API)
		}
	}},
	{parts: []string{"ip ipaddress address network cidr", "version ipversion family type addressfamily"},
		apply: func(m *members) { m.setByKind(addressesOfKinds) }},
}

// Texts are separated by "|".
var (
	valuesOfKinds = map[string]string{
		"a": "192.0.2.14|203.0.113.7|198.51.100.23", "aaaa": "2001:db8::14|2001:db8:0:1::7", "cname": "www.example.com|shop.example.com",
		"mx": "10 mail.example.com|20 mail2.example.com", "txt": "v=spf1 include:mail.example.com -all", "ns": "ns1.example.com|ns2.example.com",
		"srv": "10 5 5060 sip.example.com", "caa": `0 issue "ca.example.com"`, "ptr": "host14.example.com", "alias": "lb.example.com",
		"soa":   "ns1.example.com hostmaster.example.com 2025030401 7200 3600 1209600 3600",
		"email": "anna.berg@example.com|ben.carter@example.com|clara.winter@example.com", "mail": "office@example.com|sales@example.com",
		"phone": "+493055501234|+33155501234|+12025550147", "telephone": "+493055501234|+33155501234", "mobile": "+4915155501234|+33655501234",
		"sms": "+4915155501234|+12025550147", "fax": "+493055501299|+33155501299", "whatsapp": "+4915155501234",
		"url": "https://example.com/about|https://example.com/contact", "website": "https://example.com|https://www.example.org",
		"skype": "live.annaberg|live.bencarter", "twitter": "@annaberg|@bencarter", "number": "42|17|8.5", "integer": "42|17|8", "int": "42|17|8",
		"decimal": "12.50|8.25", "boolean": "true|false", "bool": "true|false", "date": "2025-03-04|2025-06-18", "datetime": "2025-03-04T09:30:00Z",
		"time": "09:30|14:15", "currency": "EUR|USD", "color": "#336677|#ddaa33", "ip": "192.0.2.14|203.0.113.7",
	}
	addressesOfKinds = map[string]string{
		"4": "192.0.2.14|203.0.113.7|198.51.100.23", "ipv4": "192.0.2.14|203.0.113.7|198.51.100.23", "v4": "192.0.2.14|203.0.113.7",
		"6": "2001:db8::14|2001:db8:0:1::7", "ipv6": "2001:db8::14|2001:db8:0:1::7", "v6": "2001:db8::14|2001:db8:0:1::7",
	}
)

// setCoordinates has the coordinates of a shape be nested as its type says (RFC 7946, section 3.1), where they are no
// numbers or have another depth.
func setCoordinates(m *members) {
	depths := map[string]int{"Point": 1, "MultiPoint": 2, "LineString": 2, "MultiLineString": 3, "Polygon": 3,
		"MultiPolygon": 4}
	depth, own := depths[m.text(1)], 0
	var first any
	for first = m.value(0); ; own++ {
		list, isList := first.([]any)
		if !isList || len(list) == 0 {
			break
		}
		first = list[0]
	}
	if _, isNumber := first.(json.Number); depth == 0 || own == depth && isNumber || m.isExample(0) {
		return
	}
	east, north := 5+m.at.key.at(65).intN(20), 44+m.at.key.at(66).intN(12)
	number := func(whole, part int) any { return json.Number(strconv.Itoa(whole) + "." + strconv.Itoa(part)) }
	point := func(x, y int) []any { return []any{number(east, x), number(north, y)} }
	var shape []any
	switch m.text(1) {
	case "Point":
		shape = point(41, 52)
	case "MultiPoint", "LineString":
		shape = []any{point(41, 52), point(43, 55)}
	case "MultiLineString":
		shape = []any{[]any{point(41, 52), point(43, 55)}}
	default:
		shape = []any{[]any{point(41, 52), point(43, 52), point(43, 55), point(41, 55), point(41, 52)}}
	}
	if depth == 4 {
		shape = []any{shape}
	}
	m.set(0, shape)
}

// setByKind sets the first part to a text of the kind that the second names, if there is one.
func (m *members) setByKind(texts map[string]string) {
	kind, _ := jsonvalue.Text(m.value(1))
	list, ok := texts[naming.Fold(kind)]
	_, isText := m.value(0).(string)
	if !ok || !isText || m.isExample(0) {
		return
	}
	all := strings.Split(list, "|")
	m.set(0, all[m.at.key.at(60).intN(len(all))])
}
