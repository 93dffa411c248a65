package stateful

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
)

// present is how far from the tester's clock a backend's may be.
const present = 5 * time.Minute

// isPresent reports whether a value is a time at which the backend may have been asked.
func isPresent(value any) bool {
	text, _ := value.(string)
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && time.Since(at).Abs() < present
}

const (
	maxPlainText   = 80        // characters
	maxPlainNumber = 1_000_000 // beyond it some programs lose digits
)

// plainOf returns a value without what a backend may have a reason to change: a short text of ASCII with single spaces
// within and without quotes and signs of markup, a small number of few decimals that stands for itself.
func plainOf(value any) any {
	switch v := value.(type) {
	case json.Number:
		n, err := v.Float64()
		_, decimals, _ := strings.Cut(string(v), ".")
		if err != nil || n == -1 || math.Abs(n) >= maxPlainNumber || len(decimals) > 2 ||
			strings.ContainsAny(string(v), "eE") {
			return json.Number("12")
		}
	case string:
		plain := strings.Map(func(r rune) rune {
			if r <= ' ' || r > '~' || strings.ContainsRune("<>&\"'\\`%", r) {
				return ' '
			}
			return r
		}, v)
		plain = strings.Join(strings.Fields(plain), " ")
		return plain[:min(len(plain), maxPlainText)]
	case []any:
		plain := make([]any, len(v))
		for i, element := range v {
			plain[i] = plainOf(element)
		}
		return plain
	case map[string]any:
		plain := map[string]any{}
		for name, member := range v {
			plain[name] = plainOf(member)
		}
		return plain
	}
	return value
}

// Transformations that Experiment knows: masks show different values alike, and escaped texts can be escaped again.
const (
	masks   = "masks %s"
	escapes = "escapes %s"
)

// rounding names the transformation that makes a number of another. Of a whole number the last digits are lost.
func rounding(sent, shown string) string {
	_, decimals, _ := strings.Cut(shown, ".")
	if !strings.Contains(sent, ".") && decimals == "" {
		return "rounds the last digits of %s"
	}
	return fmt.Sprintf("rounds %%s to %d decimal places", len(decimals))
}

// explain names the usual transformation that makes one value of another, with a verb for the name of the property:
// "lower-cases %s"; "" if none.
func explain(sent, shown any) string {
	if list, isList := shown.([]any); isList && len(list) == 1 && !isComposite(sent) && !differs(sent, list[0], nil) {
		return "makes a list of %s"
	}
	switch a := sent.(type) {
	case string:
		switch b := shown.(type) {
		case string:
			return explainText(a, b)
		case json.Number:
			if explainsNumber(a, string(b)) || sameMoment(a, string(b)) {
				return "makes a number of %s"
			}
		case nil:
			if strings.TrimSpace(a) == "" {
				return "clears %s"
			}
		}
	case json.Number:
		switch b := shown.(type) {
		case json.Number:
			if explainsNumber(string(a), string(b)) {
				return rounding(string(a), string(b))
			}
		case string:
			if explainsNumber(string(a), b) || sameMoment(string(a), b) {
				return "makes a text of %s"
			}
		}
	case bool:
		b, isText := shown.(string)
		if isText && strings.EqualFold(b, strconv.FormatBool(a)) || a && shown == json.Number("1") ||
			!a && shown == json.Number("0") {
			return "makes another type of %s"
		}
	case []any:
		if b, ok := shown.([]any); ok && areCovered(a, b) && areCovered(b, a) {
			return "sorts, or removes duplicates of %s"
		}
	}
	return ""
}

// areCovered reports whether each value has another that is the same, or explained by it.
func areCovered(values, by []any) bool {
	for _, value := range values {
		isSame := func(other any) bool {
			isLoss := func(d difference) bool { return d.severity == exchange.Error }
			return !slices.ContainsFunc(differences(value, other, nil), isLoss)
		}
		if !slices.ContainsFunc(by, isSame) {
			return false
		}
	}
	return true
}

