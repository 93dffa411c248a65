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
)

// maxNodes bounds a document with its YAML aliases spelled out: a few lines of
// nested aliases can stand for more nodes than any memory holds.
const maxNodes = 10_000_000

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
	size   int
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
		n.Kind, n.Text, err = r.scalar(y)
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
	if r.size += r.sizes[y.Alias]; r.size > maxNodes {
		return nil, r.fail(y, "aliases stand for more than %d values", maxNodes)
	}
	return n, nil
}

func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) error {
	var merged []*Node
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
			merged = append(merged, v)
			continue
		}
		r.loader.addMember(n, Member{key.Value, v, r.file.offset(key.Line, key.Column)})
	}
	for _, m := range merged { // https://yaml.org/type/merge.html: own keys win, then earlier sources
		sources := []*Node{m}
		if m.Kind == Array {
			sources = m.Items
		}
		for _, source := range sources {
			for _, member := range source.Members {
				if n.Get(member.Name) == nil {
					n.Members = append(n.Members, member)
				}
			}
		}
	}
	return nil
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

func (r *yamlReader) scalar(y *yaml.Node) (Kind, string, error) {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return String, y.Value, nil
	}
	switch y.ShortTag() {
	case "!!null":
		return Null, "", nil
	case "!!bool":
		return Bool, strings.ToLower(y.Value), nil
	case "!!int", "!!float":
		if jsonNumber.MatchString(y.Value) && len(y.Value) < 400 {
			return Number, y.Value, nil
		}
		if i, ok := new(big.Int).SetString(y.Value, 0); ok && len(y.Value) < 400 {
			return Number, i.String(), nil
		}
		f, err := strconv.ParseFloat(y.Value, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return 0, "", r.fail(y, "%s is no number that JSON knows", quote(y.Value))
		}
		return Number, strconv.FormatFloat(f, 'g', -1, 64), nil
	}
	return String, y.Value, nil
}
