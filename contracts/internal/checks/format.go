package checks

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// definition is what makes a value of a response certainly wrong for its format.
type definition struct {
	since  string             // the first version of OpenAPI that defines the format, or a JSON Schema that does
	looser *lazyregexp.Regexp // what else usual parsers of the format take as the same; nil for nothing
}

const (
	ofSwagger = "2.0" // section "Data Types"
	ofDraft5  = "3.0" // section 4.7.24: "relying on JSON Schema's defined formats", which are the formats of Wright-00
	of2020    = "3.1" // section 4.8.24: JSON Schema Validation section 7.3
)

// Those of times are ISO 8601; bytes may be base64url, without padding or in lines.
// WHATWG URL encodes the rest of a URI.
var (
	looseTime = lazyregexp.New(`(?i)^\d{4}-\d\d-\d\d[t _]\d\d:\d\d(:\d\d([.,]\d+)?)?(z|[+-]\d\d(:?\d\d)?)$`)
	looseUUID = lazyregexp.New(`(?i)^(\{[0-9a-f-]{36}\}|urn:uuid:[0-9a-f-]{36}|[0-9a-f]{32})$`)
	loosePart = lazyregexp.New(`(?i)^P(\d+([.,]\d+)?[YMWD])*(T(\d+([.,]\d+)?[HMS])+)?$`)
	looseURI  = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x1f]+$`)
	looseHost = lazyregexp.New(`^[0-9A-Za-z_][0-9A-Za-z_.-]*\.?$`)
	looseMail = lazyregexp.New(`^([^<>]*<)?[^\s<>@]+@[^\s<>@]+>?$`)
	looseIPv4 = lazyregexp.New(`^0*\d{1,3}(\.0*\d{1,3}){3}$`)
	looseText = lazyregexp.New(`^[0-9A-Za-z+/_\s-]*={0,2}\s*$`)
	looseHour = lazyregexp.New(`(?i)^\d\d:\d\d(:\d\d([.,]\d+)?)?(z|[+-]\d\d(:?\d\d)?)?$`)
)

// definitions has the formats whose violation is an error: others are their users' own, and so is what they mean.
var definitions = map[string]definition{
	"int32": {ofSwagger, nil}, "int64": {ofSwagger, nil}, "float": {ofSwagger, nil}, "double": {ofSwagger, nil},
	"byte": {ofSwagger, looseText}, "date": {ofSwagger, nil}, "date-time": {ofSwagger, looseTime},
	"email": {ofDraft5, looseMail}, "hostname": {ofDraft5, looseHost}, "ipv4": {ofDraft5, looseIPv4},
	"ipv6": {ofDraft5, nil}, "uri": {ofDraft5, looseURI},
	"time": {of2020, looseHour}, "duration": {of2020, loosePart}, "uuid": {of2020, looseUUID},
	"idn-email": {of2020, looseMail}, "idn-hostname": {of2020, nil}, "uri-reference": {of2020, nil},
	"iri": {of2020, looseURI}, "iri-reference": {of2020, nil}, "uri-template": {of2020, nil}, "regex": {of2020, nil},
	"json-pointer": {of2020, nil}, "relative-json-pointer": {of2020, nil},
}

// mayBeOfFormat reports whether a value of the answer that violates its format may be right nevertheless.
func (in *input) mayBeOfFormat(f exchange.Finding) bool {
	named := wrongFormat.Get().FindStringSubmatch(f.Message)
	if f.Code != codeFormat || named == nil {
		return false
	}
	d, defined := definitions[named[1]]
	if !defined || in.checker.contract.OpenAPI < d.since {
		return true
	}
	text, _ := in.shownAt(f).(string)
	return d.looser != nil && d.looser.Get().MatchString(text)
}

// codeFormat is the code of findings about format.
const codeFormat = "format"

// shownAt returns the value of the answer that a finding concerns; nil if none.
func (in *input) shownAt(f exchange.Finding) any {
	if f.In == exchange.InHeader {
		text, _ := in.Response.Header.Get(f.Name)
		return text
	}
	value, err := jsontext.Decode(string(in.body))
	if err != nil || f.Pointer == "" {
		return value
	}
	value, _ = jsonvalue.At(value, strings.Split(f.Pointer, "/")[1:])
	return value
}
