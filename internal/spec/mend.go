package spec

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// mender makes a clean tree from the tree of the files: it holds exactly what
// the grammar knows, in the right forms and without references outside
// schemas. What it leaves out is said in a finding.
type mender struct {
	*loader
	done   map[mended]*Node // what references led to; nil while it is being made
	shared map[*Node]*shape // clean nodes that references led to
	depth  int
}

type mended struct {
	shape *shape
	node  *Node
}

func newMender(l *loader) *mender {
	return &mender{loader: l, done: map[mended]*Node{}, shared: map[*Node]*shape{}}
}

func (m *mender) fault(n *Node, code, message string) {
	m.find(exchange.Finding{Code: code, Message: message, Document: n.Place()})
}

func (m *mender) warn(place exchange.Place, code, message string) {
	m.find(exchange.Finding{Code: code, Severity: exchange.Warning, Message: message, Document: place})
}

// object gives n as an object of the shape, nil where it cannot be one.
func (m *mender) object(s *shape, n *Node) *Node {
	if n.Kind != Object {
		m.fault(n, "wrong-kind", "want "+article(s.name)+", got "+n.Kind.String())
		return nil
	}
	if n.Get("$ref") != nil {
		if s.component == "" {
			m.warn(n.Place(), "reference-not-allowed", article(s.name)+" cannot be a Reference Object; the $ref is followed all the same")
		}
		return m.reference(s, n)
	}
	if m.depth++; m.depth > maxDocumentDepth {
		m.depth--
		return nil
	}
	defer func() { m.depth-- }()
	clean := &Node{Kind: Object, file: n.file, offset: n.offset}
	for _, member := range n.Members {
		if strings.HasPrefix(member.Name, "x-") {
			if s.each == nil {
				clean.Members = append(clean.Members, member)
			}
			continue
		}
		f := s.field(member.Name)
		if f == nil {
			m.warn(n.file.place(member.offset), "unknown-field", quote(member.Name)+" is no field of "+article(s.name)+suggest(member.Name, s.names()))
			continue
		}
		if value := m.field(f, member.Value); value != nil {
			clean.Members = append(clean.Members, Member{member.Name, value, member.offset})
		}
	}
	if clean.Get("schema") != nil && clean.Get("content") != nil {
		m.warn(clean.Get("content").Place(), "schema-and-content", article(s.name)+" has either schema or content; content is ignored")
		clean.remove("content")
	}
	for _, name := range s.require {
		if n.Get(name) == nil {
			m.fault(n, "missing-field", article(s.name)+" must have the field "+quote(name))
		}
	}
	return clean
}

// remove takes a member out of a node that is being made.
func (n *Node) remove(name string) {
	n.Members = slices.DeleteFunc(n.Members, func(m Member) bool { return m.Name == name })
}

