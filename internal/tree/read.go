// Package tree reads JSON and YAML texts into trees whose nodes know their places.
package tree

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

const (
	// MaxDepth limits the nesting of a text's values. Bodies may nest 128 deep, and their schemas four times as deep,
	// with an allOf on every level.
	MaxDepth = 512
	// maxFindings limits the findings on one text.
	maxFindings = 10_000
)

// Error is a fault that prevents reading a text.
type Error struct {
	Place   exchange.Place
	Message string
	Err     error // the cause, or nil
}

func (e *Error) Error() string {
	if place := e.Place.String(); place != "" {
		return place + ": " + e.Message
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Read reads a JSON or YAML text and returns its root. name is the file's name in places. Findings are about the text
// itself; an error is an *Error. If a file is named .json, faults that YAML allows are findings.
func Read(name string, text []byte) (*Node, []exchange.Finding, error) {
	return ReadString(name, string(text))
}

// ReadString is Read for a string. Texts of nodes are substrings of it.
func ReadString(name, text string) (*Node, []exchange.Finding, error) {
	r := newReader(name, strings.ToValidUTF8(UTF8(text), "\ufffd"))
	return r.finish(r.read())
}

// ReadStrict reads a YAML text (JSON is a subset). Constructs that YAML readers understand differently are findings
// with the severity error: duplicate names, merge keys, tags, numbers that JSON does not have and a second document.
func ReadStrict(name string, text []byte) (*Node, []exchange.Finding, error) {
	r := newReader(name, UTF8(string(text)))
	r.strict = true
	return r.finish(r.readYAML())
}

type reader struct {
	file     *File
	strict   bool // see ReadStrict
	findings []exchange.Finding
	unsorted []*Node // objects whose members are not in the order of their offsets

	nodes   slab[Node]
	inner   slab[inner]
	members slab[Member]
	items   slab[*Node]
}

func newReader(name, text string) *reader {
	return &reader{file: newFile(name, text)}
}

// finish restores the order of offsets after members were replaced or merged.
func (r *reader) finish(root *Node, err error) (*Node, []exchange.Finding, error) {
	if err != nil {
		return nil, r.findings, err
	}
	slices.SortFunc(r.unsorted, func(a, b *Node) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, n := range slices.Compact(r.unsorted) {
		slices.SortStableFunc(n.inner.members, func(a, b Member) int { return cmp.Compare(a.Offset, b.Offset) })
		n.inner.index = indexOf(n.inner.members)
	}
	r.file.Root = root
	return root, r.findings, nil
}

func (r *reader) read() (*Node, error) {
	if start := strings.TrimLeft(r.file.Text, " \t\r\n"); !strings.HasPrefix(start, "{") &&
		!strings.HasPrefix(start, "[") {
		return r.readYAML()
	}
	json := jsonReader{Scanner: jsontext.NewDeepScanner(r.file.Text, MaxDepth), reader: r}
	root, syntax := json.node()
	if syntax == nil {
		syntax = json.End()
	}
	if syntax == nil {
		return root, nil
	}
	r.findings, r.unsorted = nil, nil
	place := exchange.Place{File: r.file.Name, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer}
	root, err := r.readYAML()
	switch {
	case !strings.HasSuffix(r.file.Name, ".json"):
	case err != nil:
		return nil, &Error{Place: place, Message: "this is not well-formed JSON: " + syntax.Message, Err: syntax}
	default:
		r.report(exchange.Finding{Code: "malformed-json", Document: place,
			Message: "this is not well-formed JSON: " + syntax.Message + "; it is read as YAML"})
	}
	return root, err
}

func (r *reader) report(f exchange.Finding) {
	if len(r.findings) < maxFindings {
		r.findings = append(r.findings, f)
	}
}

// replace puts a member in the place of an earlier one with the same name: the last value counts, as in most JSON
// parsers.
func (r *reader) replace(n *Node, first *Member, m Member) {
	line := n.File.Place(first.Offset).Line
	r.report(exchange.Finding{
		Code: "duplicate-key", Document: n.File.Place(m.Offset),
		Message: exchange.Quote(m.Name) + " appears twice in the same object (first at line " + strconv.Itoa(line) +
			"): the last one counts; remove the other",
	})
	*first = m
	r.unsorted = append(r.unsorted, n)
}
