package cases

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// wrongFormats are strings that are plausibly taken for one of a format and are
// none, the likeliest mistakes first; rightFormats are ones that are rarer than
// what plain requests have, and right.
var wrongFormats = map[string][]string{
	"date":          {"2021-02-30", "2021-13-01", "01/02/2021", "2021-2-3", "2021-02-03T00:00:00Z", "20210203", "not-a-date"},
	"date-time":     {"2021-02-30T10:00:00Z", "2021-02-03 10:00:00", "2021-02-03", "2021-02-03T25:00:00Z", "2021-02-03T10:00:00", "1612346400", "not-a-date-time"},
	"time":          {"25:00:00Z", "10:00", "10:61:00Z", "not-a-time"},
	"duration":      {"1 day", "P", "PT", "P1S", "3600"},
	"email":         {"plant", "plant@", "@example.com", "plant.example.com", "a b@example.com", "a@b@example.com"},
	"idn-email":     {"plant", "plant@", "@example.com"},
	"hostname":      {"-plant.example.com", "plant_house.example..com", "plant house", strings.Repeat("a", 64) + ".com"},
	"idn-hostname":  {"-plant.example.com", "plant house"},
	"ipv4":          {"192.0.2.256", "192.0.2", "192.0.2.1.1", "192.0.2.1/24", "2001:db8::1", "not-an-address"},
	"ipv6":          {"2001:db8::g", "2001:db8:::1", "192.0.2.1", "1:2:3:4:5:6:7:8:9", "not-an-address"},
	"uri":           {"plant", "/plants/1", "//example.com", "http://exa mple.com", "http://[::1", "example.com"},
	"uri-reference": {"http://exa mple.com", "\\\\plant", "%zz"},
	"iri":           {"plant", "http://exa mple.com", "/plants/1"},
	"iri-reference": {"http://exa mple.com", "\\\\plant"},
	"uri-template":  {"https://example.com/{id", "https://example.com/{}"},
	"uuid": {
		"123e4567-e89b-42d3-a456-42661417400", "123e4567-e89b-42d3-a456-4266141740000", "123e4567-e89b-42d3-a456-42661417400g",
		"123e4567e89b42d3a456426614174000", "not-a-uuid",
	},
	"regex":                 {"(", "[a", "*"},
	"json-pointer":          {"plants/1", "/plants~2", "#/plants"},
	"relative-json-pointer": {"/plants", "-1/plants", "01"},
	"byte":                  {"***", "YWJj*", "YQ", "not base64!"},
}

var rightFormats = map[string][]string{
	"date":      {"2024-02-29", "1999-12-31"},
	"date-time": {"2024-02-29T23:59:59+02:00", "2021-06-01T10:00:00.123Z"},
	"time":      {"23:59:59+02:00", "10:00:00.5Z"},
	"duration":  {"P3DT4H5M6S", "P2W"},
	"email":     {"First.Last+Tag@sub.example.com"},
	"hostname":  {"a-1.example.com"},
	"ipv4":      {"0.0.0.0", "255.255.255.255"},
	"ipv6":      {"::1", "2001:DB8:0:0:8:800:200C:417A", "::ffff:192.0.2.1"},
	"uri":       {"https://example.com:8443/A%20b?q=One#F", "urn:isbn:9780141036144"},
	"uuid":      {"123E4567-E89B-42D3-A456-426614174000", "f47ac10b-58cc-4372-a567-0e02b2c3d479"},
	"byte":      {"", "YWI=", "+/+/"},
}

// proposeFormats sends strings of each format that are right and that are
// plausibly wrong.
func proposeFormats(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&isText == 0 || f.format == "" || f.values != nil {
		return
	}
	for i, wrong := range wrongFormats[f.format] {
		rank := usual
		switch {
		case i == 0:
			rank = essential
		case i > 2:
			rank = exotic
		}
		p.refused(rank, "format", "no "+f.format, wrong)
	}
	if s.parameter != nil && s.parameter.In == exchange.InHeader && s.optional { // many programs cannot tell it from none
		p.try(usual, "empty", constants(""))
	} else {
		p.refused(usual, "format", "empty", "")
	}
	for _, right := range rightFormats[f.format] {
		p.accepted(exotic, "another "+f.format, right)
	}
}
