package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// New returns the text of a scenario file in which an operation answers with a status. The body is the documented
// example, or else generated from the schema; if neither can be written into a file, it is left to the mock.
// operation is METHOD path or an operationId. An undocumented status is allowed if violates is set.
func New(c *spec.Contract, operation string, status int, violates bool) ([]byte, error) {
	op := c.Operation(operation)
	if method, path, ok := strings.Cut(operation, " "); op == nil && ok {
		op = c.Operation(strings.ToUpper(method) + " " + path)
	}
	if op == nil {
		_, err := FindOperation(c, operation)
		return nil, err
	}
	documented := op.Response(status)
	answer := []tree.Pair{{Name: "status", Value: json.Number(strconv.Itoa(status))}}
	var candidates [][]tree.Pair
	if documented != nil {
		for i, m := range documented.Content {
			if value, ok := body(op, status, m); ok {
				with := slices.Clone(answer)
				if i > 0 && m.Type != "*" && m.Subtype != "*" {
					with = append(with, tree.Pair{Name: "headers", Value: map[string]any{"Content-Type": m.Range}})
				}
				with = append(with, tree.Pair{Name: "body", Value: jsonvalue.WithTexts(value, Escape)})
				candidates = append(candidates, with)
			}
		}
	}
	var wrong error
	for _, candidate := range append(candidates, answer) {
		var file []byte
		if file, wrong = writeFile(op, status, candidate, documented == nil && violates); wrong != nil {
			continue
		}
		s, findings := Parse(c, "new.yaml", file)
		if s != nil {
			return file, nil
		}
		wrong = errors.New(findings[0].Message)
	}
	return nil, wrong
}

// Escape writes "$${" for "${", which would begin an expression.
func Escape(text string) string { return strings.ReplaceAll(text, "${", "$${") }

func writeFile(op *spec.Operation, status int, respond []tree.Pair, violates bool) ([]byte, error) {
	rule := []tree.Pair{{Name: "on", Value: title(op)}, {Name: "respond", Value: respond}}
	if violates {
		rule = append(rule, tree.Pair{Name: "violates", Value: true})
	}
	return tree.WriteYAML([]tree.Pair{
		{Name: "description", Value: fmt.Sprintf("%s answers %d", title(op), status)},
		{Name: "rules", Value: []any{rule}},
	})
}

func body(op *spec.Operation, status int, m *spec.MediaType) (any, bool) {
	for _, e := range m.Examples {
		if len(e.Broken) == 0 {
			return e.Value, true
		}
	}
	if m.Schema == nil {
		return nil, false
	}
	key, options := generate.NewKey(0, op.ID, strconv.Itoa(status), m.Range), generate.Options{Examples: true}
	if status >= 400 {
		value := respond.ErrorBody(op, m, options, key, status)
		return value, m.Conforms(value)
	}
	value, err := generate.New(m.Schema, options).Value(key)
	return value, err == nil
}
