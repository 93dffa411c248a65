package stateful

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// differs reports whether differences finds any.
func differs(sent, shown any, k *spec.Keywords) bool { return len(differences(sent, shown, k)) > 0 }

// differences compares two values. Numbers are equal by value, times by instant,
// and identifiers whatever their case; readOnly and writeOnly members of k are
// not compared.
func differences(sent, shown any, k *spec.Keywords, path ...string) (all []difference) {
	switch a := sent.(type) {
	case map[string]any:
		b, ok := shown.(map[string]any)
		if !ok {
			return []difference{{path, "was sent as an object, and is shown as " + text(shown)}}
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
				all = append(all, difference{at, "was sent, and is not shown"})
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
	return []difference{{path, "was sent as " + text(sent) + ", and is shown as " + text(shown)}}
}

// sameElements compares two arrays, whatever their order where elements are unique.
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

func sameScalar(sent, shown any, k *spec.Keywords) bool {
	format := ""
	for part := range schema.All(k) {
		if part.Format != nil {
			format = part.Format.Name
			break
		}
	}
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
