package formats

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

const (
	jsonSchema = "JSON Schema Validation 7.3"
	registry   = "OpenAPI Format Registry"
	common     = "common use" // not registered
)

// All is the registry.
var All = []Format{
	// Times.
	{
		Name: "date", Source: "RFC 3339 5.6", MinLength: 10, MaxLength: 10, Inferred: true,
		Generate: func(f *Faker) string { return moment(f).Format(time.DateOnly) },
		Wrong:    []string{"2021-02-30", "2021-13-01", "01/02/2021", "2021-2-3", "2021-02-03T00:00:00Z", "20210203", "not-a-date"},
		Boundary: []string{"2024-02-29", "1999-12-31"},
		Rare:     []string{"0001-01-01", "9999-12-31"},
	},
	{
		Name: "date-time", Source: "RFC 3339 5.6", MinLength: 20, Inferred: true,
		Generate: func(f *Faker) string { return moment(f).Format(time.RFC3339) },
		Lengthen: func(s string, missing int) string {
			return strings.TrimSuffix(s, "Z") + "." + strings.Repeat("0", max(1, missing-1)) + "Z"
		},
		Wrong: []string{
			"2021-02-30T10:00:00Z", "2021-02-03 10:00:00", "2021-02-03", "2021-02-03T25:00:00Z", "2021-02-03T10:00:00",
			"1612346400", "not-a-date-time",
		},
		Boundary: []string{"2024-02-29T23:59:59+02:00", "2021-06-01T10:00:00.123Z"},
		Rare:     []string{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"},
	},
	{
		Name: "time", Source: "RFC 3339 5.6", MinLength: 9, Inferred: true,
		Generate: func(f *Faker) string { return moment(f).Format("15:04:05Z") },
		Wrong:    []string{"25:00:00Z", "10:00", "10:61:00Z", "not-a-time"},
		Boundary: []string{"23:59:59+02:00", "10:00:00.5Z"},
	},
	{
		Name: "duration", Source: "RFC 3339 appendix A", MinLength: 3, Shortest: "P1D",
		Generate: func(f *Faker) string { return "PT" + strconv.Itoa(1+f.IntN(48)) + "H" },
		Wrong:    []string{"1 day", "P", "PT", "P1S", "3600"},
		Boundary: []string{"P3DT4H5M6S", "P2W"},
	},
	{
		Name: "period", Source: "RFC 3339 appendix A",
		Generate: func(f *Faker) string { return moment(f).Format(time.RFC3339) + "/P1D" },
	},
	{Name: "http-date", Source: registry, Generate: func(f *Faker) string { return moment(f).Format("Mon, 02 Jan 2006 15:04:05 GMT") }},
	{Name: "unix-time", Source: common, Generate: func(f *Faker) string { return strconv.FormatInt(moment(f).Unix(), 10) }},
	{Name: "timezone", Source: common, Generate: func(*Faker) string { return "Europe/London" }},

	// Addresses.
	{
		Name: "email", Source: "RFC 5321 4.1.2", MinLength: 3, Inferred: true, Generate: email, Lengthen: longerEmail, Shortest: "?@a",
		Wrong:    []string{"plant", "plant@", "@example.com", "plant.example.com", "a b@example.com", "a@b@example.com"},
		Boundary: []string{"First.Last+Tag@sub.example.com"},
	},
	{Name: "idn-email", Source: "RFC 6531", Generate: email, Lengthen: longerEmail, Shortest: "?@a"},
	{
		Name: "hostname", Source: "RFC 1123 2.1", Generate: host, Lengthen: longerHost, Shortest: "?",
		Wrong:    []string{"-plant.example.com", "plant_house.example..com", "plant house", strings.Repeat("a", 64) + ".com"},
		Boundary: []string{"a-1.example.com"},
	},
	{Name: "idn-hostname", Source: "RFC 5890 2.3.2.3", Generate: host, Lengthen: longerHost, Shortest: "?"},
	{
		Name: "ipv4", Source: "RFC 2673 3.2", MinLength: 7, MaxLength: 15, Inferred: true, Generate: ipv4, Shortest: "1.1.1.1",
		Wrong:    []string{"192.0.2.256", "192.0.2", "192.0.2.1.1", "192.0.2.1/24", "2001:db8::1", "not-an-address"},
		Boundary: []string{"0.0.0.0", "255.255.255.255"},
	},
	{Name: "ip", Source: common, Generate: ipv4},
	{
		Name: "ipv6", Source: "RFC 4291 2.2", MinLength: 2, MaxLength: 45, Shortest: "::1",
		Generate: func(f *Faker) string { return fmt.Sprintf("2001:db8::%x", 1+f.IntN(0xfffe)) },
		Wrong:    []string{"2001:db8::g", "2001:db8:::1", "192.0.2.1", "1:2:3:4:5:6:7:8:9", "not-an-address"},
		Boundary: []string{"::1", "2001:DB8:0:0:8:800:200C:417A", "::ffff:192.0.2.1"},
	},
	{Name: "cidr", Source: common, Generate: func(*Faker) string { return "192.0.2.0/24" }},
	{Name: "mac", Source: common, Generate: func(f *Faker) string { return f.MacAddress() }},
	{
		Name: "uri", Source: "RFC 3986", Validate: uriText(false, false), Inferred: true, Generate: url, Shortest: "?:",
		Wrong: []string{
			"plant", "https://example.com/a b", "https://example.com/{id}", "/plants/1", "//example.com", "http://exa mple.com", "http://[::1",
			"example.com",
		},
		Boundary: []string{"https://example.com:8443/A%20b?q=One#F", "urn:isbn:9780141036144"},
	},
	{Name: "url", Source: common, Generate: url, Shortest: "?:"},
	{
		Name: "iri", Source: "RFC 3987", Validate: uriText(true, false), Generate: url, Shortest: "?:",
		Wrong:    []string{"plant", "http://exa mple.com", "/plants/1", "https://example.com/{id}"},
		Boundary: []string{"https://例え.example/ü?q=ö#ß"},
	},
	{
		Name: "uri-reference", Source: "RFC 3986 4.1", Validate: uriText(false, true), Generate: path, Shortest: "?",
		Wrong: []string{"http://exa mple.com", "\\\\plant", "%zz", "/plants/{id}"},
	},
	{
		Name: "iri-reference", Source: "RFC 3987 2.2", Validate: uriText(true, true), Generate: path, Shortest: "?",
		Wrong: []string{"http://exa mple.com", "\\\\plant"},
	},
	{
		Name: "uri-template", Source: "RFC 6570", Validate: uriTemplate, Shortest: "?",
		Generate: func(f *Faker) string { return url(f) + "/{id}" },
		Wrong:    []string{"https://example.com/{id", "https://example.com/{}", "/a b/{id}", "/{a{b}}"},
		Boundary: []string{"{+base}/plants{/id*}{?q,limit:3}", "https://{host}:{port}/ü"},
	},
	{Name: "phone", Source: common, Generate: phone},
	{Name: "phonenumber", Source: common, Generate: phone},

	// Identifiers.
	{
		Name: "uuid", Source: "RFC 9562 4", MinLength: 36, MaxLength: 36, Inferred: true, Generate: uuid,
		Wrong: []string{
			"123e4567-e89b-42d3-a456-42661417400", "123e4567-e89b-42d3-a456-4266141740000", "123e4567-e89b-42d3-a456-42661417400g",
			"123e4567e89b42d3a456426614174000", "not-a-uuid",
		},
		Boundary: []string{"123E4567-E89B-42D3-A456-426614174000", "f47ac10b-58cc-4372-a567-0e02b2c3d479"},
	},
	{Name: "guid", Source: common, Generate: uuid},
	{Name: "ulid", Source: common, Generate: func(f *Faker) string { return Letters(f, 26, strings.ToUpper(Lower32)) }},
	{Name: "objectid", Source: common, Generate: func(f *Faker) string { return Letters(f, 24, Hex) }},
	{Name: "slug", Source: common, Generate: func(f *Faker) string { return Noun(f) + "-" + Noun(f) }},
	{
		Name: "semver", Source: "semver.org 2.0.0", MinLength: 5, Inferred: true, Generate: semver, Shortest: "1.0.0",
	},

	// Text.
	{
		Name: "regex", Source: "ECMA-262 22.2.1", Shortest: "?", Generate: func(f *Faker) string { return "^" + Noun(f) + "$" },
		Wrong: []string{"(", "[a", "*"},
	},
	{
		Name: "json-pointer", Source: "RFC 6901 5", Shortest: "/?",
		Generate: func(f *Faker) string { return "/" + Noun(f) + "/" + strconv.Itoa(f.IntN(10)) },
		Wrong:    []string{"plants/1", "/plants~2", "#/plants"},
	},
	{
		Name: "relative-json-pointer", Source: jsonSchema, Shortest: "0",
		Generate: func(f *Faker) string { return strconv.Itoa(f.IntN(3)) + "/" + Noun(f) },
		Wrong:    []string{"/plants", "-1/plants", "01"},
	},
	{
		Name: "byte", Source: "RFC 4648 4", Validate: base64Text, Generate: base64Bytes, Lengthen: longerBase64, Shortest: "YQ==",
		Wrong:    []string{"***", "YWJj*", "YQ", "not base64!"},
		Boundary: []string{"", "YWI=", "+/+/"},
	},
	{Name: "base64", Source: common, Generate: base64Bytes, Lengthen: longerBase64},
	{Name: "base64url", Source: registry, Generate: func(f *Faker) string { return base64.RawURLEncoding.EncodeToString(bytes24(f)) }},
	{Name: "binary", Source: registry, Generate: base64Bytes},
	{
		Name: "password", Source: registry, Shortest: "?",
		Generate: func(f *Faker) string { return "Aa1!" + Noun(f) + Letters(f, 4, Digits) },
	},
	{Name: "char", Source: registry, Generate: func(f *Faker) string { return Letters(f, 1, LowerAZ) }},
	{Name: "markdown", Source: common, Generate: sentence},
	{Name: "html", Source: registry, Generate: func(f *Faker) string { return "<p>" + sentence(f) + "</p>" }},
	{Name: "json", Source: common, Generate: func(f *Faker) string { return `{"` + Noun(f) + `":true}` }},
	{Name: "color", Source: common, Generate: func(f *Faker) string { return f.HexColor() }},
	{Name: "media-range", Source: registry, Generate: func(*Faker) string { return "application/json" }},
	{Name: "language", Source: common, Generate: func(*Faker) string { return "en" }},

	// Numbers, and numbers written as strings.
	{Name: "int8", Source: registry, Whole: true, Min: whole(math.MinInt8), Max: whole(math.MaxInt8)},
	{Name: "uint8", Source: registry, Whole: true, Min: whole(0), Max: whole(math.MaxUint8)},
	{Name: "int16", Source: registry, Whole: true, Min: whole(math.MinInt16), Max: whole(math.MaxInt16)},
	{Name: "uint16", Source: registry, Whole: true, Min: whole(0), Max: whole(math.MaxUint16)},
	{
		Name: "int32", Source: registry, Whole: true, Min: whole(math.MinInt32), Max: whole(math.MaxInt32), Generate: count,
		Validate:     integers(math.MinInt32, math.MaxInt32),
		WrongNumbers: []WrongNumber{{"2147483648", "beyond 32 bits", 0}, {"-2147483649", "below 32 bits", 1}},
	},
	{Name: "uint32", Source: registry, Whole: true, Min: whole(0), Max: whole(math.MaxUint32)},
	{
		Name: "int64", Source: registry, Whole: true, Min: whole(math.MinInt64), Max: whole(math.MaxInt64), Generate: count,
		Validate:     integers(math.MinInt64, math.MaxInt64),
		WrongNumbers: []WrongNumber{{"9223372036854775808", "beyond 64 bits", 1}, {"-9223372036854775809", "below 64 bits", 2}},
	},
	{Name: "uint64", Source: registry, Whole: true, Min: whole(0), Max: new(big.Rat).SetInt(new(big.Int).SetUint64(math.MaxUint64)), Generate: count},
	{
		Name: "float", Source: registry, Min: float(-math.MaxFloat32), Max: float(math.MaxFloat32), Validate: floats(math.MaxFloat32),
		WrongNumbers: []WrongNumber{{"1e39", "beyond 32-bit floating-point numbers", 2}},
	},
	{
		Name: "double", Source: registry, Min: float(-math.MaxFloat64), Max: float(math.MaxFloat64), Validate: floats(math.MaxFloat64),
		WrongNumbers: []WrongNumber{{"1e400", "beyond 64-bit floating-point numbers", 2}},
	},
	{Name: "decimal", Source: registry, Generate: func(f *Faker) string { return count(f) + "." + Letters(f, 2, Digits) }},
}

func whole(n int64) *big.Rat { return big.NewRat(n, 1) }

func float(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

func ipv4(f *Faker) string { return "192.0.2." + strconv.Itoa(1+f.IntN(254)) }

func base64Bytes(f *Faker) string { return base64.StdEncoding.EncodeToString(bytes24(f)) }

// bytes24 returns 24 random bytes: their Base64 has no padding.
func bytes24(f *Faker) []byte {
	b := make([]byte, 24)
	for i := range b {
		b[i] = byte(f.IntN(256))
	}
	return b
}

func longerBase64(s string, missing int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a", (len(s)+missing+3)/4*3)))
}

// longerEmail lengthens the local part up to 64 characters (RFC 5321 section 4.5.3.1), then the domain.
func longerEmail(s string, missing int) string {
	local, domain, _ := strings.Cut(s, "@")
	if room := 64 - len(local); missing > room {
		return local + strings.Repeat("a", room) + "@" + longerHost(domain, missing-room)
	}
	return local + strings.Repeat("a", missing) + "@" + domain
}

// longerHost prepends labels of up to 60 characters to a host name.
func longerHost(s string, missing int) string {
	for ; missing > 0; missing -= 61 {
		s = strings.Repeat("a", min(missing, 60)) + "." + s
	}
	return s
}
