package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// xmlForm says how the values of a schema are written in XML (OpenAPI 3.2
// section 4.27, "XML Object"; 3.0 and 3.1 say the same with attribute and
// wrapped). A schema that refers to itself has a form that does.
type xmlForm struct {
	shape      *shape
	node       xmlNode
	name       string // xml.name, "" where the schema gives none
	root       string // of the form of a whole body: what its root element is called when it is written
	prefix     string
	namespace  string
	items      *xmlForm // nil where the value cannot be a list
	properties []xmlProperty
	byName     map[string]int // of properties
}

// xmlNode is nodeType, of OpenAPI 3.2.
type xmlNode uint8

const (
	xmlElement   xmlNode = iota
	xmlAttribute         // attribute: true
	xmlText              // the text of the element around it, "cdata" included
	xmlNone              // no element of its own: a list that is not wrapped
)

// xmlProperty is a property of an object.
type xmlProperty struct {
	name     string
	form     *xmlForm
	required bool
}

// xmlForms makes each form once.
type xmlForms struct {
	schema *spec.Schema
	known  map[*shape]*xmlForm
}

func newXMLForm(schema *spec.Schema, s *shape) *xmlForm {
	forms := &xmlForms{schema, map[*shape]*xmlForm{}}
	form := forms.of(s)
	if form.root = form.name; form.root == "" && schema != nil {
		form.root = forms.component(schema.Keywords)
	}
	return form
}

func (f *xmlForms) of(s *shape) *xmlForm {
	if known := f.known[s]; known != nil {
		return known
	}
	form := &xmlForm{shape: s, byName: make(map[string]int, len(s.names))}
	f.known[s] = form
	if s == anything {
		return form
	}
	list := s.kinds.has(kindArray) && s.kinds&^kindNull == kindArray
	if list {
		form.node = xmlNone
	}
	for _, schemas := range [...][]*spec.Keywords{s.schemas.some, s.schemas.all} { // the last one counts
		for _, schema := range schemas {
			f.hints(form, schema, list)
		}
	}
	if s.kinds.has(kindArray) {
		form.items = f.of(s.items)
	}
	for _, name := range f.order(s) {
		required := slices.ContainsFunc(s.all, func(k *spec.Keywords) bool { return slices.Contains(k.Required, name) })
		form.byName[name] = len(form.properties)
		form.properties = append(form.properties, xmlProperty{name, f.of(s.properties[name]), required})
	}
	return form
}

// hints reads the xml object of a schema, else of the one it stands for.
func (f *xmlForms) hints(form *xmlForm, k *spec.Keywords, list bool) {
	for range 100 { // references in a circle mean nothing
		if k == nil {
			return
		}
		if x := f.schema.Node(k).Get("xml"); x != nil {
			form.name, form.prefix, form.namespace = x.Get("name").Str(), x.Get("prefix").Str(), x.Get("namespace").Str()
			switch {
			case x.Get("attribute").True():
				form.node = xmlAttribute
			case x.Get("wrapped").True() && list:
				form.node = xmlElement
			}
			switch x.Get("nodeType").Str() {
			case "element":
				form.node = xmlElement
			case "attribute":
				form.node = xmlAttribute
			case "text", "cdata":
				form.node = xmlText
			case "none":
				form.node = xmlNone
			}
			return
		}
		switch {
		case k.Ref != nil:
			k = k.Ref
		case len(k.AllOf) == 1:
			k = k.AllOf[0]
		default:
			return
		}
	}
}

// order gives the properties in the order in which the document has them.
func (f *xmlForms) order(s *shape) []string {
	var names []string
	seen := map[string]bool{}
	for _, k := range s.all {
		properties := f.schema.Node(k).Get("properties")
		if properties == nil {
			continue
		}
		for _, member := range properties.Members {
			if s.properties[member.Name] != nil && !seen[member.Name] {
				seen[member.Name] = true
				names = append(names, member.Name)
			}
		}
	}
	for _, name := range s.names {
		if !seen[name] {
			names = append(names, name)
		}
	}
	return names
}

// component gives the name of the component that a schema is, or refers to:
// that of the root element where the document gives no other.
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

// elementName is the name of a property's element or attribute.
func (form *xmlForm) elementName(property string) string {
	if form.name != "" {
		return form.name
	}
	return property
}

// itemName is the name of the elements of a list. outer is the name of the
// list's own element, or of the property.
func (form *xmlForm) itemName(property string) string {
	if form.items != nil && form.items.name != "" {
		return form.items.name
	}
	if form.node == xmlElement {
		return form.elementName(property)
	}
	return property
}
