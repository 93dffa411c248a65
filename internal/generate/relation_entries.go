package generate

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

const (
	entryValues = "value val content stringvalue textvalue attributevalue optionvalue fieldvalue " +
		"customvalue propertyvalue parametervalue"
	entryNames = "name key field fieldname label attribute attributename property propertyname " +
		"parameter parametername title displayname " +
		"option optionname customfieldname"
)

// entryRelations have the value of an entry be one that its name can have: {name: "color", value: "Blue"}.
var entryRelations = []relation{
	{parts: []string{"key", entryValues, "?id type kind alg kty"}, apply: func(m *members) {
		if _, isText := m.value(1).(string); isText && !m.has(2) && isOpaque(m.text(0)) && !m.isExample(0) {
			m.set(0, entryKeys[NewKey(61, m.text(0)).intN(len(entryKeys))])
		}
	}},
	{parts: []string{"value key code id slug", "label text caption"}, apply: func(m *members) {
		labels, values := m.plan(1).states(), m.plan(0).states()
		at := slices.IndexFunc(labels, func(v any) bool { return jsonvalue.Equals(v, m.value(1)) })
		if at >= 0 && len(labels) == len(values) {
			m.set(0, values[at])
		}
	}},
	{parts: []string{"displayname friendlyname displaylabel", "name"}, apply: func(m *members) {
		name := m.text(1)
		first, _, isFull := strings.Cut(strings.ToLower(name), " ")
		if m.sh.object.about.IsPerson() && !isFull {
			return // by which they log in
		}
		if m.text(0) != "" && first != "" && !m.isExample(0) && !m.isExample(1) &&
			!strings.Contains(strings.ToLower(m.text(0)), first) && !strings.ContainsAny(name, "_/") {
			m.set(0, name)
		}
	}},
	{chosen: true, apply: func(m *members) {
		if list, _ := m.value(1).([]any); len(list) > 0 && schema.TypeOf(list[0]) == schema.TypeOf(m.value(0)) {
			m.set(0, list[0])
		}
	}},
	{parts: []string{"code isocode iso languagecode langcode lang tag locale", "name languagename language englishname"}, apply: func(m *members) {
		if tag := languageTags[naming.Fold(m.text(1))]; tag != "" && m.sh.object.about.Name() == "language" {
			m.set(0, tag)
		}
	}},
	{parts: []string{entryValues, entryNames}, apply: func(m *members) {
		name, _ := jsonvalue.Text(m.value(1))
		list, ok := valuesOfEntries[naming.Fold(name)]
		if _, isText := m.value(0).(string); !ok || !isText || m.isExample(0) {
			return
		}
		all := strings.Split(list, "|")
		m.set(0, all[m.at.key.at(61).intN(len(all))])
	}},
}

var languageTags = map[string]string{"english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl",
	"portuguese": "pt", "japanese": "ja", "swedish": "sv", "polish": "pl"}

var entryKeys = strings.Fields("environment team region source priority channel department language stage color size owner project cost_center")

// isOpaque reports whether a text is one that stands for a key of which nothing is known.
func isOpaque(text string) bool {
	const length = 12
	return len(text) == length && strings.ContainsAny(text, formats.Digits) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(formats.Lower36, r) })
}

// isExample reports whether the document has an example of a part.
func (m *members) isExample(part int) bool {
	return slices.ContainsFunc(m.plan(part).node.constraints, func(c constraint) bool {
		return c.op == conforms && m.r.g.schema.Node(c.schema).Get("example") != nil
	})
}

// valuesOfEntries are texts, separated by "|", by the folded names of what has them.
var valuesOfEntries = func() map[string]string {
	all := map[string]string{}
	for _, row := range [][2]string{
		{"color colour", "Blue|Green|Black|White|Red"}, {"size", "Small|Medium|Large"}, {"material fabric", "Oak|Cotton|Steel|Leather"},
		{"weight", "1.2 kg|850 g|3.4 kg"}, {"width height length depth", "40 cm|60 cm|120 cm"}, {"brand manufacturer", "Northwind|Oakfield|Kestrel"},
		{"finish", "Matt|Gloss"}, {"style", "Classic|Modern"}, {"pattern", "Plain|Striped"}, {"capacity volume", "500 ml|1 l|2 l"},
		{"priority severity", "high|normal|low"}, {"status state stage", "open|pending|done"}, {"region", "eu-west|us-east|ap-south"},
		{"environment env", "production|staging|development"}, {"team department", "Sales|Finance|Logistics|Customer Support"},
		{"owner assignee author contact name fullname", "Anna Berg|Ben Carter|Clara Winter"}, {"source channel medium", "web|mobile|email|partner"},
		{"project", "Customer Portal|Data Migration|Office Move"}, {"costcenter", "4100|4200|5300"}, {"reference ref", "REF-4821|REF-7034"},
		{"language lang locale", "en|de|fr"}, {"country", "Germany|France|Spain"}, {"city", "Berlin|Lyon|Vienna"}, {"currency", "EUR|USD|GBP"},
		{"quantity count age", "4|12|25"}, {"price amount", "24.90|119.00|8.50"}, {"notes note comment description", "Please deliver in the morning.|Call before you come by."},
		{"email billingemail contactemail", "anna.berg@example.com|ben.carter@example.com"}, {"phone", "+493055501234|+12025550147"},
		{"duedate startdate enddate date deadline", "2025-03-04|2025-06-18|2025-09-30"}, {"createdat updatedat", "2025-03-04T09:30:00Z|2025-06-18T14:05:00Z"},
		{"url website", "https://example.com/about|https://example.com/contact"}, {"version", "1.4.2|2.0.1|3.1.0"}, {"timezone", "Europe/Berlin|Europe/Paris"},
		{"address", "12 Market Street, Boston|Hauptstraße 8, Berlin"}, {"company", "Northwind Systems|Oakfield Media"},
		{"contenttype accept", "application/json|text/html"}, {"authorization", "Bearer 5f2c9a71e0"}, {"acceptlanguage", "en|de"},
		{"cachecontrol", "no-cache|max-age=3600"}, {"etag", `"33a64df5"|"9c1e07b2"`}, {"xrequestid", "7d2f41c8|b09e3a55"}, {"useragent", "coldframe-client/1.0"},
		{"loglevel", "info|debug"}, {"cachettl timeout", "300|3600"}, {"workers replicas", "2|4"}, {"apiurl baseurl", "https://api.example.com"}, {"host hostname", "api.example.com"},
		{"viewport", "width=device-width, initial-scale=1"}, {"robots", "index, follow"}, {"ogtitle", "Spring Collection"},
	} {
		for name := range strings.FieldsSeq(row[0]) {
			all[name] = row[1]
		}
	}
	return all
}()
