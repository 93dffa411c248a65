package scenario

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// jobs is the document of the examples about jobs.
const jobs = `
openapi: 3.1.0
info: { title: Jobs, version: 1.0.0 }
components:
  responses:
    Job: { description: a job, content: { application/json: { schema: { type: object } } } }
    Error: { description: wrong, content: { application/json: { schema: { type: object, required: [message] } } } }
  parameters:
    id: { name: id, in: path, required: true, schema: { type: string } }
paths:
  /jobs:
    post:
      responses:
        '201': { $ref: '#/components/responses/Job' }
        '402': { $ref: '#/components/responses/Error' }
        '409': { $ref: '#/components/responses/Error' }
  /jobs/{id}:
    parameters: [ { $ref: '#/components/parameters/id' } ]
    get: { responses: { '200': { $ref: '#/components/responses/Job' } } }
  /jobs/{id}/cancel:
    parameters: [ { $ref: '#/components/parameters/id' } ]
    post: { responses: { '200': { $ref: '#/components/responses/Job' } } }
`

// The files that docs/scenarios.md shows are right, and the wrong one is wrong
// in the way it says.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```(yaml|yaml jobs|yaml wrong|text)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	contracts := map[string]*spec.Contract{"yaml": plantStore(t), "yaml jobs": contract(t, []byte(jobs))}
	wrong := ""
	for _, block := range blocks {
		switch block[1] {
		case "yaml", "yaml jobs":
			if s, findings := Parse(contracts[block[1]], "docs.yaml", []byte(block[2])); s == nil || len(findings) > 0 {
				t.Errorf("%s\n%s", block[2], list(findings))
			}
		case "yaml wrong":
			_, findings := Parse(contracts["yaml"], "wrong.yaml", []byte(block[2]))
			for _, f := range findings {
				wrong += f.String() + "\n"
			}
		case "text":
			if wrong != block[2] {
				t.Errorf("the findings are\n%s", wrong)
			}
		}
	}
	for _, key := range documentedKeys() {
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("key %s is not described", key)
		}
	}
}
