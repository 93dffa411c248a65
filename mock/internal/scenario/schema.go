package scenario

import (
	"context"
	_ "embed" // scenario.schema.json
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

//go:embed scenario.schema.json
var schemaText []byte

// Schema is the JSON Schema (2020-12) of scenario files, for editors. The
// bytes are not to be changed.
func Schema() []byte { return schemaText }

// fileSchema is the schema compiled, and as a tree. It is the request body of a
// document, so that the validator of request bodies validates files.
type fileSchema struct {
	schema *spec.Schema
	text   *tree.Node
}

// schemaPointer is where the tree has the schema.
const schemaPointer = "/paths/~1/post/requestBody/content/application~1json/schema"

var compiledSchema = sync.OnceValue(func() fileSchema {
	document := fmt.Appendf(nil, `{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/": {"post": {
		"requestBody": {"content": {"application/json": {"schema": %s}}}, "responses": {"default": {"description": ""}}}}}}`, schemaText)
	c, err := spec.Load(context.Background(), "scenario.schema.json", spec.Options{Text: document})
	if err != nil {
		panic(err) // the text is embedded
	}
	text, _, err := tree.Read("scenario.schema.json", document)
	if err != nil {
		panic(err)
	}
	return fileSchema{c.Operations[0].Body.Content[0].Schema, text}
})

// validate reports what of a file violates the schema, and gives the rest of its
// value, with null in place of what does, so that all errors are found at once.
func (r *report) validate(root *tree.Node) (valid any) {
	s, valid := compiledSchema(), root.Value()
	found := s.schema.Check(valid, "", "")
	for _, f := range found {
		s.explain(r, root, f)
		valid = withNull(valid, f.Pointer)
	}
	return valid
}

// withNull changes what a JSON Pointer leads to into null.
func withNull(v any, pointer string) any {
	if pointer == "" {
		return nil
	}
	token, rest, deeper := strings.Cut(pointer[1:], "/")
	if deeper {
		rest = "/" + rest
	}
	switch v := v.(type) {
	case map[string]any:
		if name := exchange.UnescapePointer(token); v[name] != nil {
			v[name] = withNull(v[name], rest)
		}
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i < len(v) {
			v[i] = withNull(v[i], rest)
		}
	}
	return v
}

// explain reports a violation in the words of the file's format.
func (s fileSchema) explain(r *report, root *tree.Node, f exchange.Finding) {
	ownerPointer, _ := cutLast(f.Document.Pointer)
	owner := s.text.At(ownerPointer)
	parentPointer, key := cutLast(f.Pointer)
	n, parent := root.At(f.Pointer), root.At(parentPointer)
	switch f.Code {
	case "additional-properties":
		what := subject(parentPointer)
		r.fail(parent.PlaceOf(key), CodeKey, "unknown key %q in %s%s", shorten(key), what, s.keyHint(key, what, names(owner.Get("properties"))))
		return
	case "property-names":
		r.fail(parent.PlaceOf(key), CodeValue, "%q is not a valid header name", shorten(key))
		return
	case "required":
		expected := owner.Get("properties").Get(key).Get("errorMessage").Str()
		r.fail(parent.Place(), CodeRule, "%s needs %q%s", subject(parentPointer), key, strings.Replace(expected, "must be", ":", 1))
		return
	}
	if n == nil { // a key that another one requires
		n = parent
	}
	message, code := s.errorMessage(f.Document.Pointer), CodeRule
	types := strings.Join(texts(owner.Get("type")), " ")
	switch {
	case isEmpty(n) && f.Code == "min-properties" && message == "":
		message = subject(f.Pointer) + " is empty; it needs " + enumerate(names(owner.Get("properties")), "or")
	case isEmpty(n) && strings.HasPrefix(f.Code, "min-") && f.Code != "min-properties":
		message = subject(f.Pointer) + " must not be empty"
	case message != "":
	case f.Code == "type" && types == "string":
		message = "must be a string"
	case f.Code == "type" && types == "boolean":
		message = "must be true or false"
	case f.Code == "type" && types == "array":
		message = "must be an array"
	case f.Code == "type":
		message = "must be an object with " + enumerate(names(owner.Get("properties")), "or")
	case f.Code == "enum":
		message = "unknown " + subject(f.Pointer) + " " + describe(n) + hint(n.Text, texts(owner.Get("enum")), "there are")
		code = CodeValue
	default:
		message = subject(f.Pointer) + " " + f.Message
	}
	if strings.HasPrefix(message, "must ") {
		code, message = CodeValue, subject(f.Pointer)+" "+message+", is "+describe(n)
		if n.Kind == tree.String && f.Code == "type" && isNumber(n.Text) && !strings.Contains(types, "string") {
			message += "; write it without quotes"
		}
	}
	r.fail(n.Place(), code, "%s", message)
}

func isEmpty(n *tree.Node) bool { return n.Text == "" && len(n.Items) == 0 && len(n.Members) == 0 }

// errorMessage gives the text that the schema has for a violation of one of its
// keywords. A sentence about several keys stands above the condition on them.
func (s fileSchema) errorMessage(keyword string) string {
	isCondition := slices.ContainsFunc([]string{"/then/", "/else/", "/dependentSchemas/", "/dependentRequired/"},
		func(part string) bool { return strings.Contains(keyword, part) })
	for p, _ := cutLast(keyword); p != ""; p, _ = cutLast(p) {
		if text := s.text.At(p).Get("errorMessage").Str(); text != "" || !isCondition {
			return text
		}
	}
	return ""
}

// keyHint suggests a key, or where an unknown one belongs.
func (s fileSchema) keyHint(key, what string, known []string) string {
	keysOf := func(definition string) []string {
		return names(s.text.At(schemaPointer + "/$defs/" + definition + "/properties"))
	}
	switch {
	case what == "a rule" && slices.Contains(keysOf("answer"), key):
		return "; it belongs under respond"
	case what == "respond" && slices.Contains(keysOf("rule"), key):
		return "; it belongs beside respond"
	}
	return hint(key, known, "there are")
}

// subject names what a pointer into a file leads to.
func subject(pointer string) string {
	if pointer == "" {
		return "a scenario"
	}
	tokens := strings.Split(pointer[1:], "/")
	if len(tokens) == 2 && tokens[0] == "rules" {
		return "a rule"
	}
	i := len(tokens) - 1
	for i > 0 && strings.Trim(tokens[i], "0123456789") == "" {
		i--
	}
	return exchange.UnescapePointer(tokens[i])
}

// cutLast separates a pointer from its last token.
func cutLast(pointer string) (parent, token string) {
	i := max(0, strings.LastIndexByte(pointer, '/'))
	return pointer[:i], exchange.UnescapePointer(strings.TrimPrefix(pointer[i:], "/"))
}

// names gives the names of an object's members.
func names(n *tree.Node) []string {
	if n == nil {
		return nil
	}
	list := make([]string, len(n.Members))
	for i, m := range n.Members {
		list[i] = m.Name
	}
	return list
}

// texts gives a scalar, or those of an array.
func texts(n *tree.Node) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind != tree.Array:
		return []string{n.Text}
	}
	list := make([]string, len(n.Items))
	for i, item := range n.Items {
		list[i] = item.Text
	}
	return list
}