func article(name string) string {
	if strings.ContainsRune("AEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func (s *shape) field(name string) *field {
	if s.fields == nil {
		return s.each
	}
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

func (s *shape) names() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

// reference gives the clean node that a Reference Object stands for. A path
// item may have fields beside its $ref; they win over those it refers to.
func (m *mender) reference(s *shape, n *Node) *Node {
	target, err := m.resolve(n)
	if err != nil {
		m.fault(n.Get("$ref"), "dangling-reference", "$ref "+quote(n.Get("$ref").Text)+": "+err.Error())
		return nil
	}
	if s == pathItemShape && len(n.Members) > 1 {
		merged := &Node{Kind: Object, file: n.file, offset: n.offset}
		for _, member := range n.Members {
			if member.Name != "$ref" {
				merged.Members = append(merged.Members, member)
			}
		}
		for _, member := range target.Members {
			if merged.Get(member.Name) == nil {
				merged.Members = append(merged.Members, member)
			}
		}
		return m.object(s, merged)
	}
	key := mended{s, target}
	if clean, ok := m.done[key]; ok {
		return clean
	}
	m.done[key] = nil
	clean := m.object(s, target)
	m.done[key] = clean
	if clean != nil {
		m.shared[clean] = s
	}
	return clean
}

func (m *mender) field(f *field, n *Node) *Node {
	switch f.form {
	case formText:
		return m.text(f, n)
	case formBool:
		if n.Kind != Bool {
			m.fault(n, "wrong-kind", quote(f.name)+" must be true or false, is "+n.Kind.String())
			return nil
		}
		return n
	case formAny:
		return n
	case formSchema:
		return m.schema(n)
	case formObject:
		return m.object(f.shape, n)
	case formMap:
		return m.mapOf(f, n)
	case formScopes:
		return m.requirements(f, n)
	default:
		return m.list(f, n)
	}
}

func (m *mender) text(f *field, n *Node) *Node {
	switch n.Kind {
	case String:
		return n
	case Number, Bool: // a YAML author wrote version: 1.0 or description: yes
		return &Node{Kind: String, Text: n.Text, file: n.file, offset: n.offset}
	}
	m.fault(n, "wrong-kind", quote(f.name)+" must be a string, is "+n.Kind.String())
	return nil
}

func (m *mender) schema(n *Node) *Node {
	if n.Kind != Object && n.Kind != Bool {
		m.fault(n, "wrong-kind", "a schema must be an object or a boolean, is "+n.Kind.String())
		return nil
	}
	return n
}

func (m *mender) mapOf(f *field, n *Node) *Node {
	if n.Kind != Object {
		m.fault(n, "wrong-kind", quote(f.name)+" must be an object, is "+n.Kind.String())
		return nil
	}
	if n.Get("$ref").Str() != "" {
		target, err := m.resolve(n)
		if err != nil {
			m.fault(n, "dangling-reference", "$ref "+quote(n.Get("$ref").Text)+": "+err.Error())
			return nil
		}
		m.warn(n.Place(), "reference-not-allowed", quote(f.name)+" cannot be a Reference Object; the $ref is followed all the same")
		n = target
	}
	clean := &Node{Kind: Object, file: n.file, offset: n.offset}
	for _, member := range n.Members {
		if strings.HasPrefix(member.Name, "x-") && member.Value.Kind != Object {
			continue
		}
		value := member.Value
		if f.shape == schemaShape {
			value = m.schema(value)
		} else {
			value = m.object(f.shape, value)
		}
		if value != nil {
			clean.Members = append(clean.Members, Member{member.Name, value, member.offset})
		}
	}
	return clean
}

func (m *mender) list(f *field, n *Node) *Node {
	if n.Kind != Array {
		m.fault(n, "wrong-kind", quote(f.name)+" must be an array, is "+n.Kind.String())
		return nil
	}
	clean := &Node{Kind: Array, file: n.file, offset: n.offset}
	for _, item := range n.Items {
		if f.form == formTexts {
			item = m.text(f, item)
		} else {
			item = m.object(f.shape, item)
		}
		if item != nil {
			clean.Items = append(clean.Items, item)
		}
	}
	return clean
}

// requirements gives an array of Security Requirement Objects, each an object
// of arrays of strings.
func (m *mender) requirements(f *field, n *Node) *Node {
	if n.Kind != Array {
		m.fault(n, "wrong-kind", quote(f.name)+" must be an array, is "+n.Kind.String())
		return nil
	}
	clean := &Node{Kind: Array, file: n.file, offset: n.offset}
	for _, item := range n.Items {
		if item.Kind != Object {
			m.fault(item, "wrong-kind", "a Security Requirement Object is wanted, got "+item.Kind.String())
			continue
		}
		requirement := &Node{Kind: Object, file: item.file, offset: item.offset}
		for _, member := range item.Members {
			scopes := &Node{Kind: Array, file: item.file, offset: member.offset}
			if member.Value.Kind == Array {
				scopes = m.list(&field{name: member.Name, form: formTexts}, member.Value)
			} else {
				m.fault(member.Value, "wrong-kind", "the scopes of "+quote(member.Name)+" must be an array, are "+member.Value.Kind.String())
			}
			requirement.Members = append(requirement.Members, Member{member.Name, scopes, member.offset})
		}
		clean.Items = append(clean.Items, requirement)
	}
	return clean
}

// suggest gives the hint that ends a message about an unknown name.
func suggest(name string, known []string) string {
	best, distance := "", len(name)/2+1
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + quote(best) + "?"
}

// editDistance counts the insertions, deletions and replacements between two
// short names.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := slices.Clone(row)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(previous[j]+cost, previous[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
