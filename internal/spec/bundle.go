package spec

import (
	"context"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// Bundle is a document as one text of OpenAPI 3.1 in JSON, for programs that read documents themselves. It is the
// normalized document: only what the grammar knows, references only to component schemas, keywords of older versions in
// their new form. It has no prose and no examples, and only the schemas that something outside components refers to.
//
// The text has a line for each member of an object and for each item of an array.
type Bundle struct {
	Text      []byte
	Version   string // info.version
	BasePaths []string
	Servers   exchange.Place // of the servers that have the base paths
	Findings  []exchange.Finding

	lines    []origin
	children map[child]int // line; nil until Counterpart
}

// LoadBundle reads the document at location as Load does, and returns its bundle.
func LoadBundle(ctx context.Context, location string, o Options) (*Bundle, error) {
	return load(ctx, location, o, (*loader).bundle)
}

// Model returns kin-openapi's model of the text, whose origins are lines of the text.
func (b *Bundle) Model() (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true
	return loader.LoadFromData(b.Text)
}

// origin is what a line was written from: a node, or the name of one of its members.
type origin struct {
	node *tree.Node
	name string
	child
}

// child is a line by the line of the object or the array that contains it, and its name there. Two versions of a
// document call the same thing the same.
type child struct {
	of    int
	token string
}

// Place returns where the document has what is in a line of the text, counted from 1.
func (b *Bundle) Place(line int) exchange.Place {
	if line < 1 || line > len(b.lines) {
		return exchange.Place{}
	}
	at := b.lines[line-1]
	if at.name == "" {
		return at.node.Place()
	}
	return at.node.PlaceOf(at.name)
}

// Counterpart returns the line of the text that has what is in a line of another version's text, or the nearest that
// contains it: the operation of a parameter, the path of an operation. It returns 0 if there is none.
func (b *Bundle) Counterpart(other *Bundle, line int) int {
	if b.children == nil {
		b.children = make(map[child]int, len(b.lines))
		for i, at := range b.lines {
			b.children[at.child] = i + 1
		}
	}
	var way []string
	for line > 1 && line <= len(other.lines) {
		at := other.lines[line-1]
		way = append(way, at.token)
		line = at.of
	}
	at, depth := 1, 0
	for i := len(way) - 1; i >= 0; i-- {
		next, ok := b.children[child{at, way[i]}]
		if !ok {
			break
		}
		at, depth = next, depth+1
	}
	least := 2 // a path
	if len(way) > 0 && way[len(way)-1] == "components" {
		least = 3
	}
	if depth < least {
		return 0
	}
	return at
}

// outline is the text of a Bundle while it is written.
type outline struct {
	text  []byte
	lines []origin
	open  []int // lines of the objects and arrays that are not finished
	limit int
	full  bool // limit is reached, or loading has ended
}

// line begins a line in the current object or array.
func (o *outline) line(at origin, token, text string) {
	if o.full = o.full || len(o.text) > o.limit; o.full {
		return
	}
	at.child = child{o.open[len(o.open)-1], token}
	o.lines = append(o.lines, at)
	o.text = append(append(o.text, '\n'), text...)
}

// begin begins an object or an array in the current line.
func (o *outline) begin(bracket string) {
	if len(o.lines) == 0 {
		o.lines = append(o.lines, origin{})
	}
	o.open = append(o.open, len(o.lines))
	o.write(bracket)
}

// finish ends the current object or array, and removes the comma after its last member.
func (o *outline) finish(bracket string) {
	o.open = o.open[:len(o.open)-1]
	if last := len(o.text) - 1; o.text[last] == ',' {
		o.text = o.text[:last]
	}
	o.write(bracket)
}

// write adds to the current line.
func (o *outline) write(text string) { o.text = append(o.text, text...) }

func quoted(s string) string { return string(jsontext.AppendString(nil, s)) }

// token names an item of an array: a parameter by its place and name, others by their index.
func token(i int, item *tree.Node) string {
	if in := item.Get("in").Str(); in != "" {
		return in + " " + item.Get("name").Str()
	}
	return strconv.Itoa(i)
}

// anonymous returns a path template without the names of its variables.
func anonymous(path string) string { return strings.Join(pathVariable.Get().Split(path, -1), "{}") }
