package cases_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/spec"
)

func TestNegotiation(t *testing.T) {
	for name, test := range map[string]struct{ responses, want string }{
		"two types":                {`'200': {description: a, content: {text/csv: {}, application/json: {}}}`, "Accept: text/csv accepted, Accept: application/json accepted, Accept: text/csv;q=0, */* accepted"},
		"one type":                 {`'200': {description: a, content: {text/csv: {}}}`, ""},
		"one type and a refusal":   {`'200': {description: a, content: {text/csv: {}}}, '406': {description: b}`, "Accept: application/vnd.nobody.has refused"},
		"a range takes everything": {`'200': {description: a, content: {text/*: {}}}, '406': {description: b}`, ""},
		"no body":                  {`'204': {description: a}, '406': {description: b}`, ""},
	} {
		text := `{openapi: 3.0.3, info: {title: a, version: b}, paths: {/a: {get: {responses: {` + test.responses + `}}}}}`
		c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for made := range cases.New(c.Operations[0], 0).Negotiation(nil) {
			if accept, _ := made.Request.Header.Get("Accept"); "Accept: "+accept != made.Title {
				t.Errorf("%s: sent %q", made.Title, accept)
			}
			got = append(got, fmt.Sprint(made.Title, " ", made.Expected))
		}
		if all := strings.Join(got, ", "); all != test.want {
			t.Errorf("%s: %s, want %s", name, all, test.want)
		}
	}
}
