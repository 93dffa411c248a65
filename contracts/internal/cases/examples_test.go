package cases

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// TestExamples checks that every example and default of a document is sent: each is a text that begins with "ex-" or a
// number from 7001, and stands in no other place.
func TestExamples(t *testing.T) {
	contract, err := spec.Load(t.Context(), "testdata/examples.yaml", spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile(`ex-[a-z0-9-]+|\b7[0-9]{3}\b`)
	for _, o := range contract.Operations {
		var sent strings.Builder
		for c := range New(o, 1).Examples(t.Context(), nil, 0) {
			query, _ := url.QueryUnescape(c.Request.Query)
			fmt.Fprintln(&sent, c.Title, wireOf(c), string(c.Request.Body), query, c.Request.Header)
		}
		for _, want := range example.FindAllString(o.Description, -1) {
			if !regexp.MustCompile(want + `\b`).MatchString(sent.String()) {
				t.Errorf("%s %s: %s is not sent", o.Method, o.Path, want)
			}
		}
		for _, not := range regexp.MustCompile(`not-[a-z0-9-]+`).FindAllString(o.Description, -1) {
			if strings.Contains(sent.String(), not) {
				t.Errorf("%s %s: %s is sent", o.Method, o.Path, not)
			}
		}
		if testing.Verbose() {
			t.Log(sent.String())
		}
	}
}
