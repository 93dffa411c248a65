package scenario

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

const (
	// MaxSize is the largest scenario file, in bytes.
	MaxSize = 1 << 20
	// maxNodes bounds the values of a file, those behind aliases counted at
	// each alias.
	maxNodes = 100_000
	// maxDepth bounds how deep values nest.
	maxDepth = 100
)

// reader turns YAML into nodes.
type reader struct {
	*parser
	left int // nodes that may still be made
}

// read parses the one YAML document of the file. It is nil where there is
// none or it is no YAML.
func (p *parser) read() *node {
	if len(p.text) > MaxSize {
		p.add(exchange.Place{File: p.file}, CodeSyntax, "the file is larger than %d bytes", MaxSize)
		return nil
	}
	if !utf8.ValidString(p.text) {
		for i, r := range p.text {
			if r == utf8.RuneError && !strings.HasPrefix(p.text[i:], "\ufffd") {
				line, column := jsontext.Position(p.text, i)
				p.add(exchange.Place{File: p.file, Line: line, Column: column}, CodeSyntax, "the file is not UTF-8")
				return nil
			}
		}
	}
	loader, err := yaml.NewLoader(strings.NewReader(p.text))
	if err != nil {
		p.syntax(err)
		return nil
	}
	var first, second yaml.Node
	switch err := loader.Load(&first); {
	case errors.Is(err, io.EOF) || err == nil && len(first.Content) == 0:
		p.add(exchange.Place{File: p.file, Line: 1, Column: 1}, CodeSyntax, "the file is empty; a scenario needs rules")
		return nil
	case err != nil:
		p.syntax(err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		p.add(exchange.Place{File: p.file, Line: second.Line, Column: second.Column}, CodeSyntax, "a second YAML document; one file holds one scenario")
	case !errors.Is(err, io.EOF):
		p.syntax(err)
		return nil
	}
	r := reader{p, maxNodes}
	return r.node(first.Content[0], nil, "", 0)
}

func (p *parser) syntax(err error) {
	place, message := exchange.Place{File: p.file}, err.Error()
	if e := (*yaml.LoadError)(nil); errors.As(err, &e) {
		message = e.Message
		if e.ContextMsg != "" {
			message += " " + e.ContextMsg
		}
		place.Line, place.Column = e.Mark.Line, e.Mark.Column
	}
	p.add(place, CodeSyntax, "not YAML: %s", message)
}

func (r *reader) node(y *yaml.Node, parent *node, token string, depth int) *node {
	n := &node{parent: parent, token: token, line: y.Line, column: y.Column, style: y.Style}
	r.left--
	switch {
	case r.left == 0:
		r.fail(n, CodeSyntax, "more than %d values; aliases count as what they stand for", maxNodes)
	case depth > maxDepth:
		r.fail(n, CodeSyntax, "nested more than %d deep", maxDepth)
		r.left = min(r.left, 0)
	}
	if r.left <= 0 {
		return n
	}
	switch y.Kind {
	case yaml.AliasNode:
		if y.Alias == nil {
			return n
		}
		return r.node(y.Alias, parent, token, depth+1)
	case yaml.SequenceNode:
		n.kind = kindList
		for i, item := range y.Content {
			n.items = append(n.items, r.node(item, n, strconv.Itoa(i), depth+1))
		}
	case yaml.MappingNode:
		n.kind = kindMap
		r.members(n, y, depth)
	case yaml.ScalarNode:
		r.scalar(n, y)
	}
	return n
}

func (r *reader) members(n *node, y *yaml.Node, depth int) {
	seen := make(map[string]int, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := y.Content[i]
		if k.Kind == yaml.AliasNode && k.Alias != nil {
			k = k.Alias
		}
		key := &node{kind: kindText, text: k.Value, parent: n, token: k.Value, line: k.Line, column: k.Column}
		switch {
		case k.Kind != yaml.ScalarNode:
			r.fail(key, CodeSyntax, "a key must be a string")
			continue
		case k.ShortTag() == "!!merge":
			r.fail(key, CodeKey, `merge keys ("<<") are not supported; write the keys, or use an alias for the whole value`)
			continue
		}
		if line, ok := seen[k.Value]; ok {
			r.fail(key, CodeDuplicate, "key %q stands twice, first on line %d", shorten(k.Value), line)
			continue
		}
		seen[k.Value] = k.Line
		n.members = append(n.members, member{k.Value, key, r.node(y.Content[i+1], n, k.Value, depth+1)})
		if r.left <= 0 {
			return
		}
	}
}

func (r *reader) scalar(n *node, y *yaml.Node) {
	n.text = y.Value
	switch tag := y.ShortTag(); tag {
	case "!!str", "!!timestamp":
		n.kind = kindText
	case "!!null":
		n.kind = kindNull
	case "!!bool":
		n.kind, n.text = kindBool, strings.ToLower(y.Value)
	case "!!int", "!!float":
		n.kind = kindNumber
		if !isNumber(y.Value) {
			n.text = "0"
			r.fail(n, CodeValue, "%q is a number in YAML but not in JSON; write it in decimal, or quote it if it is text", shorten(y.Value))
		}
	default:
		r.fail(n, CodeSyntax, "unknown YAML tag %q", shorten(tag))
	}
}

// isNumber reports whether s is a JSON number (RFC 8259 section 6) within the
// limits of jsontext.
func isNumber(s string) bool {
	v, err := jsontext.Decode(s)
	if err != nil {
		return false
	}
	_, ok := v.(json.Number)
	return ok
}
