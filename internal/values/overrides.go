package values

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// The codes of findings on settings for values.
const (
	CodeInvalid       = "invalid-value-hint"       // it cannot be read, or names nothing
	CodeNonconforming = "nonconforming-value-hint" // its values break their schema, and are not used
)

// Overrides say beside the document what values are: the section values of coldframe.yaml, an object whose names are
// "Schema.property" or "METHOD path STATUS /pointer". nil if none.
type Overrides struct {
	Values *tree.Node
}

// ReadOverrides reads them from a YAML or JSON text.
func ReadOverrides(name string, text []byte) (Overrides, error) {
	root, findings, err := tree.Read(name, text)
	if err == nil && len(findings) > 0 {
		err = errors.New(exchange.Join(findings))
	}
	return Overrides{Values: root}, err
}

// Settings are the settings for properties, by the schema's node in the document and the property's name; Elements
// stands for an array's elements.
type Settings map[*tree.Node]map[string]*Value

// Elements is the name of the elements of an array.
const Elements = "*"

// subschema is a schema within a schema of the document.
type subschema struct {
	of *spec.Schema
	at *schema.Keywords
}

type resolver struct {
	contract   *spec.Contract
	components map[string]subschema
	findings   []exchange.Finding
}

// Resolve finds the places that overrides name. The findings are on names that lead nowhere, and on values that do not
// conform.
func Resolve(c *spec.Contract, o Overrides) (Settings, []exchange.Finding) {
	if o.Values == nil || o.Values.Kind == tree.Null {
		return nil, nil
	}
	r := &resolver{contract: c}
	if o.Values.Kind != tree.Object {
		r.fail(o.Values.Place(), "values must be an object whose names are Schema.property, is %s", o.Values.Kind)
		return nil, r.findings
	}
	set := Settings{}
	for _, m := range o.Values.Fields() {
		at := o.Values.PlaceOf(m.Name)
		owner, name, err := r.find(m.Name)
		if err != nil {
			r.fail(at, "%v", err)
			continue
		}
		v, wrong, err := read(m.Value)
		if err != nil {
			r.fail(wrong, "the value of %s: %v", quote(m.Name), err)
			continue
		}
		v.Said = "the value of " + quote(m.Name)
		if v.Formula != nil {
			if err := v.reads(owner, name); err != nil {
				r.fail(v.Place, "%s: %v", v.Said, err)
				continue
			}
		}
		node := owner.of.Node(owner.at)
		if set[node] == nil {
			set[node] = map[string]*Value{}
		}
		set[node][name] = v
		if f := v.check(child(owner.at, name)); f != nil {
			r.findings = append(r.findings, *f)
		}
	}
	return set, exchange.Sort(r.findings)
}

func (r *resolver) fail(at exchange.Place, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	r.findings = append(r.findings, exchange.Finding{Code: CodeInvalid, Document: at, Message: message})
}

// reads returns an error if the expression of a property reads a property that its object does not have.
func (v *Value) reads(owner subschema, name string) error {
	if name == Elements {
		return errors.New("an expression is about the object around a property, and elements of an array have none")
	}
	for _, read := range v.Formula.Reads() {
		if err := missing(owner, "the object", read); err != nil {
			return err
		}
	}
	return nil
}

// find returns the schema of an object or array and the name of what a path leads to in it.
func (r *resolver) find(path string) (owner subschema, name string, err error) {
	if strings.Contains(path, " ") {
		return r.inOperation(path)
	}
	component, rest, _ := strings.Cut(path, ".")
	owner, ok := r.named(component)
	if !ok {
		names := slices.Sorted(maps.Keys(r.components))
		hint := nearest.Hint(component, names)
		if hint == "" {
			hint = `; write Schema.property, or "METHOD path STATUS /pointer"`
		}
		return subschema{}, "", fmt.Errorf("there is no schema %s in the document%s", quote(component), hint)
	}
	said := component
	for {
		if rest == "" {
			return subschema{}, "", fmt.Errorf("%s names a schema; name a property of it: %s",
				quote(path), someNames(owner, said+"."))
		}
		before, after, deeper := strings.Cut(rest, ".")
		if !deeper || child(owner.at, rest) != nil {
			return owner, rest, missing(owner, said, rest)
		}
		if err := missing(owner, said, before); err != nil {
			return subschema{}, "", err
		}
		owner.at = schema.Resolve(child(owner.at, before))
		said, rest = said+"."+before, after
	}
}

// inOperation finds the place of "METHOD path STATUS /pointer".
func (r *resolver) inOperation(path string) (owner subschema, name string, err error) {
	parts := strings.Fields(path)
	if len(parts) != 4 || !strings.HasPrefix(parts[3], "/") {
		return subschema{}, "", fmt.Errorf(`%s is not of the form "METHOD path STATUS /pointer", such as `+
			`"GET /orders 200 /items/*/price"`, quote(path))
	}
	title := strings.ToUpper(parts[0]) + " " + parts[1]
	op := r.contract.Operation(title)
	if op == nil {
		var all []string
		for _, o := range r.contract.Operations {
			all = append(all, o.Method+" "+o.Path)
		}
		return subschema{}, "", fmt.Errorf("there is no operation %s%s", quote(title), nearest.Hint(title, all))
	}
	var documented []string
	for _, response := range op.Responses {
		if documented = append(documented, response.Status); !strings.EqualFold(response.Status, parts[2]) {
			continue
		}
		for _, media := range response.Content {
			if media.Schema != nil {
				return follow(subschema{media.Schema, schema.Resolve(media.Schema.Keywords)}, title+" "+parts[2]+" ", parts[3])
			}
		}
		return subschema{}, "", fmt.Errorf("%s has no schema for status %s", title, parts[2])
	}
	return subschema{}, "", fmt.Errorf("%s documents no status %s, but %s",
		title, parts[2], strings.Join(documented, ", "))
}

