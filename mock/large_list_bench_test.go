package mock

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// largeListDocument lists plants in every way, by themselves and below owners.
const largeListDocument = `
openapi: 3.1.0
info: {title: LargeList, version: "1"}
paths:
  /plants:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, default: 50}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: page, in: query, schema: {type: integer}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: tag, in: query, schema: {type: string}}
        - {name: name, in: query, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
      responses:
        "200":
          description: d
          content:
            application/json:
              schema: {type: object, required: [items, total], properties: {items: {type: array, items: {$ref: "#/components/schemas/Plant"}}, total: {type: integer}, next: {type: [string, "null"]}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
  /beds:
    get:
      parameters: [{name: starting_after, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer, default: 50}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Plant"}}, has_more: {type: boolean}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /beds/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
  /pots:
    get:
      parameters: [{name: cursor, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer, default: 50}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Plant"}}, next_cursor: {type: [string, "null"]}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /pots/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
  /owners/{ownerId}/trees:
    parameters: [{name: ownerId, in: path, required: true, schema: {type: integer}}]
    get:
      parameters: [{name: limit, in: query, schema: {type: integer, default: 50}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Tree"}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}}
  /trees/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tree"}}}}}}
components:
  schemas:
    Plant: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, tag: {type: string}}}
    Tree: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, ownerId: {type: integer}, name: {type: string}}}
`

func largeList(b *testing.B) *Server {
	s, err := New(b.Context(), Options{
		Document: "largeList.yaml", Text: []byte(largeListDocument), Listen: ListenOptions{NoListener: true}, Control: ControlOptions{Journal: -1},
		Limits: Limits{MaxItems: 4_000_000, MaxState: 1 << 40},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

var largeListHeader = exchange.Header{{Name: "Host", Value: "127.0.0.1:4010"}, {Name: "Content-Type", Value: "application/json"}}

func ask(b *testing.B, s *Server, method, path, query string, body []byte) {
	x := s.exchange(&exchange.Request{Method: method, Path: path, Query: query, Header: largeListHeader, Body: body})
	if x.answer.Status/100 != 2 {
		b.Fatalf("%s %s: %d %s", method, path, x.answer.Status, x.answer.Body)
	}
}

// BenchmarkLargeListCreate creates plants in the process where there are so many:
// what one costs must not depend on it.
func BenchmarkLargeListCreate(b *testing.B) {
	for n := 1000; n <= 100_000; n *= 10 {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := largeList(b)
			body := []byte(`{"name":"Monstera deliciosa","tag":"foliage"}`)
			for range n {
				ask(b, s, "POST", "/plants", "", body)
			}
			b.ReportAllocs()
			for b.Loop() {
				ask(b, s, "POST", "/plants", "", body)
			}
		})
	}
}

// BenchmarkLargeListList shows pages of 50 of so many plants, in different ways, that nobody has asked for before: by a
// parameter that the document does not know. One in a hundred has the tag that is asked for, one the name.
func BenchmarkLargeListList(b *testing.B) {
	for n := 1000; n <= 100_000; n *= 10 {
		s := largeList(b)
		in := s.store
		for i := range n {
			key := strconv.Itoa(i + 1)
			text := fmt.Appendf(nil, `{"id":%d,"name":"Plant %d","tag":"t%d"}`, i+1, i*7919%n, i%100)
			for _, collection := range []string{"/plants", "/beds", "/pots"} {
				in.Insert(collection, key, text, state.Flags(0))
			}
			in.Insert("/trees", key, fmt.Appendf(nil, `{"id":%d,"ownerId":%d,"name":"Tree"}`, i+1, i%(n/20)), state.Flags(0))
		}
		for _, c := range []struct{ name, path, query string }{
			{"first", "/plants", ""},
			{"deep", "/plants", "offset=" + strconv.Itoa(n-100)},
			{"page", "/plants", "page=" + strconv.Itoa(n/50-1)},
			{"cursor", "/pots", "cursor=" + strconv.Itoa(n/2)},
			{"key", "/beds", "starting_after=" + strconv.Itoa(n/2)},
			{"tag", "/plants", "tag=t7"},
			{"name", "/plants", "name=Plant+77"},
			{"search", "/plants", "q=plant+777"},
			{"sort", "/plants", "sort=-name"},
			{"below", "/owners/7/trees", ""},
		} {
			b.Run(c.name+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					ask(b, s, "GET", c.path, fmt.Sprint(c.query, "&new=", i), nil)
				}
			})
		}
	}
}
