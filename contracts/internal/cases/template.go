package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// Template is a text of a setup that is another in every request: "user-${unique}@example.com". It is immutable.
type Template struct {
	parts []any // texts, and func(generate.Key) any
}

// uniques are the values that are others in every request, by name.
var uniques = map[string]func(generate.Key) any{
	"uuid": func(k generate.Key) any {
		return formats.Lookup("uuid").Generate(formats.NewFaker().Seed(uint64(k)))
	},
	"unique": func(k generate.Key) any {
		text := strconv.FormatUint(uint64(k), 36)
		return strings.Repeat("0", max(0, uniqueLength-len(text))) + text[max(0, len(text)-uniqueLength):]
	},
	"number": func(k generate.Key) any { return json.Number(strconv.FormatUint(1+uint64(k)%maxUniqueNumber, 10)) },
}

const (
	uniqueLength    = 8             // characters of ${unique}
	maxUniqueNumber = 1_000_000_000 // of ${number}
)

// times are the layouts of what is reckoned from now, by name.
var times = map[string]string{"now": time.RFC3339, "today": time.DateOnly}

var (
	inTemplate = lazyregexp.New(`\$\$\{|\$\{[^}]*\}?`)
	fromNow    = lazyregexp.New(`^(now|today)(?:\s*([+-])\s*([0-9]{1,6})\s*([smhdw]))?$`)
	units      = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
		"w": 7 * 24 * time.Hour}
)

// ParseTemplate reads a text with ${uuid}, ${unique}, ${number}, ${now} and ${today + 7d}; "$${" stands for "${". It
// returns a *Template, or a string if nothing in it differs from request to request. A text that is one ${…} has a
// value of its type.
func ParseTemplate(text string, now time.Time) (any, error) {
	t, literal, at := &Template{}, "", 0
	for _, found := range inTemplate.Get().FindAllStringIndex(text, -1) {
		part := text[found[0]:found[1]]
		literal += text[at:found[0]]
		at = found[1]
		if part == "$${" {
			literal += "${"
			continue
		}
		name, closed := strings.CutSuffix(part[2:], "}")
		if !closed {
			return nil, errors.New(`"${" is not closed; write "$${" for the characters themselves`)
		}
		name = strings.TrimSpace(name)
		if when := fromNow.Get().FindStringSubmatch(name); when != nil {
			n, _ := strconv.Atoi(when[2] + when[3])
			literal += now.UTC().Add(time.Duration(n) * units[when[4]]).Format(times[when[1]])
			continue
		}
		make, known := uniques[name]
		if !known {
			return nil, fmt.Errorf("${%s} is unknown; there are ${uuid}, ${unique}, ${number}, ${now}, ${today}, and with "+
				"an offset ${now + 1h}, ${today - 7d}", name)
		}
		if literal != "" {
			t.parts = append(t.parts, literal)
		}
		t.parts, literal = append(t.parts, make), ""
	}
	literal += text[at:]
	if len(t.parts) == 0 {
		return literal, nil
	}
	if literal != "" {
		t.parts = append(t.parts, literal)
	}
	return t, nil
}

// value returns the value for one request.
func (t *Template) value(key generate.Key) any {
	var text strings.Builder
	for i, part := range t.parts {
		value := part
		if make, ok := part.(func(generate.Key) any); ok {
			if value = make(key.Child(strconv.Itoa(i))); len(t.parts) == 1 {
				return value
			}
		}
		fmt.Fprint(&text, value)
	}
	return text.String()
}

// expanded returns a value of a setup with the values of one request in place of its templates.
func expanded(value any, key generate.Key) any {
	switch v := value.(type) {
	case *Template:
		return v.value(key)
	case []any:
		v = slices.Clone(v)
		for i := range v {
			v[i] = expanded(v[i], key.Child(strconv.Itoa(i)))
		}
		return v
	case map[string]any:
		all := make(map[string]any, len(v))
		for name := range v {
			all[name] = expanded(v[name], key.Child(name))
		}
		return all
	}
	return value
}

// isTemplate reports whether a value of a setup is another for every request.
func isTemplate(value any) bool {
	switch v := value.(type) {
	case *Template:
		return true
	case []any:
		return slices.ContainsFunc(v, isTemplate)
	case map[string]any:
		for _, member := range v {
			if isTemplate(member) {
				return true
			}
		}
	}
	return false
}
