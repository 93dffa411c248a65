package flows

import (
	"encoding/json"
	"fmt"
	"math"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// expectation is PATH OP VALUE -- REASON.
//
// PATH is status, media (the media type), size (bytes), text, header.NAME or a path into the JSON body:
// body.a["b.c"][0].items[*].id, body.items[?id=${saved}].name. OP is one of operators. VALUE is JSON, another text, a
// path, ${saved}, "sum PATH" or "count PATH".
type expectation struct {
	path, op, value string
}

// operators are how values are compared. Numbers that differ by less than 0.006 are equal, times are compared as
// instants.
const operators = `==|!=|<=|>=|<|>|in|contains|lacks|count|mincount|maxcount|sorted|matches|type|hasname|` +
	`absent|present|null|nullish|unique|each|startswith`

var (
	wholeExpectation = regexp.MustCompile(`(?s)^(\S+(?:\[\?[^\]]*\]\S*)?)\s+(` + operators + `)(?:\s+(.*))?$`)
	eachExpectation  = regexp.MustCompile(`(?s)^(` + operators + `)(?:\s+(.*))?$`)
	pathStep         = regexp.MustCompile(`\.([\w$@:\-]+)|\[\*\]|\[(-?\d+)\]|\["([^"]*)"\]|\[\?([\w.$@]+)=([^\]]*)\]`)
	pathRoot         = regexp.MustCompile(`^(status|media|text|size|body|header)\b`)
	aggregate        = regexp.MustCompile(`^(sum|count|max|min) (body.*)`)
)

func parse(text string) (*expectation, error) {
	rule, _, _ := strings.Cut(text, " -- ")
	m := wholeExpectation.FindStringSubmatch(strings.TrimSpace(rule))
	if m == nil || !pathRoot.MatchString(m[1]) {
		return nil, fmt.Errorf("not an expectation: %q", text)
	}
	return &expectation{m[1], m[2], m[3]}, nil
}

// holds reports whether a response is as expected, with what it has if it is not.
func (e *expectation) holds(a *response, saved map[string]any) (bool, string) {
	value, ok, err := a.at(e.path, saved)
	if err != nil {
		return false, err.Error()
	}
	got := "nothing"
	if ok {
		got = text(value)
	}
	switch e.op {
	case "absent", "null", "nullish", "lacks": // which an error or another shape must not satisfy
		holder, _, _ := a.at(above(e.path), saved)
		_, isObject := holder.(map[string]any)
		_, isArray := holder.([]any)
		inBody := strings.HasPrefix(e.path, "body")
		if inBody && !isObject && !isArray || a.status >= 400 && !a.forced {
			return false, fmt.Sprintf("status %d: %s", a.status, a.text)
		}
	case "each":
		m := eachExpectation.FindStringSubmatch(e.value)
		items, _ := value.([]any)
		if m == nil || len(items) == 0 {
			return false, got
		}
		for _, item := range items {
			if held, err := test(item, true, m[1], m[2], a, saved); err != nil || !held {
				return false, text(item)
			}
		}
		return true, ""
	}
	held, err := test(value, ok, e.op, e.value, a, saved)
	if err != nil {
		return false, err.Error()
	}
	return held, got
}

// above returns the path of what contains a value.
func above(path string) string {
	if before, _, many := strings.Cut(path, "[*]"); many {
		return before
	}
	steps := pathStep.FindAllStringIndex(path, -1)
	if len(steps) == 0 {
		return path
	}
	return path[:steps[len(steps)-1][0]]
}

// at returns the value at a path. With [*] it is an array of what is there.
func (a *response) at(path string, saved map[string]any) (value any, ok bool, err error) {
	root := pathRoot.FindString(path)
	switch rest := path[len(root):]; root {
	case "status":
		return number(a.status), true, nil
	case "media":
		media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
		return media, true, nil
	case "text":
		return string(a.text), true, nil
	case "size":
		return number(len(a.text)), true, nil
	case "header":
		values := a.header.Values(strings.TrimPrefix(rest, "."))
		return strings.Join(values, ", "), len(values) > 0, nil
	case "body":
		return walk(a.json, a.isJSON, rest, saved)
	}
	return nil, false, fmt.Errorf("not a path: %q", path)
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func walk(value any, ok bool, path string, saved map[string]any) (any, bool, error) {
	for i, m := range pathStep.FindAllStringSubmatch(path, -1) {
		switch {
		case m[0] == "[*]":
			var items []any
			switch value := value.(type) {
			case []any:
				items = value
			case map[string]any:
				for _, member := range value {
					items = append(items, member)
				}
			}
			rest := strings.Join(pathStep.FindAllString(path, -1)[i+1:], "")
			all := []any{}
			for _, item := range items {
				found, ok, err := walk(item, true, rest, saved)
				if err != nil {
					return nil, false, err
				}
				if nested, isArray := found.([]any); isArray && strings.Contains(rest, "[*]") {
					all = append(all, nested...)
				} else if ok {
					all = append(all, found)
				} else {
					all = append(all, nothing{})
				}
			}
			return all, ok, nil
		case m[4] != "":
			want, missing := fill(m[5], saved)
			if missing != nil {
				return nil, false, missing
			}
			items, _ := value.([]any)
			value, ok = nil, false
			for _, item := range items {
				if has, found, _ := walk(item, true, "."+m[4], saved); found && same(has, literal(want)) {
					value, ok = item, true
					break
				}
			}
		case m[2] != "":
			items, _ := value.([]any)
			n, _ := strconv.Atoi(m[2])
			if n < 0 {
				n += len(items)
			}
			if ok = n >= 0 && n < len(items); ok {
				value = items[n]
			}
		default:
			object, _ := value.(map[string]any)
			value, ok = object[m[1]+m[3]]
		}
	}
	return value, ok, nil
}

// nothing stands for a value that an element of an array lacks.
type nothing struct{}

func (nothing) MarshalJSON() ([]byte, error) { return []byte(`"nothing"`), nil }

// literal returns the JSON value that a text is, or the text.
func literal(s string) any {
	if value, ok := decode([]byte(s)); ok {
		return value
	}
	return s
}

// operand returns the value of the right side.
func operand(s string, a *response, saved map[string]any) (any, error) {
	s = strings.TrimSpace(s)
	if m := aggregate.FindStringSubmatch(s); m != nil {
		value, _, err := a.at(m[2], saved)
		if err != nil {
			return nil, err
		}
		items, _ := value.([]any)
		if m[1] == "count" {
			return number(len(items)), nil
		}
		var numbers []float64
		for _, item := range items {
			if n, ok := float(item); ok {
				numbers = append(numbers, n)
			}
		}
		result := 0.0
		switch {
		case m[1] == "sum":
			for _, n := range numbers {
				result += n
			}
		case len(numbers) > 0 && m[1] == "max":
			result = slices.Max(numbers)
		case len(numbers) > 0:
			result = slices.Min(numbers)
		}
		return json.Number(strconv.FormatFloat(result, 'f', -1, 64)), nil
	}
	if strings.HasPrefix(s, "body.") || strings.HasPrefix(s, "body[") || strings.HasPrefix(s, "header.") || s == "status" {
		value, ok, err := a.at(s, saved)
		if !ok {
			value = nothing{}
		}
		return value, err
	}
	if m := variable.FindString(s); m == s && m != "" {
		value, ok := saved[m[2:len(m)-1]]
		if !ok {
			return nil, &missingError{m[2 : len(m)-1]}
		}
		return value, nil
	}
	filled, missing := fill(s, saved)
	if missing != nil {
		return nil, missing
	}
	return literal(filled), nil
}

// test compares one value; ok says that it is there.
func test(got any, ok bool, op, arg string, a *response, saved map[string]any) (bool, error) {
	if _, lacks := got.(nothing); lacks {
		got, ok = nil, false
	}
	items, isArray := got.([]any)
	object, isObject := got.(map[string]any)
	_, isText := got.(string)
	switch op {
	case "absent":
		return !ok, nil
	case "present":
		return ok && got != nil, nil
	case "null":
		return ok && got == nil, nil
	case "nullish":
		return got == nil, nil
	case "type":
		return kind(got) == arg || kind(got) == "integer" && arg == "number", nil
	case "matches":
		pattern, missing := fill(arg, saved)
		if missing != nil {
			return false, missing
		}
		r, err := regexp.Compile("(?s)" + pattern)
		return err == nil && ok && !isArray && !isObject && r.MatchString(text(got)), err
	case "sorted":
		return isArray && sorted(items, arg), nil
	case "unique":
		seen := map[string]bool{}
		for _, item := range items {
			seen[text(item)] = true
		}
		return isArray && len(seen) == len(items), nil
	}
	want, err := operand(arg, a, saved)
	if err != nil {
		return false, err
	}
	switch op {
	case "==":
		return ok && same(got, want), nil
	case "!=":
		return ok && !same(got, want), nil
	case "startswith":
		return isText && strings.HasPrefix(text(got), text(want)), nil
	case "in":
		all, _ := want.([]any)
		return slices.ContainsFunc(all, func(one any) bool { return same(got, one) }), nil
	case "contains", "lacks":
		has := false
		switch {
		case isText:
			has = strings.Contains(strings.ToLower(text(got)), strings.ToLower(text(want)))
		case isArray:
			has = slices.ContainsFunc(items, func(one any) bool { return same(one, want) })
		default:
			return false, nil
		}
		return has == (op == "contains"), nil
	case "hasname":
		r := regexp.MustCompile(`(^|[^a-z0-9])` + regexp.QuoteMeta(strings.ToLower(text(want))) + `([^a-z0-9]|$)`)
		return ok && r.MatchString(strings.ToLower(text(got))), nil
	case "count", "mincount", "maxcount":
		n, size := 0, len(items)
		if limit, isNumber := float(want); isNumber {
			n = int(limit)
		}
		if isObject {
			size = len(object)
		} else if !isArray {
			return false, nil
		}
		return op == "count" && size == n || op == "mincount" && size >= n || op == "maxcount" && size <= n, nil
	}
	if !ok || got == nil || isArray || isObject {
		return false, nil
	}
	order, comparable := compare(got, want)
	return comparable && (op == "<" && order < 0 || op == ">" && order > 0 || op == "<=" && order <= 0 ||
		op == ">=" && order >= 0), nil
}

func kind(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(value.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "nothing"
}

func float(value any) (float64, bool) {
	switch value := value.(type) {
	case json.Number:
		f, err := value.Float64()
		return f, err == nil
	case string:
		f, err := strconv.ParseFloat(value, 64)
		return f, err == nil
	}
	return 0, false
}

// instant returns the time that a text is: a date, or a date and a time with an offset or without (UTC).
func instant(value any) (time.Time, bool) {
	s, _ := value.(string)
	for _, layout := range []string{
		time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func same(a, b any) bool {
	if kind(a) == "integer" && kind(b) == "integer" { // of any size
		return a == b
	}
	if kind(a) == "boolean" || kind(b) == "boolean" {
		return a == b
	}
	if kind(a) != "string" || kind(b) != "string" {
		x, isX := float(a)
		y, isY := float(b)
		if isX && isY {
			return math.Abs(x-y) < 0.006
		}
	}
	if x, ok := instant(a); ok {
		y, ok := instant(b)
		return ok && x.Equal(y)
	}
	return kind(a) == kind(b) && text(a) == text(b)
}

// compare orders numbers, instants and texts.
func compare(a, b any) (order int, ok bool) {
	x, isX := float(a)
	y, isY := float(b)
	if isX && isY {
		switch {
		case x < y-1e-9:
			return -1, true
		case y < x-1e-9:
			return 1, true
		}
		return 0, true
	}
	from, isFrom := instant(a)
	to, isTo := instant(b)
	if isFrom != isTo {
		return 0, false
	}
	if isFrom {
		return from.Compare(to), true
	}
	s, isText := a.(string)
	other, isOther := b.(string)
	return strings.Compare(s, other), isText && isOther
}

// sorted reports whether more than one item is in an order: asc or desc, with ci whatever the case. Null items do not
// count.
func sorted(items []any, order string) bool {
	var values []any
	for _, item := range items {
		if _, lacks := item.(nothing); lacks {
			return false
		}
		if s, ok := item.(string); ok && strings.Contains(order, "ci") {
			item = strings.ToLower(s)
		}
		if item != nil {
			values = append(values, item)
		}
	}
	if strings.HasPrefix(order, "desc") {
		slices.Reverse(values)
	}
	for i := 1; i < len(values); i++ {
		if order, ok := compare(values[i-1], values[i]); ok && order > 0 {
			return false
		}
	}
	return len(values) > 1
}
