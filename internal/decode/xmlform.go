package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// xmlForm describes how the values of a schema are written in XML (OpenAPI 3.2 section 4.27, "XML Object"; 3.0 and
// 3.1 say the same with attribute and wrapped). A recursive schema has a recursive form.
type xmlForm struct {
	shape      shape
	node       xmlNode
	name       string // xml.name, "" if the schema sets none
	root       string // the name of the root element, for the form of a body
	prefix     string
	namespace  string
	items      *xmlForm // nil if the value cannot be a list
	properties []*xmlProperty
}

// xmlNode is the nodeType of OpenAPI 3.2.
type xmlNode uint8

const (
	xmlElement   xmlNode = iota
	xmlAttribute         // attribute: true
	xmlText              // text of the parent element, including "cdata"
	xmlNone              // no element of its own: an unwrapped list
)

type xmlProperty struct {
	name     string
	form     *xmlForm
	required bool
	isBare   bool     // an unwrapped list
	of       *xmlForm // form of its elements: the items' form if isBare
	element  string   // name of its elements or its attribute
}

// xmlForms builds each form once.
type xmlForms struct {
	schema *spec.Schema
	known  map[shape]*xmlForm
}

func newXMLForm(of *spec.Schema, s shape) *xmlForm {
	forms := &xmlForms{of, map[shape]*xmlForm{}}
	form := forms.of(s)
	for _, known := range forms.known {
		for _, p := range known.properties {
			p.isBare, p.of, p.element = p.form.node == xmlNone && p.form.isList(), p.form, xmlName(p.form.elementName(p.name))
			if p.isBare {
				p.of, p.element = p.form.items, xmlName(p.form.itemName(p.name))
			}
		}
	}
	if form.root = form.name; form.root == "" && of != nil {
		form.root = forms.component(of.Keywords)
	}
	return form
}

func (f *xmlForms) of(s shape) *xmlForm {
	if known := f.known[s]; known != nil {
		return known
	}
	form := &xmlForm{shape: s}
	f.known[s] = form
	if s == anything {
		return form
	}
	isList := s.kinds()&^schema.Null == schema.Array
	if isList {
		form.node = xmlNone
	}
	for _, k := range slices.Concat(s.Some(), s.All()) { // the last one wins
		f.hints(form, k, isList)
	}
	isNested := s.kinds()&^(schema.Null|schema.Array|schema.Object) == 0
	if isNested && (form.node == xmlAttribute || form.node == xmlText) {
		form.node = xmlElement // a root is neither an attribute nor text
	}
	if s.has(schema.Array) {
		form.items = f.of(s.items())
	}
	for _, m := range s.Members() {
		requires := func(k *spec.Keywords) bool { return slices.Contains(k.Required, m.Name) }
		required := slices.ContainsFunc(s.Schemas(), requires)
		property := &xmlProperty{name: m.Name, form: f.of(shape{m.Shape()}), required: required}
		form.properties = append(form.properties, property)
	}
	return form
}

var nodeTypes = map[string]xmlNode{
	"element": xmlElement, "attribute": xmlAttribute, "text": xmlText, "cdata": xmlText, "none": xmlNone,
}

// hints reads the xml object of a schema, else of its target.
func (f *xmlForms) hints(form *xmlForm, k *spec.Keywords, isList bool) {
	for range 100 { // circular references are ignored
		if k == nil {
			return
		}
		if x := f.schema.Node(k).Get("xml"); x != nil {
			form.name, form.prefix, form.namespace = x.Get("name").Str(), x.Get("prefix").Str(), x.Get("namespace").Str()
			node, named := nodeTypes[x.Get("nodeType").Str()]
			switch {
			case named:
				form.node = node
			case x.Get("attribute").True():
				form.node = xmlAttribute
			case x.Get("wrapped").True() && isList:
				form.node = xmlElement
			}
			return
		}
		next := k.Ref
		if next == nil && len(k.AllOf) == 1 {
			next = k.AllOf[0]
		}
		k = next
	}
}

// component returns the name of the component that a schema is, or refers to: the default name of the root element.
func (f *xmlForms) component(k *spec.Keywords) string {
	for range 100 {
		if k == nil {
			return ""
		}
		if pointer := f.schema.Node(k).Place().Pointer; strings.HasPrefix(pointer, "/components/schemas/") {
			return pointer[strings.LastIndexByte(pointer, '/')+1:]
		}
		if name := f.schema.Node(k).Get("$ref").Str(); name != "" {
			return name[strings.LastIndexByte(name, '/')+1:]
		}
		k = k.Ref
	}
	return ""
}

func (form *xmlForm) elementName(property string) string {
	if form.name != "" {
		return form.name
	}
	return property
}

// itemName returns the name of the elements of a list. outer is the name of the list's own element, or of the
// property.
func (form *xmlForm) itemName(property string) string {
	if form.items != nil && form.items.name != "" {
		return form.items.name
	}
	if form.node == xmlElement {
		return form.elementName(property)
	}
	return property
}
