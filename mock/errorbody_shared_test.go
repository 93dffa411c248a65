package mock_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/mocktest"
)

// TestReasonsAreNotShared checks that an error body that comes from an example states
// each request its own reason: the example is the document's, and stays.
func TestReasonsAreNotShared(t *testing.T) {
	document := `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/s": {"get": {
		"parameters": [{"name": "a", "in": "query", "schema": {"type": "integer"}}, {"name": "b", "in": "query", "schema": {"type": "integer"}}],
		"responses": {"200": {"description": "ok"}, "400": {"description": "refused", "content": {"application/json": {"schema": {
			"type": "object", "properties": {"error": {"type": "object", "example": {"code": 1, "message": "What is wrong is told here"}}}}}}}}}}}}`
	server := mocktest.Start(t, "openapi.json", func(o *mock.Options) { o.Text = []byte(document) })
	var all sync.WaitGroup
	for n := range 40 {
		name := []string{"a", "b"}[n%2]
		all.Go(func() {
			response, err := http.Get(server.URL() + "/s?" + name + "=x")
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != 400 || !strings.Contains(string(body), "query."+name) {
				t.Errorf("%s: %d %s", name, response.StatusCode, body)
			}
		})
	}
	all.Wait()
}
