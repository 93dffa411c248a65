package spec

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxAliased bounds the values that the YAML aliases of a document stand for: a
// few lines of nested aliases can stand for more than any memory holds.
const maxAliased = 1_000_000

// readYAML reads a YAML text into a tree, by the core schema of YAML 1.2: what
// JSON would call a string is a string (on, no, 2021-02-30).
func (l *loader) readYAML(f *file) (*Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(f.text), &document); err != nil {
		return nil, yamlError(f, err)
	}
	if len(document.Content) == 0 {
		return &Node{file: f}, nil
	}
	r := yamlReader{loader: l, file: f, done: map[*yaml.Node]*Node{}, sizes: map[*yaml.Node]int{}}
	return r.node(document.Content[0], 0)
}

var yamlLine = regexp.MustCompile(`line (\d+)(?:, column (\d+))?:? ?`)

// yamlError gives the parser's complaint the shape of every other: file:line:col.
func yamlError(f *file, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	place := exchange.Place{File: f.name}
	if m := yamlLine.FindStringSubmatchIndex(text); m != nil {
		place.Line, _ = strconv.Atoi(text[m[2]:m[3]])
		place.Column = 1
		if m[4] >= 0 {
			place.Column, _ = strconv.Atoi(text[m[4]:m[5]])
		}
		text = text[:m[0]] + text[m[1]:]
	}
	return &DocumentError{Place: place, Message: "this is not well-formed YAML: " + text}
}

type yamlReader struct {
	loader *loader
	file   *file
	done   map[*yaml.Node]*Node // anchored nodes, nil while they are being read
	sizes  map[*yaml.Node]int
	size   int // values so far, aliases spelled out
	extra  int // of them, those that aliases stand for
}

func (r *yamlReader) fail(n *yaml.Node, format string, args ...any) error {
	return &DocumentError{
		Place:   exchange.Place{File: r.file.name, Line: n.Line, Column: n.Column},
		Message: fmt.Sprintf(format, args...),
	}
}

func (r *yamlReader) node(y *yaml.Node, depth int) (*Node, error) {
	if depth > maxDocumentDepth {
		return nil, r.fail(y, "nested more than %d deep", maxDocumentDepth)
	}
	if y.Kind == yaml.AliasNode {
		return r.alias(y)
	}
	before := r.size
	r.size++
	if y.Anchor != "" {
		r.done[y] = nil
	}
	n := &Node{file: r.file, offset: r.file.offset(y.Line, y.Column)}
	var err error
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Object
		err = r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = Array
		n.Items = make([]*Node, len(y.Content))
		for i, item := range y.Content {
			if n.Items[i], err = r.node(item, depth+1); err != nil {
				break
			}
		}
	default:
		n.Kind, n.Text = r.scalar(y)
	}
	if y.Anchor != "" {
		r.done[y], r.sizes[y] = n, r.size-before
	}
	return n, err
}

func (r *yamlReader) alias(y *yaml.Node) (*Node, error) {
	n, ok := r.done[y.Alias]
	if !ok || n == nil {
		return nil, r.fail(y, "alias *%s stands inside its own anchor; use a $ref for a recursive value", y.Value)
	}
	r.size += r.sizes[y.Alias]
	if r.extra += r.sizes[y.Alias]; r.extra > maxAliased {
		return nil, r.fail(y, "aliases stand for more than %d values", maxAliased)
	}
	copied := *n
	copied.offset = r.file.offset(y.Line, y.Column)
	return &copied, nil
}

func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) error {
	type merge struct {
		sources []*Node
		offset  int32
	}
	var merges []merge
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return r.fail(key, "a key must be a string")
		}
		v, err := r.node(value, depth+1)
		if err != nil {
			return err
		}
		if key.Tag == "!!merge" {
			sources := []*Node{v}
			if v.Kind == Array {
				sources = v.Items
			}
			merges = append(merges, merge{sources, r.file.offset(y.Content[i].Line, y.Content[i].Column)})
			continue
		}
		r.loader.addMember(n, Member{key.Value, v, r.file.offset(y.Content[i].Line, y.Content[i].Column)})
	}
	if merges == nil {
		return nil
	}
	own := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		own[m.Name] = true
	}
	for _, m := range merges { // https://yaml.org/type/merge.html: own keys win, then earlier sources
		for _, source := range m.sources {
			for _, member := range source.Members {
				if own[member.Name] {
					continue
				}
				own[member.Name] = true
				value := *member.Value
				value.offset = m.offset
				n.Members = append(n.Members, Member{member.Name, &value, m.offset})
			}
		}
	}
	r.loader.unsorted = append(r.loader.unsorted, n)
	return nil
}

func (r *yamlReader) scalar(y *yaml.Node) (Kind, string) {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return String, y.Value
	}
	switch y.ShortTag() {
	case "!!null":
		return Null, ""
	case "!!bool":
		return Bool, strings.ToLower(y.Value)
	case "!!int", "!!float":
		if number, ok := jsonNumber(y.Value); ok {
			return Number, number
		}
		r.loader.find(exchange.Finding{
			Code:     "not-a-json-number",
			Severity: exchange.Warning,
			Message:  quote(y.Value) + " is no number that JSON knows; it is read as a string",
			Document: exchange.Place{File: r.file.name, Line: y.Line, Column: y.Column},
		})
	}
	return String, y.Value
}

// jsonNumber writes a number of YAML (0x1F, 0o17, +1, .5, 1e3) as JSON does. It
// keeps to the limits of package jsontext.
func jsonNumber(text string) (string, bool) {
	scanner := jsontext.NewScanner(text)
	if number, err := scanner.Number(); err == nil && number == text {
		return text, true
	}
	if len(text) > 400 || strings.ContainsRune(text, '_') {
		return "", false
	}
	if i, ok := new(big.Int).SetString(text, 0); ok {
		return i.String(), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", false
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}
