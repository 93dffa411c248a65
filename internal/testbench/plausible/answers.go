package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/mock"
)

// answer is an answer of success, with the schema that the document has for it.
type answer struct {
	document  string
	operation *spec.Operation
	mediaType string
	bytes     []byte
	schema    *spec.Schema
	value     any
	// texts are the document and the body of the request: what they have is not the mock's.
	texts string
	file  bool                                          // it is of a media type of files
	fetch func(url string) (mediaType string, size int) // gets what the mock itself serves
}

func (a *answer) String() string {
	o := a.operation
	return fmt.Sprintf("%s %s %s: %s, %d bytes", a.document, o.Method, o.Path, a.mediaType, len(a.bytes))
}

// answers sends each operation of a document a request and returns the answers that can be judged: the ones that the
// mock made itself, and no documented examples.
func answers(ctx context.Context, d corpus.Document, judge func(*answer)) error {
	contract, err := spec.Load(ctx, d.Path, spec.Options{})
	if err != nil {
		return err
	}
	server, err := mock.New(ctx, mock.Options{Document: d.Path, Auth: mock.AuthOptions{MutualTLS: "assume"}})
	if err != nil {
		return err
	}
	defer server.Close()
	client := server.Client()
	fetch := func(url string) (string, int) {
		response, err := client.Get(url)
		if err != nil {
			return "", 0
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		return response.Header.Get("Content-Type"), len(body)
	}
	text, err := os.ReadFile(d.Path)
	if err != nil {
		return err
	}
	for i, o := range contract.Operations {
		valid, err := request.New(o, generate.Options{Fill: "required"}).Valid(generate.NewKey(1, o.ID))
		if err != nil || o.Alternatives != nil {
			continue
		}
		target := server.URL() + valid.Path
		if valid.Query != "" {
			target += "?" + valid.Query
		}
		r, err := http.NewRequestWithContext(ctx, valid.Method, target, bytes.NewReader(valid.Body))
		if err != nil {
			continue
		}
		for _, f := range valid.Header {
			r.Header.Add(f.Name, f.Value)
		}
		r.Header.Set("Coldframe-Session", strconv.Itoa(i))
		r.Header.Set("Prefer", "wait=0") // streams end
		response, err := client.Do(r)
		if err != nil {
			continue
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode/100 != 2 || len(body) == 0 {
			continue
		}
		a := &answer{document: d.Name, operation: o, bytes: body, fetch: fetch, texts: string(text) + string(valid.Body)}
		a.mediaType, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
		documented := o.Response(response.StatusCode)
		if documented == nil {
			continue
		}
		if isFileType(a.mediaType) {
			a.file = true
			judge(a)
			continue
		}
		at := slices.IndexFunc(documented.Content, (*spec.MediaType).IsJSON)
		if at < 0 || documented.Content[at].Schema == nil || len(documented.Content[at].Examples) > 0 {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if a.schema = documented.Content[at].Schema; decoder.Decode(&a.value) == nil {
			judge(a)
		}
	}
	return nil
}

// place is a value of an answer, with what the document says of it.
type place struct {
	*answer
	pointer string
	name    string   // of the property; the list's name for its items
	words   []string // of the name, in lower case
	joined  string   // the words without separators
	parent  *place   // the object around it
	value   any
	object  map[string]any // the value, if it is an object
	inList  int            // the length of the list that it is an item of, 0 if none

	description, format string
	given               bool // the value comes from the document: an enum, an example, a default, a pattern
	minimum, maximum    bool
	maxLength           bool
	integer             bool // numbers are whole
}

func (p *place) String() string {
	text, _ := json.Marshal(p.value)
	return fmt.Sprintf("%s %s %s %s: %.200s", p.document, p.operation.Method, p.operation.Path, p.pointer, text)
}

func (p *place) text() string {
	text, _ := p.value.(string)
	return text
}

func (p *place) number() (float64, bool) {
	n, ok := p.value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// quoted reports whether the document, or the request, has the value as it is.
func (p *place) quoted() bool {
	const short = 8 // bytes: shorter texts occur by chance
	text := p.text()
	return len(text) > short && strings.Contains(p.texts, strings.TrimSpace(text))
}

// is reports whether the name is one of some words: the whole, or its end.
func (p *place) is(names string) bool {
	for name := range strings.FieldsSeq(names) {
		if p.joined == name {
			return true
		}
	}
	return false
}

// ends reports whether the last words of the name are one of some, each written without separators.
func (p *place) ends(names string) bool {
	for i := range p.words {
		end := strings.Join(p.words[i:], "")
		for name := range strings.FieldsSeq(names) {
			if end == name {
				return true
			}
		}
	}
	return false
}

func (p *place) says(phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(p.description, phrase) })
}

// walk visits all values of an answer.
func (a *answer) walk(visit func(*place)) {
	segments := strings.Split(strings.Trim(a.operation.Path, "/"), "/")
	name := ""
	for _, s := range slices.Backward(segments) {
		if !strings.HasPrefix(s, "{") {
			name = s
			break
		}
	}
	root := &place{answer: a, name: name, value: a.value}
	a.descend(root, a.schema.Keywords, 0, visit)
}

func (a *answer) descend(p *place, k *schema.Keywords, depth int, visit func(*place)) {
	if depth > 12 {
		return
	}
	p.words = naming.Words(p.name)
	p.joined = strings.Join(p.words, "")
	p.learn(k)
	p.object, _ = p.value.(map[string]any)
	visit(p)
	switch v := p.value.(type) {
	case map[string]any:
		var members map[string]*schema.Keywords
		if k != nil {
			members = schema.Members(k)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := members[name]
			if inner == nil {
				continue // a map's entry, or a property that the document does not name
			}
			member := &place{answer: a, pointer: p.pointer + "/" + name, name: name, parent: p, value: v[name],
				given: a.discriminates(k, name)}
			a.descend(member, inner, depth+1, visit)
		}
	case []any:
		for i, item := range v {
			var inner *schema.Keywords
			if k != nil {
				inner = schema.Item(k, i)
			}
			a.descend(&place{answer: a, pointer: p.pointer + "/" + strconv.Itoa(i), name: naming.SingularName(p.name),
				parent: p.parent, value: item, inList: len(v)}, inner, depth+1, visit)
		}
	}
}

// discriminates reports whether a property with listed values distinguishes the alternatives of a schema.
func (a *answer) discriminates(k *schema.Keywords, name string) bool {
	for part := range schema.Possible(k) {
		if a.schema.Node(part).Get("discriminator").Get("propertyName").Str() == name {
			return true
		}
	}
	return false
}

// learn reads what the schema says of a place.
func (p *place) learn(k *schema.Keywords) {
	p.given = p.given || p.parent != nil && p.parent.given
	if k == nil {
		return
	}
	p.integer = !slices.Contains(schema.AllowedTypes(k), "number")
	for part := range schema.Possible(k) {
		node := p.schema.Node(part)
		if p.description == "" {
			p.description = strings.ToLower(node.Get("description").Str())
		}
		if p.format == "" {
			p.format = node.Get("format").Str()
		}
		p.given = p.given || part.Enum != nil || part.Const != nil || part.Pattern != nil || node.Get("example") != nil ||
			node.Get("examples") != nil || node.Get("default") != nil
		p.minimum = p.minimum || part.Minimum != nil || part.ExclusiveMinimum != nil
		p.maximum = p.maximum || part.Maximum != nil || part.ExclusiveMaximum != nil
		p.maxLength = p.maxLength || part.MaxLength != nil
	}
}
