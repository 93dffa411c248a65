package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// Limits on the values that YAML aliases add: a few lines of nested aliases can mean more values than fit into
// memory.
const (
	maxAliased       = 1_000_000
	maxStrictAliased = 100_000
)

// readYAML reads a YAML text with the core schema of YAML 1.2, in which on, no and 2021-02-30 are strings.
func (r *reader) readYAML() (*Node, error) {
	var document, second yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(r.file.Text))
	err := decoder.Decode(&document)
	if r.strict && err == nil {
		if err = decoder.Decode(&second); err == nil {
			r.reportAt(&second, "second-document", "a second YAML document; a file holds one")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlError(r.file, err)
	}
	if len(document.Content) == 0 {
		return &Node{File: r.file}, nil
	}
	y := yamlReader{reader: r, anchored: map[*yaml.Node]*Node{}, sizes: map[*yaml.Node]int{}}
	return y.node(document.Content[0], 0)
}

func (r *reader) reportAt(y *yaml.Node, code, message string) {
	place := exchange.Place{File: r.file.Name, Line: y.Line, Column: y.Column}
	r.report(exchange.Finding{Code: code, Message: message, Document: place})
}

var yamlLine = lazyregexp.New(`line (\d+)(?:, column (\d+))?:? ?`)

// yamlError moves the place from the text of a parser's error into the error's Place.
func yamlError(f *File, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	place := exchange.Place{File: f.Name}
	if m := yamlLine.Get().FindStringSubmatchIndex(text); m != nil {
		place.Line, _ = strconv.Atoi(text[m[2]:m[3]])
		place.Column = 1
		if m[4] >= 0 {
			place.Column, _ = strconv.Atoi(text[m[4]:m[5]])
		}
		text = text[:m[0]] + text[m[1]:]
	}
	return &Error{Place: place, Message: "this is not well-formed YAML: " + text}
}

type yamlReader struct {
	*reader
	anchored map[*yaml.Node]*Node // nil while they are being read
	sizes    map[*yaml.Node]int   // of anchored nodes
	size     int                  // values so far, with aliases expanded
	aliased  int                  // the part of size that aliases added
}

func (r *yamlReader) fail(n *yaml.Node, format string, args ...any) error {
	return &Error{Place: exchange.Place{File: r.file.Name, Line: n.Line, Column: n.Column},
		Message: fmt.Sprintf(format, args...)}
}

func (r *yamlReader) node(y *yaml.Node, depth int) (*Node, error) {
	if depth > MaxDepth {
		return nil, r.fail(y, "nested more than %d deep", MaxDepth)
	}
	if y.Kind == yaml.AliasNode {
		return r.alias(y)
	}
	before := r.size
	r.size++
	if y.Anchor != "" {
		r.anchored[y] = nil
	}
	n := r.nodes.new()
	n.File, n.Offset = r.file, r.file.offset(y.Line, y.Column)
	var err error
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind, n.inner = Object, r.inner.new()
		n.inner.members = r.members.take(len(y.Content) / 2)[:0]
		err = r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind, n.inner = Array, r.inner.new()
		n.inner.items = r.items.take(len(y.Content))
		for i, item := range y.Content {
			if n.inner.items[i], err = r.node(item, depth+1); err != nil {
				break
			}
		}
	default:
		n.Kind, n.Text = r.scalar(y)
	}
	if y.Anchor != "" {
		r.anchored[y], r.sizes[y] = n, r.size-before
	}
	return n, err
}

func (r *yamlReader) alias(y *yaml.Node) (*Node, error) {
	n := r.anchored[y.Alias]
	if n == nil {
		return nil, r.fail(y, "alias *%s is inside its own anchor; use a $ref for a recursive value", y.Value)
	}
	r.size += r.sizes[y.Alias]
	most := maxAliased
	if r.strict {
		most = maxStrictAliased
	}
	if r.aliased += r.sizes[y.Alias]; r.aliased > most {
		return nil, r.fail(y, "aliases stand for more than %d values", most)
	}
	copied := *n
	copied.Offset = r.file.offset(y.Line, y.Column)
	return &copied, nil
}

