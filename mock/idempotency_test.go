package mock

import (
	"fmt"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

const ordersDocument = `
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}}
    post:
      parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
components:
  schemas:
    Order: {type: object, required: [id, item], properties: {id: {type: integer, readOnly: true}, item: {type: string}}}
`

// TestIdempotencyKeyAtOnce sends requests with the same keys at the same time:
// each key makes one item, which all of its requests are shown.
func TestIdempotencyKeyAtOnce(t *testing.T) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(ordersDocument), State: StateOptions{UnknownItems: "refuse"}})
	const keys, each = 10, 20
	answers := [keys][each]string{}
	var all sync.WaitGroup
	for key := range keys {
		for i := range each {
			all.Go(func() {
				r := &exchange.Request{Method: "POST", Path: "/orders", Body: fmt.Appendf(nil, `{"item":"of key %d"}`, key), Header: exchange.Header{
					{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "application/json"}, {Name: "Idempotency-Key", Value: fmt.Sprint(key)},
				}}
				answers[key][i] = string(s.exchange(r).answer.Body)
			})
		}
	}
	all.Wait()
	for key := range keys {
		for _, answer := range answers[key] {
			if answer != answers[key][0] {
				t.Errorf("key %d: %s and %s", key, answers[key][0], answer)
			}
		}
	}
	if n := s.store.View().Len("/orders"); n != keys {
		t.Errorf("%d orders of %d keys", n, keys)
	}
}
