package resource

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// Extension is the name of the field of an Operation Object or a Path Item
// Object that overrides the inference.
const Extension = "x-coldframe-resource"

// Overrides are the corrections that stand beside the document: an object whose
// names are "METHOD path" or a path, and whose values are like those of
// x-coldframe-resource. nil where there are none.
type Overrides struct {
	Resources *tree.Node
}

// ReadOverrides reads corrections from a YAML or JSON text.
func ReadOverrides(name string, text []byte) (Overrides, error) {
	root, findings, err := tree.Read(name, text)
	if err != nil {
		return Overrides{}, err
	}
	if len(findings) > 0 {
		return Overrides{}, errors.New(exchange.Join(findings))
	}
	return Overrides{Resources: root}, nil
}

// override is one correction, of an operation or of all of a path.
type override struct {
	off         bool // false: it has no part in any resource
	name        string
	parent      string
	key         []string
	parentKey   []string
	items, item []string
	role        Role
	hasRole     bool
	hasItems    bool
	hasItem     bool
	from        string // "the document" or "coldframe.yaml"
	place       exchange.Place
}

// overrideKeys are the fields of an override.
var overrideKeys = []string{"name", "role", "key", "parent", "parentKey", "items", "item"}

// overrides reads the corrections. What stands beside the document wins over
// what stands in it, an operation's over its path's.
func (in *inference) overrides(o Overrides) {
	byPath := map[string]*override{}
	byOperation := map[string]*override{}
	if o.Resources != nil {
		if o.Resources.Kind != tree.Object {
			in.fault(o.Resources, "\"resources\" must be an object whose names are paths, is "+o.Resources.Kind.String())
		}
		for _, m := range o.Resources.Members {
			read := in.parse(m.Value, "coldframe.yaml")
			if read == nil {
				continue
			}
			method, path, ok := strings.Cut(m.Name, " ")
			found := false
			for _, op := range in.ops {
				switch {
				case !ok && op.Path == m.Name:
					byPath[m.Name], found = read, true
				case ok && op.Path == strings.TrimSpace(path) && strings.EqualFold(op.Method, method), op.ID == m.Name:
					byOperation[op.Method+" "+op.Path], found = read, true
				}
			}
			if !found {
				in.fault(m.Value, strconv.Quote(m.Name)+" is no path and no operation of the document"+in.nearest(m.Name))
			}
		}
	}
	extensions := map[*tree.Node]*override{}
	for _, op := range in.ops {
		for _, read := range []*override{
			in.extension(op.PathExtension(Extension), extensions), byPath[op.Path],
			in.extension(op.Extension(Extension), extensions), byOperation[op.Method+" "+op.Path],
		} {
			if read != nil {
				op.override = op.override.with(read)
			}
		}
	}
	for _, op := range in.ops {
		if op.override != nil && op.override.name != "" && !op.override.off {
			in.familyFor(op)
		}
	}
}

// familyFor makes the family that an override asks for, where the path alone
// would give none.
func (in *inference) familyFor(o *operation) {
	f := in.familyAt(o.at)
	if f == nil {
		f = &family{collection: o.at}
		role := o.override.role
		if o.at.last.variable() && role != List && role != Create {
			f.collection, f.item = o.at.parent, o.at
		}
		f.name, f.names = f.collection.name(), namesOf(f.collection)
		in.register(f)
	}
	f.declared = o.override.name
}

func (in *inference) extension(n *tree.Node, known map[*tree.Node]*override) *override {
	if n == nil {
		return nil
	}
	read, ok := known[n]
	if !ok {
		read = in.parse(n, "the document")
		known[n] = read
	}
	return read
}

// with gives the override with what a nearer one says.
func (o *override) with(nearer *override) *override {
	if o == nil || nearer.off {
		return nearer
	}
	merged := *nearer
	if merged.name == "" {
		merged.name = o.name
	}
	if merged.parent == "" {
		merged.parent = o.parent
	}
	if merged.key == nil {
		merged.key = o.key
	}
	if merged.parentKey == nil {
		merged.parentKey = o.parentKey
	}
	if !merged.hasRole {
		merged.role, merged.hasRole = o.role, o.hasRole
	}
	if !merged.hasItems {
		merged.items, merged.hasItems = o.items, o.hasItems
	}
	if !merged.hasItem {
		merged.item, merged.hasItem = o.item, o.hasItem
	}
	return &merged
}

func (in *inference) fault(n *tree.Node, message string) {
	in.findings = append(in.findings, exchange.Finding{Code: "invalid-override", Message: message, Document: n.Place()})
}

func (in *inference) parse(n *tree.Node, from string) *override {
	o := &override{from: from, place: n.Place()}
	if n.Kind == tree.Bool && n.Text == "false" {
		o.off = true
		return o
	}
	if n.Kind != tree.Object {
		in.fault(n, "an override of a resource is an object, or false, not "+n.Kind.String())
		return nil
	}
	for _, m := range n.Members {
		if m.Value.Kind != tree.String {
			in.fault(m.Value, strconv.Quote(m.Name)+" must be a string, is "+m.Value.Kind.String())
			continue
		}
		text := m.Value.Text
		switch m.Name {
		case "name":
			o.name = text
		case "parent":
			o.parent = text
		case "key":
			o.key = pointer(text)
		case "parentKey":
			o.parentKey = pointer(text)
		case "items":
			o.items, o.hasItems = pointer(text), true
		case "item":
			o.item, o.hasItem = pointer(text), true
		case "role":
			role, ok := parseRole(text)
			if !ok {
				in.fault(m.Value, strconv.Quote(text)+" is no role; the roles are "+strings.Join(roleNames[1:], ", ")+nearest.Hint(text, roleNames[1:]))
				continue
			}
			o.role, o.hasRole = role, true
		default:
			in.fault(m.Value, strconv.Quote(m.Name)+" is no key of an override; the keys are "+strings.Join(overrideKeys, ", ")+nearest.Hint(m.Name, overrideKeys))
		}
	}
	return o
}

// pointer reads a property's name or a JSON Pointer (RFC 6901).
func pointer(text string) []string {
	if text == "" || text == "/" {
		return []string{}
	}
	if text[0] != '/' {
		return []string{text}
	}
	var path []string
	for token := range strings.SplitSeq(text[1:], "/") {
		path = append(path, exchange.UnescapePointer(token))
	}
	return path
}

// nearest gives the hint that ends a message about an unknown path.
func (in *inference) nearest(name string) string {
	var known []string
	_, _, ok := strings.Cut(name, " ")
	for _, o := range in.ops {
		if ok {
			known = append(known, o.Method+" "+o.Path)
		} else if !slices.Contains(known, o.Path) {
			known = append(known, o.Path)
		}
	}
	return nearest.Hint(name, known)
}
