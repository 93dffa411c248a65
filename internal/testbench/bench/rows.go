package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// document is an API description that servers are started with, and what is asked of them.
type document struct {
	name    string
	text    func() ([]byte, error)
	flags   []string // of coldframe
	keeps   int      // plants that are created before
	servers []string // those that it says something about
	rows    []row    // in this order: creations last, for they change what is kept
}

// row is a request. In its path and body, {n} stands for a number from 1 to random.
type row struct {
	name, method, path, body string
	random                   int
	status                   int
	want                     want
	before                   *row // is sent 30 times before
}

// want is what an answer must have. Prism answers examples: it must have the properties with any value. Lists that
// nobody keeps are examples, too, which may have fewer items.
type want struct {
	items      int               // of a list; 0 for an object
	below      string            // property that the list is in
	properties map[string]string // of the object or of each item, with the JSON of their values; "" for any
}

var (
	all       = []string{"fiber", "coldframe", "stateless", "log", "prism", "prism-log"}
	stateful  = []string{"coldframe"}
	unlogged  = []string{"coldframe", "stateless", "prism"}
	unfetched = regexp.MustCompile(`"\$ref": "https?:`)
)

const plant = `{"id":{n},"name":"Monstera deliciosa","tag":"foliage"}`

func documents() []document {
	issues := row{method: "POST", path: "/repos/ann/garden/issues", body: `{"title":"A leaf turns brown"}`, status: 201}
	d := []document{{
		name: "Plant Store", servers: all,
		text: func() ([]byte, error) { return coldframe.PlantStore, nil },
		rows: []row{{
			name: "plants", method: "POST", path: "/plants", body: `{"id":7,"name":"Fern","tag":"shade"}`, status: 200,
			want: want{properties: map[string]string{"name": `"Fern"`, "tag": `"shade"`}},
		}},
	}, {
		name: "Plant Store behind a proxy", servers: []string{"relay", "proxy", "prism-proxy"},
		text: func() ([]byte, error) { return coldframe.PlantStore, nil },
		rows: []row{{
			name: "proxied", method: "POST", path: "/plants", body: `{"id":7,"name":"Fern","tag":"shade"}`, status: 200,
			want: want{properties: map[string]string{"name": `"Fern"`, "tag": `"shade"`}},
		}},
	}, {
		name: "GitHub", servers: all, text: github,
		rows: []row{{
			name: "github-get", method: "GET", path: "/repos/ann/garden", status: 200,
			want: want{properties: map[string]string{"full_name": "", "owner": ""}},
		}, {
			name: "github-list", method: "GET", path: "/repos/ann/garden/issues?per_page=30", status: 200, before: &issues,
			want: want{items: 30, properties: map[string]string{"title": "", "user": ""}},
		}, {
			name: "github-post", method: "POST", path: "/repos/ann/other/issues", status: 201,
			body: `{"title":"A leaf turns brown","body":"It stands in the sun.","labels":["bug"]}`,
			want: want{properties: map[string]string{"title": `"A leaf turns brown"`, "user": ""}},
		}},
	}}
	for n := 1000; n <= 1_000_000; n *= 10 {
		d = append(d, items(n))
	}
	for _, n := range []int{10, 100, 1000, 5000} {
		d = append(d, operations(n))
	}
	return d
}

// github returns GitHub's document. Prism follows what only looks like a $ref, in examples of SCIM, to the net.
func github() ([]byte, error) {
	text, err := real("github")
	return unfetched.ReplaceAll(text, []byte(`"$reference": "https:`)), err
}

var errNoCorpus = errors.New("it needs the folder of real documents that COLDFRAME_CORPUS names")

// real returns a document of the corpus.
func real(name string) ([]byte, error) {
	if os.Getenv("COLDFRAME_CORPUS") == "" {
		return nil, errNoCorpus
	}
	documents, err := corpus.Documents()
	if err != nil {
		return nil, err
	}
	for _, d := range documents {
		if d.Name == name {
			return os.ReadFile(d.Path)
		}
	}
	return nil, fmt.Errorf("the corpus has no document %q", name)
}

