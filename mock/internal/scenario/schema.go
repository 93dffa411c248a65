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

// Schema returns the JSON Schema (2020-12) of scenario files, for editors. Do not change the bytes.
func Schema() []byte { return schemaText }

// fileSchema is the schema, compiled and as a tree. It is the request body of a document, so that the validator of
// request bodies can validate files.
type fileSchema struct {
	schema *spec.Schema
	text   *tree.Node
}

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

// validate reports schema violations in a file, and returns the tree with null in place of invalid parts, so that all
// errors are found at once.
func (r *report) validate(root *tree.Node) (valid *tree.Node) {
	s, valid := compiledSchema(), root
	for _, f := range s.schema.Check(root.Value(), "", "") {
		s.explain(r, root, f)
		valid = withNull(valid, f.Pointer)
	}
	return valid
}

func withNull(n *tree.Node, pointer string) *tree.Node {
	if pointer == "" {
		return n.New(tree.Null)
	}
	token, rest, deeper := strings.Cut(pointer[1:], "/")
	if deeper {
		rest = "/" + rest
	}
	changed := n.New(n.Kind)
	changed.Text = n.Text
	for _, m := range n.Fields() {
		if m.Name == exchange.UnescapePointer(token) {
			m = m.With(withNull(m.Value, rest))
		}
		changed.Append(m)
	}
	for i, item := range n.List() {
		if token == strconv.Itoa(i) {
			item = withNull(item, rest)
		}
		changed.AppendItems(item)
	}
	return changed
}

func (s fileSchema) explain(r *report, root *tree.Node, f exchange.Finding) {
	ownerPointer, _ := cutLast(f.Document.Pointer)
	keys := s.text.At(ownerPointer).Get("properties")
	parentPointer, key := cutLast(f.Pointer)
	parent, within := root.At(parentPointer), subject(parentPointer)
	switch f.Code {
	case "additional-properties":
		suggestion := s.keyHint(key, within, names(keys))
		r.failAt(parent.PlaceOf(key), CodeKey, "unknown key %q in %s%s", shorten(key), within, suggestion)
	case "property-names":
		r.failAt(parent.PlaceOf(key), CodeValue, "%q is not a valid header name", shorten(key))
	case "required":
		expected := strings.Replace(keys.Get(key).Get("errorMessage").Str(), "must be", ":", 1)
		r.fail(parent, CodeRule, "%s needs %q%s", within, key, expected)
	default:
		n := root.At(f.Pointer)
		if n == nil { // a missing key that another one requires
			n = parent
		}
		s.explainValue(r, n, s.text.At(ownerPointer), f)
	}
}

// explainValue reports a value that violates a keyword of owner.
func (s fileSchema) explainValue(r *report, n, owner *tree.Node, f exchange.Finding) {
	what, message := subject(f.Pointer), s.errorMessage(f.Document.Pointer)
	keys, types := names(owner.Get("properties")), strings.Join(texts(owner.Get("type")), " ")
	if message == "" && f.Code == "type" {
		message = typeMessages[types]
	}
	code := CodeRule
	switch {
	case isEmpty(n) && strings.HasPrefix(f.Code, "min-") && (message == "" || f.Code != "min-properties"):
		message = what + " must not be empty"
		if f.Code == "min-length" {
			code = CodeValue
		}
		if keys != nil {
			message += "; it needs " + enumerate(keys, "or")
		}
	case message != "":
	case f.Code == "type":
		message = "must be an object with " + enumerate(keys, "or")
	case f.Code == "enum":
		code, message = CodeValue, "unknown "+what+" "+describe(n)+hint(n.Text, texts(owner.Get("enum")), "there are")
	default:
		message = what + " " + f.Message
	}
	if strings.HasPrefix(message, "must ") {
		code, message = CodeValue, what+" "+message+", is "+describe(n)
		if n.Kind == tree.String && f.Code == "type" && isNumber(n.Text) && !strings.Contains(types, "string") {
			message += "; write it without quotes"
		}
	}
	r.fail(n, code, "%s", message)
}

// typeMessages are the messages for schemas without an errorMessage.
var typeMessages = map[string]string{
	"string": "must be a string", "boolean": "must be true or false", "array": "must be an array",
}

func isEmpty(n *tree.Node) bool { return n.Text == "" && len(n.List()) == 0 && len(n.Fields()) == 0 }

// errorMessage returns the schema's own text for a violation of one of its keywords. A text about several keys is
// beside the condition on them.
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

func cutLast(pointer string) (parent, token string) {
	i := max(0, strings.LastIndexByte(pointer, '/'))
	return pointer[:i], exchange.UnescapePointer(strings.TrimPrefix(pointer[i:], "/"))
}

func names(n *tree.Node) (list []string) {
	if n != nil {
		for _, m := range n.Fields() {
			list = append(list, m.Name)
		}
	}
	return list
}

// texts returns a scalar, or the scalars of an array.
func texts(n *tree.Node) (list []string) {
	for _, item := range items(n) {
		list = append(list, item.Text)
	}
	return list
}
