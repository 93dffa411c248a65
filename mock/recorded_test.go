package mock

import (
	"bytes"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestRecorded asks twice for a list that is larger than what the journal keeps of a body: the second answer, which is
// the same, stands in the journal like the first, without credentials.
func TestRecorded(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: Keys, version: "1"}
paths:
  /keys:
    get:
      responses:
        "200":
          description: keys
          content:
            application/json:
              schema: {type: array, minItems: 3, items: {$ref: "#/components/schemas/Key"}}
  /keys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: key, content: {application/json: {schema: {$ref: "#/components/schemas/Key"}}}}}
components:
  schemas:
    Key:
      type: object
      required: [id, secret, text]
      properties: {id: {type: integer}, secret: {type: string, minLength: 40}, text: {type: string, minLength: 30000}}
`
	s, err := New(t.Context(), Options{Document: "keys.yaml", Text: []byte(document), Listen: ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, path := range []string{"/keys/7", "/keys"} {
		s.Reset()
		request := &exchange.Request{Method: "GET", Path: path}
		answer := s.exchange(request)
		if again := s.exchange(request); !bytes.Equal(again.answer.Body, answer.answer.Body) || again.answer.Kept != answer.answer.Kept || again.answer.Kept == nil {
			t.Fatalf("%s: the second answer is made again", path)
		}
		entries, _ := s.journal.Entries()
		first, second := entries[0], entries[1]
		if !bytes.Equal(first.Response.Body, second.Response.Body) || first.ResponseSize != second.ResponseSize {
			t.Errorf("%s: the journal has %d bytes of %d, then %d of %d", path, len(first.Response.Body), first.ResponseSize,
				len(second.Response.Body), second.ResponseSize)
		}
		if _, cut := second.Cut(); cut != (path == "/keys") || second.ResponseSize >= len(answer.answer.Body) {
			t.Errorf("%s: cut is %v, and a body of %d bytes has %d", path, cut, len(answer.answer.Body), second.ResponseSize)
		}
		body := second.Response.Body
		keys, hidden := bytes.Count(body, []byte(`"secret":"`)), bytes.Count(body, []byte(`"secret":"REDACTED"`))
		if hidden < 1 || keys != hidden {
			t.Errorf("%s: %d of %d secrets are redacted", path, hidden, keys)
		}
	}
}
