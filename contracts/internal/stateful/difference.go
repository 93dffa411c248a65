package stateful

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// difference says how a value that is shown differs from what was sent.
type difference struct {
	path     []string
	message  string
	severity exchange.Severity // a warning if a usual transformation may explain it
	missing  bool              // it is not shown at all
	kept     string            // how it is kept, if storage rather than an operation explains it; else ""
	how      string            // the usual transformation that explains it, as "trims %s" for the property; "" if none
	shown    string            // the text of what is shown; "" if nothing is
	doubt    string            // a sentence of the document that may excuse it; "" if none
}

// about names the place of a difference in a body.
func (d difference) about() string {
	about := "body"
	for _, name := range d.path {
		about += "." + exchange.EscapePointer(name)
	}
	return about
}

// maxText is how many characters of a value messages show.
const maxText = 60

func text(value any) string {
	b := []rune(string(jsontext.Append(nil, value)))
	if len(b) > maxText {
		return string(b[:maxText]) + "…"
	}
	return string(b)
}

func missing(sent any, path ...string) difference {
	return difference{path: path, message: "was sent as " + text(sent) + ", and is not shown", missing: true}
}

// isCleared reports whether a value is one that a property has while nobody has set it.
func isCleared(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// differs reports whether differences finds any.
func differs(sent, shown any, k *spec.Keywords) bool { return len(differences(sent, shown, k)) > 0 }

// differences compares two values. Numbers are equal by value, times by instant, and identifiers whatever
// their case; readOnly and writeOnly members of k are not compared.
func differences(sent, shown any, k *spec.Keywords, path ...string) (all []difference) {
	switch a := sent.(type) {
	case map[string]any:
		b, ok := shown.(map[string]any)
		if !ok {
			message := "was sent as an object, and is shown as " + text(shown)
			return []difference{{path: path, message: message, severity: severity(shown == nil)}}
		}
		properties := schema.Properties(k)
		for _, name := range sortedNames(a) {
			property, at := properties[name], append(slices.Clip(path), name)
			if schema.ReadOnly(property) || schema.WriteOnly(property) {
				continue
			}
			if value, has := b[name]; has {
				all = append(all, differences(a[name], value, property, at...)...)
			} else if a[name] != nil {
				all = append(all, missing(a[name], at...))
			}
		}
		return all
	case []any:
		if b, ok := shown.([]any); ok && sameElements(a, b, k) {
			return nil
		}
	default:
		if sameScalar(sent, shown, k) {
			return nil
		}
	}
	how := explain(sent, shown)
	if isExact(k) {
		how = ""
	}
	message := "was sent as " + text(sent) + ", and is shown as " + text(shown)
	if how != "" {
		message += ": the backend " + fmt.Sprintf(how, "`"+strings.Join(path, ".")+"`")
	}
	return []difference{{path: path, message: message, how: how, shown: text(shown),
		severity: severity(how == ""), kept: keptAs(sent, shown)}}
}

// keptAs names what storage makes of a value: a column of limited precision a number near it. Other differences may be
// faults of single operations.
func keptAs(sent, shown any) string {
	a, isNumber := sent.(json.Number)
	b, also := shown.(json.Number)
	x, _ := a.Float64()
	y, _ := b.Float64()
	if isNumber && also && math.Abs(x-y) <= 1e-6*math.Abs(x) { // 24 bits are seven digits
		return "rounded"
	}
	return ""
}

// sameElements compares two arrays, whatever their order if elements are unique.
func sameElements(a, b []any, k *spec.Keywords) bool {
	if len(a) != len(b) {
		return false
	}
	isSet := false
	for part := range schema.All(k) {
		isSet = isSet || part.UniqueItems
	}
	for i := range a {
		isSame := func(other any) bool { return !differs(a[i], other, nil) }
		if !isSame(b[i]) && !(isSet && slices.ContainsFunc(b, isSame)) {
			return false
		}
	}
	return true
}

// formatOf returns the name of the format of a schema, "" if it has none.
func formatOf(k *spec.Keywords) string {
	for part := range schema.All(k) {
		if part.Format != nil {
			return part.Format.Name
		}
	}
	return ""
}

// isExact reports whether the format of a schema promises all digits of a number.
func isExact(k *spec.Keywords) bool {
	format := formatOf(k)
	return format == "int32" || format == "int64"
}

func sameScalar(sent, shown any, k *spec.Keywords) bool {
	format := formatOf(k)
	switch a := sent.(type) {
	case json.Number:
		b, ok := shown.(json.Number)
		return ok && sameNumber(a, b, format)
	case string:
		b, ok := shown.(string)
		return ok && (a == b || sameText(a, b, format))
	}
	return sent == shown
}

// sameNumber compares integers by value, and numbers with a fraction or an
// exponent as most programs do, in floating point.
func sameNumber(a, b json.Number, format string) bool {
	x, _ := a.Float64()
	y, _ := b.Float64()
	switch {
	case format == "float":
		return float32(x) == float32(y)
	case strings.ContainsAny(string(a)+string(b), ".eE"):
		return x == y
	}
	return jsonvalue.CompareNumbers(string(a), string(b)) == 0
}

// sameText compares two texts that are written differently.
func sameText(a, b, format string) bool {
	if at, err := time.Parse(time.RFC3339, a); err == nil {
		other, err := time.Parse(time.RFC3339, b)
		return err == nil && at.Sub(other).Abs() < time.Second
	}
	switch format {
	case "uuid", "hostname", "date-time", "duration":
		return strings.EqualFold(a, b)
	case "email", "idn-email": // only domains ignore case (RFC 5321 section 2.4)
		at := strings.LastIndexByte(a, '@')
		return at >= 0 && len(a) == len(b) && a[:at] == b[:at] && strings.EqualFold(a[at:], b[at:])
	case "uri":
		return sameURL(a, b)
	}
	return format == "password" || format == "byte" || format == "binary"
}

// sameURL compares two URLs: their schemes and hosts may differ in case, and the
// rest may not (RFC 3986 section 6.2.2.1). A path may be empty or a slash.
func sameURL(a, b string) bool {
	x, err := url.Parse(a)
	y, wrong := url.Parse(b)
	if err != nil || wrong != nil {
		return strings.EqualFold(a, b)
	}
	for _, u := range []*url.URL{x, y} {
		u.Host = strings.ToLower(u.Host) // the parser has the scheme so
		if u.Path == "" && u.Host != "" {
			u.Path = "/"
		}
	}
	return x.String() == y.String()
}

// isDistinctive reports whether a value is one that no backend sets by itself: not
// one of few, not empty, not zero.
func isDistinctive(value any, k *spec.Keywords) bool {
	if schema.Values(k) != nil {
		return false
	}
	switch v := value.(type) {
	case string:
		return v != ""
	case json.Number:
		return v != "0" && v != "1"
	case []any:
		return len(v) > 0
	}
	return false
}

func isComposite(value any) bool { return jsonvalue.Rank(value) > jsonvalue.Rank("") }