// explainText is explain for two texts.
func explainText(sent, shown string) string {
	a, b := lettersAndDigits(sent), lettersAndDigits(shown)
	withoutSpace := func(text string) string { return strings.Join(strings.Fields(text), "") }
	switch {
	case sent != "" && strings.ToLower(sent) == shown:
		return "lower-cases %s"
	case strings.ToUpper(sent) == shown:
		return "upper-cases %s"
	case sent != "" && strings.TrimSpace(sent) == shown:
		return "trims %s"
	case withoutSpace(sent) == withoutSpace(shown):
		return "changes white space of %s"
	case explainsNumber(sent, shown):
		return rounding(sent, shown)
	case sameMoment(sent, shown):
		return "changes zone, precision or notation of %s"
	case roundsTime(sent, shown) != "":
		return roundsTime(sent, shown)
	case html.UnescapeString(shown) == sent:
		return escapes
	case a != "" && a == b && strings.Count(shown, "?") <= strings.Count(sent, "?"): // "?" stands for signs that were lost
		return "changes case, marks or white space of %s"
	case strings.ContainsAny(shown, "*•●█…") || strings.Contains(shown, "...") ||
		strings.Contains(strings.ToLower(shown), "xxx"):
		return masks
	case shown != "" && strings.HasPrefix(sent, shown):
		return fmt.Sprintf("truncates %%s to %d characters", utf8.RuneCountInString(shown))
	case b != "" && (strings.HasPrefix(a, b) || strings.HasSuffix(a, b)):
		return "cuts %s"
	case a != "" && strings.Contains(b, a):
		return "adds to %s"
	}
	return ""
}

// explainsNumber reports whether two texts are numbers of which one is the other rounded.
func explainsNumber(sent, shown string) bool {
	x, err := strconv.ParseFloat(strings.TrimSpace(sent), 64)
	y, wrong := strconv.ParseFloat(strings.TrimSpace(shown), 64)
	if err != nil || wrong != nil {
		return false
	}
	off := math.Abs(x - y)
	isWhole := x == math.Trunc(x)
	return off == 0 || off <= 1e-6*math.Abs(x) || !isWhole && off < 1 ||
		isWhole && y != 0 && math.Mod(y, 5) == 0 && off <= math.Abs(x)/10
}

// maxZones is how far a time can be from the midnight that begins its day in another zone.
const maxZones = 38 * time.Hour

// momentLayouts are the notations of times and days that backends use.
var momentLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04", "2006-01-02T15:04:05-0700", "20060102T150405Z", time.RFC1123, time.RFC1123Z, time.RFC850,
	time.DateOnly, "2006/01/02", "02.01.2006", "02/01/2006", "01/02/2006", "20060102", "2 January 2006", "Jan 2, 2006",
	"15:04:05", "15:04",
}

// sameMoment reports whether two texts are the same time or day, in another notation, zone or precision.
func sameMoment(a, b string) bool {
	x, isTime := momentOf(a)
	y, also := momentOf(b)
	isDay := (len(a) <= len(time.DateOnly)) != (len(b) <= len(time.DateOnly))
	return isTime && also && (x.Sub(y).Abs() < time.Minute || isDay && x.Sub(y).Abs() <= maxZones)
}

// roundsTime names the unit to whose beginning a time or day is set back; "" if it is another time.
func roundsTime(sent, shown string) string {
	x, isTime := momentOf(sent)
	y, also := momentOf(shown)
	after := x.Sub(y)
	if !isTime || !also || after < 0 {
		return ""
	}
	day := y.Sub(time.Date(y.Year(), y.Month(), y.Day(), 0, 0, 0, 0, y.Location()))
	switch {
	case day == 0 && y.Day() == 1 && x.Year() == y.Year() && x.Month() == y.Month():
		return "sets %s back to the month"
	case day == 0 && after < 24*time.Hour:
		return "sets %s back to the day"
	case day%time.Hour == 0 && after < time.Hour:
		return "sets %s back to the hour"
	case day%(5*time.Minute) == 0 && after < 30*time.Minute:
		return "sets %s back to full minutes"
	}
	return ""
}

func momentOf(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range momentLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n < 100_000_000:
		return time.Time{}, false
	case n > 100_000_000_000: // milliseconds
		return time.UnixMilli(n), true
	}
	return time.Unix(n, 0), true
}
