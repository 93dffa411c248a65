package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// New writes a scenario file in which an operation answers with a status. The
// body is the document's example, or else one made from its schema; where
// neither can be written into a file, it is left to the mock. operation is
// METHOD path or an operationId.
// A status that the document does not have is written where the scenario may
// break it.
func New(c *spec.Contract, operation string, status int, violates bool) ([]byte, error) {
	op := c.Operation(operation)
	if method, path, ok := strings.Cut(operation, " "); op == nil && ok {
		op = c.Operation(strings.ToUpper(method) + " " + path)
	}
	if op == nil {
		_, err := FindOperation(c, operation)
		return nil, err
	}
	plain := fmt.Appendf(nil, "description: %s\nrules:\n  - on: %s\n    respond:\n      status: %d\n",
		text(fmt.Sprintf("%s answers %d", title(op), status)), text(title(op)), status)
	documented := op.Response(status)
	if documented == nil && violates {
		plain = append(plain, "    violates: true\n"...)
	}
	if documented != nil {
		for i, m := range documented.Content {
			value, ok := body(op, status, m)
			if !ok {
				continue
			}
			file := slices.Clone(plain)
			if i > 0 && m.Type != "*" && m.Subtype != "*" {
				file = fmt.Appendf(file, "      headers:\n        Content-Type: %s\n", text(m.Range))
			}
			file = appendValue(append(file, "      body:"...), value, 4)
			if s, _ := Parse(c, "new.yaml", file); s != nil {
				return file, nil
			}
		}
	}
	if s, findings := Parse(c, "new.yaml", plain); s == nil {
		return nil, errors.New(findings[0].Message)
	}
	return plain, nil
}

// body gives a value to answer with.
func body(op *spec.Operation, status int, m *spec.MediaType) (any, bool) {
	for _, e := range m.Examples {
		if len(e.Broken) == 0 {
			return e.Value, true
		}
	}
	if m.Schema == nil {
		return nil, false
	}
	key := generate.NewKey(0, op.ID, strconv.Itoa(status), m.Range)
	value, err := generate.New(m.Schema, generate.Options{Examples: true}).Value(key)
	if object, ok := value.(map[string]any); ok && err == nil && status >= 400 {
		reasoned(m, object, status)
	}
	return value, err == nil
}

// The names of properties that say what was wrong.
var (
	statusNames = []string{"status", "code", "error"}
	reasonNames = []string{"message", "detail", "description", "title", "reason", "error"}
)

// reasoned has a made body of an error say the status and its name, where the
// properties' names and the schema allow that.
func reasoned(m *spec.MediaType, object map[string]any, status int) {
	set := func(names []string, value any, fits func(any) bool) {
		for _, name := range names {
			before, ok := object[name]
			if !ok || !fits(before) {
				continue
			}
			object[name] = value
			if m.Conforms(object) {
				return
			}
			object[name] = before
		}
	}
	set(statusNames, json.Number(strconv.Itoa(status)), func(v any) bool { _, ok := v.(json.Number); return ok })
	set(reasonNames, http.StatusText(status), func(v any) bool { _, ok := v.(string); return ok })
}

// appendValue writes a value behind its key or dash, in block style; depth is
// how far the key is indented, in pairs of spaces.
func appendValue(b []byte, v any, depth int) []byte {
	indent := "\n" + strings.Repeat("  ", depth)
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return append(b, " {}\n"...)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b = append(b, indent...)
			b = append(b, text(name)...)
			b = append(b, ':')
			b = trimLine(appendValue(b, v[name], depth+1))
		}
		return append(b, '\n')
	case []any:
		if len(v) == 0 {
			return append(b, " []\n"...)
		}
		for _, item := range v {
			b = append(b, indent...)
			b = append(b, '-')
			b = trimLine(appendValue(b, item, depth+1))
		}
		return append(b, '\n')
	case string:
		return append(append(append(b, ' '), text(strings.ReplaceAll(v, "${", "$${"))...), '\n')
	case json.Number:
		return append(append(append(b, ' '), v...), '\n')
	}
	return append(jsontext.Append(append(b, ' '), v), '\n')
}

func trimLine(b []byte) []byte { return b[:len(b)-1] }

// text writes a string as YAML: plain where that can only be a string.
func text(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
	plain := strings.Join(words, " ") == s && len(words) > 0 && strings.Trim(s, plainCharacters) == "" &&
		!strings.Contains("0123456789.-{}", s[:1]) && !slices.Contains(notPlain, strings.ToLower(s))
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range string(jsontext.Append(nil, s)) {
		switch {
		case r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff': // line breaks and controls of YAML, not of JSON
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

const plainCharacters = " -./0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz{}"

// notPlain are the words that YAML 1.1 or 1.2 takes for something else.
var notPlain = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