func follow(owner subschema, said, pointer string) (subschema, string, error) {
	tokens := exchange.SplitPointer(pointer)
	for i, token := range tokens {
		if _, err := strconv.Atoi(token); err == nil && child(owner.at, Elements) != nil {
			return subschema{}, "", fmt.Errorf("%s/%s is one element; write %[1]s/* for all elements", said, token)
		}
		if err := missing(owner, said, token); err != nil || i == len(tokens)-1 {
			return owner, token, err
		}
		owner.at, said = schema.Resolve(child(owner.at, token)), said+"/"+token
	}
	return subschema{}, "", fmt.Errorf("%s: the pointer names the whole body; name a property", said)
}

// missing is an error if a schema has no such property.
func missing(owner subschema, said, name string) error {
	if child(owner.at, name) != nil {
		return nil
	}
	known := children(owner.at)
	hint := nearest.Hint(name, known)
	if hint == "" && len(known) > 0 {
		hint = "; there are " + strings.Join(known[:min(len(known), 12)], ", ")
	}
	return fmt.Errorf("%s has no property %s%s", strings.TrimSpace(said), quote(name), hint)
}

func someNames(owner subschema, before string) string {
	names := children(owner.at)
	for i := range names {
		names[i] = before + names[i]
	}
	return strings.Join(names[:min(len(names), 5)], ", ")
}

// child returns the schema of a property, or of an array's elements; nil if none.
func child(k *schema.Keywords, name string) *schema.Keywords {
	for part := range schema.Possible(k) {
		if property := part.Properties[name]; property != nil {
			return property
		}
		if name == Elements {
			if element := schema.Item(part, 0); element != nil {
				return element
			}
		}
	}
	return nil
}

func children(k *schema.Keywords) []string {
	names := map[string]bool{}
	for part := range schema.Possible(k) {
		for name := range part.Properties {
			names[name] = true
		}
		if schema.Item(part, 0) != nil {
			names[Elements] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// named returns a schema by its name among the document's components, or what it only refers to.
func (r *resolver) named(name string) (subschema, bool) {
	if r.components == nil {
		r.components = map[string]subschema{}
		walked := map[*schema.Keywords]bool{nil: true}
		for _, op := range r.contract.Operations {
			if op.Body != nil {
				r.walkContent(op.Body.Content, walked)
			}
			for _, response := range op.Responses {
				r.walkContent(response.Content, walked)
			}
		}
	}
	found, ok := r.components[name]
	return found, ok
}

func (r *resolver) walkContent(content []*spec.MediaType, walked map[*schema.Keywords]bool) {
	for _, media := range content {
		for _, s := range []*spec.Schema{media.Schema, media.Item} {
			if s != nil {
				r.walk(s, s.Keywords, walked)
			}
		}
	}
}

func (r *resolver) walk(s *spec.Schema, k *schema.Keywords, walked map[*schema.Keywords]bool) {
	if walked[k] {
		return
	}
	walked[k] = true
	if name := componentName(s.Node(k)); name != "" {
		if _, known := r.components[name]; !known {
			r.components[name] = subschema{s, schema.Resolve(k)}
		}
	}
	for _, inner := range schema.Subschemas(k, []*schema.Keywords{k.Ref}) {
		r.walk(s, inner, walked)
	}
}

// componentName returns the name of a node among the components of its file, "" for one that is none.
func componentName(n *tree.Node) string {
	if n == nil || n.File == nil {
		return ""
	}
	_, tokens := n.File.Way(n)
	last := len(tokens) - 1
	if last < 1 || !slices.Contains([]string{"schemas", "definitions"}, tokens[last-1]) {
		return ""
	}
	return tokens[last]
}

// Check returns the findings on what a schema's node says of its values; nil if none.
func Check(n *tree.Node, k *schema.Keywords) *exchange.Finding {
	v, at, err := Of(n)
	switch {
	case err != nil:
		message := err.Error()
		return &exchange.Finding{Severity: exchange.Warning, Code: CodeInvalid, Message: message, Document: at}
	case v == nil:
		return nil
	}
	return v.check(k)
}

// checkedKeys is how many values are tried before none is said to conform.
const checkedKeys = 16

// check returns a finding if no value conforms to a schema.
func (v *Value) check(k *schema.Keywords) *exchange.Finding {
	if v.Formula != nil {
		return nil // its value depends on the object
	}
	var first any
	tried := false
	f := formats.NewFaker()
	format := ""
	for part := range schema.Possible(k) {
		if part.Format != nil && format == "" {
			format = part.Format.Name
		}
	}
	for i := range uint64(checkedKeys) {
		at := fields.Context{Key: formats.Mix(i), Object: formats.Mix(i + checkedKeys)}
		for candidate := range v.Candidates(f, at, format) {
			if schema.Conforms(k, candidate) {
				return nil
			}
			if !tried {
				first, tried = candidate, true
			}
		}
	}
	return &exchange.Finding{Severity: exchange.Warning, Code: CodeNonconforming, Document: v.Place, Message: fmt.Sprintf(
		"%s makes values such as %s, which its schema does not allow, so they are not used; change one of them",
		v.Said, exchange.Shorten(fmt.Sprintf("%#v", first), 60))}
}
