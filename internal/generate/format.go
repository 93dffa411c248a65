package generate

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// epoch is the day that all generated times follow.
var epoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// formatMakers make strings of a format: those of JSON Schema Validation
// section 7.3 and of the OpenAPI format registry.
var formatMakers = map[string]func(f *faker) string{
	"date":          func(f *faker) string { return moment(f).Format(time.DateOnly) },
	"date-time":     func(f *faker) string { return moment(f).Format(time.RFC3339) },
	"time":          func(f *faker) string { return moment(f).Format("15:04:05Z") },
	"duration":      func(f *faker) string { return "PT" + strconv.Itoa(1+f.stream.below(48)) + "H" },
	"period":        func(f *faker) string { return moment(f).Format(time.RFC3339) + "/P1D" },
	"http-date":     func(f *faker) string { return moment(f).Format("Mon, 02 Jan 2006 15:04:05 GMT") },
	"unix-time":     func(f *faker) string { return strconv.FormatInt(moment(f).Unix(), 10) },
	"email":         func(f *faker) string { return mailbox(f) },
	"idn-email":     func(f *faker) string { return mailbox(f) },
	"hostname":      func(f *faker) string { return noun(f) + ".example.com" },
	"idn-hostname":  func(f *faker) string { return noun(f) + ".example.com" },
	"ipv4":          func(f *faker) string { return "192.0.2." + strconv.Itoa(1+f.stream.below(254)) },
	"ip":            func(f *faker) string { return "192.0.2." + strconv.Itoa(1+f.stream.below(254)) },
	"ipv6":          func(f *faker) string { return fmt.Sprintf("2001:db8::%x", 1+f.stream.below(0xfffe)) },
	"cidr":          func(f *faker) string { return "192.0.2.0/24" },
	"mac":           func(f *faker) string { return f.MacAddress() },
	"uri":           func(f *faker) string { return "https://example.com/" + noun(f) },
	"url":           func(f *faker) string { return "https://example.com/" + noun(f) },
	"iri":           func(f *faker) string { return "https://example.com/" + noun(f) },
	"uri-reference": func(f *faker) string { return "/" + noun(f) + "/" + noun(f) },
	"iri-reference": func(f *faker) string { return "/" + noun(f) + "/" + noun(f) },
	"uri-template":  func(f *faker) string { return "https://example.com/" + noun(f) + "/{id}" },
	"uuid":          uuid,
	"guid":          uuid,
	"byte":          func(f *faker) string { return base64.StdEncoding.EncodeToString([]byte(noun(f))) },
	"base64":        func(f *faker) string { return base64.StdEncoding.EncodeToString([]byte(noun(f))) },
	"base64url":     func(f *faker) string { return base64.RawURLEncoding.EncodeToString([]byte(noun(f))) },
	"binary":        func(f *faker) string { return noun(f) },
	"password":      func(f *faker) string { return "Aa1!" + noun(f) + digit(f, 4) },
	"regex":         func(f *faker) string { return "^" + noun(f) + "$" },
	"json-pointer":  func(f *faker) string { return "/" + noun(f) + "/" + strconv.Itoa(f.stream.below(10)) },
	"relative-json-pointer": func(f *faker) string {
		return strconv.Itoa(f.stream.below(3)) + "/" + noun(f)
	},
	"semver":      version,
	"int32":       func(f *faker) string { return strconv.Itoa(1 + f.stream.below(1000)) },
	"int64":       func(f *faker) string { return strconv.Itoa(1 + f.stream.below(1000)) },
	"uint64":      func(f *faker) string { return strconv.Itoa(1 + f.stream.below(1000)) },
	"decimal":     func(f *faker) string { return strconv.Itoa(1+f.stream.below(1000)) + "." + digit(f, 2) },
	"phone":       phone,
	"phonenumber": phone,
	"color":       func(f *faker) string { return f.HexColor() },
	"slug":        func(f *faker) string { return noun(f) + "-" + noun(f) },
	"ulid":        func(f *faker) string { return letters(f, 26, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") },
	"objectid":    func(f *faker) string { return letters(f, 24, "0123456789abcdef") },
	"json":        func(f *faker) string { return `{"` + noun(f) + `":true}` },
	"markdown":    sentence,
	"html":        func(f *faker) string { return "<p>" + sentence(f) + "</p>" },
	"char":        func(f *faker) string { return letters(f, 1, "abcdefghijklmnopqrstuvwxyz") },
	"media-range": func(f *faker) string { return "application/json" },
	"language":    func(f *faker) string { return "en" },
	"timezone":    func(f *faker) string { return "Europe/London" },
}

// formatMaker gives the maker of a format, nil for one that is not known.
func formatMaker(format string) maker {
	made := formatMakers[format]
	if made == nil {
		made = formatMakers[strings.ToLower(format)]
	}
	if made == nil {
		return nil
	}
	return func(r *run, key Key) string { return made(r.fake.at(key)) }
}

// stretched lengthens what a format's maker makes to lo characters, where the
// format allows.
func stretched(m maker, format string, lo int) maker {
	return func(r *run, key Key) string {
		s := m(r, key)
		missing := lo - len(s)
		if missing <= 0 {
			return s
		}
		switch format {
		case "email", "idn-email":
			local, domain, _ := strings.Cut(s, "@")
			if room := 64 - len(local); missing > room {
				rest := strings.Repeat("a", room) + "@"
				for missing -= room; missing > 0; missing -= 61 {
					rest += strings.Repeat("a", min(missing, 60)) + "."
				}
				return local + rest + domain
			}
			return local + strings.Repeat("a", missing) + "@" + domain
		case "hostname", "idn-hostname":
			for ; missing > 0; missing -= 61 {
				s = strings.Repeat("a", min(missing, 60)) + "." + s
			}
			return s
		case "date-time":
			return strings.TrimSuffix(s, "Z") + "." + strings.Repeat("0", max(1, missing-1)) + "Z"
		case "byte", "base64":
			return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a", (lo+3)/4*3)))
		}
		return s + strings.Repeat("a", missing)
	}
}

// shortFormats are the shortest strings of formats that can be shorter than
// what formatMakers make; ? is a letter.
var shortFormats = map[string]string{
	"email": "?@a", "idn-email": "?@a", "hostname": "?", "idn-hostname": "?", "uri": "?:", "url": "?:", "iri": "?:",
	"uri-reference": "?", "iri-reference": "?", "uri-template": "?", "json-pointer": "/?", "relative-json-pointer": "0",
	"duration": "P1D", "ipv6": "::1", "ipv4": "1.1.1.1", "regex": "?", "semver": "1.0.0", "byte": "YQ==", "password": "?",
}

func moment(f *faker) time.Time {
	return epoch.Add(time.Duration(f.stream.below(365*24*3600)) * time.Second)
}

func uuid(f *faker) string {
	const hex = "0123456789abcdef"
	b := []byte("00000000-0000-4000-8000-000000000000")
	x := f.stream.Uint64()
	for i, c := range b {
		if i == 18 {
			x = f.stream.Uint64()
		}
		switch c {
		case '0':
			b[i] = hex[x&15]
		case '8': // variant 10 (RFC 9562 section 4.1)
			b[i] = hex[8|x&3]
		default:
			continue
		}
		x >>= 4
	}
	return string(b)
}

func version(f *faker) string {
	return strconv.Itoa(1+f.stream.below(5)) + "." + strconv.Itoa(f.stream.below(10)) + "." + strconv.Itoa(f.stream.below(20))
}

func phone(f *faker) string { return "+1202555" + digit(f, 4) }

func digit(f *faker, n int) string { return letters(f, n, "0123456789") }

func letters(f *faker, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[f.stream.below(len(alphabet))]
	}
	return string(b)
}