// addMember appends a member, or replaces the member with its name.
func (r *yamlReader) addMember(n *Node, m Member) {
	in := n.inner
	if i := n.find(m.Name); i >= 0 {
		r.replace(n, &in.members[i], m)
		return
	}
	if in.members = append(in.members, m); in.index != nil {
		in.index[m.Name] = int32(len(in.members) - 1)
	} else {
		in.index = indexOf(in.members)
	}
}

func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) error {
	var merged []Member // members of merge keys, at the places of the keys
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		offset := r.file.offset(key.Line, key.Column)
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if r.strict && key.ShortTag() == "!!merge" {
			r.reportAt(key, "merge-key",
				`merge keys ("<<") are not supported; write the keys, or use an alias for the whole value`)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return r.fail(key, "a key must be a string")
		}
		v, err := r.node(value, depth+1)
		if err != nil {
			return err
		}
		if key.Tag != "!!merge" {
			r.addMember(n, Member{key.Value, v, offset})
			continue
		}
		sources := []*Node{v}
		if v.Kind == Array {
			sources = v.List()
		}
		for _, source := range sources {
			for _, m := range source.Fields() {
				value := *m.Value
				value.Offset = offset
				merged = append(merged, Member{m.Name, &value, offset})
			}
		}
	}
	for _, m := range merged { // https://yaml.org/type/merge.html: the mapping's keys win, then earlier sources
		if n.find(m.Name) < 0 {
			r.addMember(n, m)
		}
	}
	if merged != nil {
		r.unsorted = append(r.unsorted, n)
	}
	return nil
}

func (r *yamlReader) scalar(y *yaml.Node) (Kind, string) {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return String, y.Value
	}
	switch tag := y.ShortTag(); tag {
	case "!!null":
		return Null, ""
	case "!!bool":
		return Bool, strings.ToLower(y.Value)
	case "!!int", "!!float":
		number, ok := JSONNumber(y.Value)
		if r.strict && number != y.Value {
			r.reportAt(y, "not-a-json-number", exchange.Quote(y.Value)+
				" is a number in YAML but not in JSON; write it in decimal, or quote it if it is text")
			return Number, "0"
		}
		if ok {
			return Number, number
		}
		r.report(exchange.Finding{Code: "not-a-json-number", Severity: exchange.Warning,
			Message:  exchange.Quote(y.Value) + " is no number that JSON knows; it is read as a string",
			Document: exchange.Place{File: r.file.Name, Line: y.Line, Column: y.Column}})
	case "!!str", "!!timestamp":
	default:
		if r.strict {
			r.reportAt(y, "yaml-tag", "unknown YAML tag "+exchange.Quote(tag))
		}
	}
	return String, y.Value
}

// JSONNumber converts a number of YAML (0x1F, 0o17, +1, .5, 1e3) to JSON, within the limits of package jsontext.
func JSONNumber(text string) (string, bool) {
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

// WriteYAML writes a JSON value as a YAML document in block style. Read returns the same value.
func WriteYAML(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(yamlNode(value)); err != nil {
		return nil, err
	}
	return b.Bytes(), encoder.Close()
}

// Pair is a member of an object with ordered members.
type Pair struct {
	Name  string
	Value any
}

func yamlNode(value any) *yaml.Node {
	switch v := value.(type) {
	case []Pair:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, p := range v {
			n.Content = append(n.Content, yamlNode(p.Name), yamlNode(p.Value))
		}
		return n
	case map[string]any:
		pairs := make([]Pair, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			pairs = append(pairs, Pair{name, v[name]})
		}
		return yamlNode(pairs)
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, yamlNode(item))
		}
		return n
	case string:
		n := &yaml.Node{}
		n.SetString(v)
		return n
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(jsontext.Append(nil, value))}
}