// items is a document with lists where so many plants are kept, a multiple of 1,000, and some by checks; then a
// creation drops the oldest. All sizes ask for as many items and pages, so that as many answers are remembered; new
// pages, of all plants, of those that a filter selects, or of sorted ones, are those that nobody has asked for before,
// by a parameter that the document does not know.
func items(n int) document {
	zeros := strings.TrimPrefix(fmt.Sprint(n/1000), "1")
	name := fmt.Sprintf("items-%d-", n)
	kept := map[string]string{"id": "", "name": `"Monstera deliciosa"`, "tag": `"foliage"`}
	return document{
		name: fmt.Sprint(n, " plants"), keeps: n, servers: stateful,
		flags: []string{
			"--max-items", fmt.Sprint(n + 10), "--max-state", "1GiB", "--memory", "2000MiB", "--unknown-items", "refuse",
		},
		text: func() ([]byte, error) { return []byte(lists), nil },
		rows: []row{{
			name: name + "get", method: "GET", path: "/plants/{n}" + zeros, random: 1000, status: 200,
			want: want{properties: kept},
		}, {
			name: name + "list", method: "GET", path: "/plants?limit=50&offset={n}" + zeros, random: 950, status: 200,
			want: want{items: 50, below: "items", properties: kept},
		}, {
			name: name + "new-page", method: "GET", path: fmt.Sprint("/plants?limit=50&offset=", n/2, "&new={n}"),
			random: 1_000_000_000, status: 200, want: want{items: 50, below: "items", properties: kept},
		}, {
			name: name + "filtered", method: "GET",
			path:   fmt.Sprint("/plants?limit=50&tag=foliage&offset=", n/2, "&new={n}"),
			random: 1_000_000_000, status: 200, want: want{items: 50, below: "items", properties: kept},
		}, {
			name: name + "sorted", method: "GET", path: fmt.Sprint("/plants?limit=50&sort=-id&offset=", n/2, "&new={n}"),
			random: 1_000_000_000, status: 200, want: want{items: 50, below: "items", properties: kept},
		}, {
			name: name + "post", method: "POST", path: "/plants", body: strings.Replace(plant, `"id":{n},`, "", 1),
			status: 201, want: want{properties: kept},
		}},
	}
}

// operations is a document of so many operations, five a collection. One collection is asked to create, or all by
// turns, whose schemas and counters the processor's caches have no room for if there are many.
func operations(n int) document {
	name, has := fmt.Sprintf("operations-%d-", n), map[string]string{"id": "", "name": "", "price": ""}
	post := row{
		name: name + "post", method: "POST", path: fmt.Sprint("/things", n/5), status: 201,
		body: `{"name":"Fern","price":12.5,"tags":["shade"]}`, want: want{properties: has},
	}
	mixed := post
	mixed.name, mixed.path, mixed.random = name+"mixed", "/things{n}", n/5
	return document{
		name: fmt.Sprint(n, " operations"), servers: unlogged, rows: []row{post, mixed},
		text: func() ([]byte, error) { return []byte(manyOperations(n)), nil },
	}
}

func manyOperations(n int) string {
	var paths, schemas strings.Builder
	for i := 1; i <= n/5; i++ {
		fmt.Fprintf(&paths, collection, i)
		fmt.Fprintf(&schemas, thing, i)
	}
	return "openapi: 3.1.0\ninfo: {title: Things, version: '1'}\npaths:\n" + paths.String() +
		"components:\n  schemas:\n" + schemas.String()
}

// write writes the document into the folder of the run.
func (d *document) write(folder string) (path string, err error) {
	text, err := d.text()
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, strings.ReplaceAll(d.name, " ", "-")+".yaml")
	return path, os.WriteFile(path, text, 0o666)
}

// numbered puts a number in the place of {n}.
func (r *row) numbered(n int) row {
	one := *r
	one.path = strings.ReplaceAll(r.path, "{n}", fmt.Sprint(n))
	one.body = strings.ReplaceAll(r.body, "{n}", fmt.Sprint(n))
	return one
}

func (r *row) last() int { return cmp.Or(r.random, 1) }

const lists = `
openapi: 3.1.0
info: {title: Lists, version: "1"}
paths:
  /plants:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: tag, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
      responses:
        "200": {description: a page, content: {application/json: {schema: {$ref: "#/components/schemas/Page"}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewPlant"}}}}
      responses: {"201": {$ref: "#/components/responses/Plant"}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {$ref: "#/components/responses/Plant"}}}
components:
  responses:
    Plant: {description: the plant, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
  schemas:
    NewPlant:
      type: object
      required: [name]
      properties: {id: {type: integer}, name: {type: string}, tag: {type: string}}
    Plant: {allOf: [{$ref: "#/components/schemas/NewPlant"}, {required: [id]}]}
    Page:
      type: object
      required: [items, total]
      properties: {items: {type: array, items: {$ref: "#/components/schemas/Plant"}}, total: {type: integer}}
`

// collection has five operations.
const collection = `  /things%[1]d:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses:
        "200":
          description: things
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing%[1]d"}}}}
    post:
      requestBody: {content: &thing%[1]d {application/json: {schema: {$ref: "#/components/schemas/Thing%[1]d"}}}}
      responses: {"201": {description: the thing, content: *thing%[1]d}}
  /things%[1]d/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: the thing, content: *thing%[1]d}}}
    put:
      requestBody: {content: *thing%[1]d}
      responses: {"200": {description: the thing, content: *thing%[1]d}}
    delete: {responses: {"204": {description: deleted}}}
`

// thing is the schema of a collection's items.
const thing = `    Thing%d:
      type: object
      required: [name, price]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, minLength: 1, maxLength: 100}
        price: {type: number, minimum: 0}
        tags: {type: array, items: {type: string}, maxItems: 10}
        created_at: {type: string, format: date-time, readOnly: true}
        state: {type: string, enum: [open, sold, closed]}
`
