package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

func TestZZ(t *testing.T) {
	c, err := spec.Load(context.Background(), os.Getenv("D"), spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Operations {
		if o.Method+" "+o.Path != os.Getenv("O") {
			continue
		}
		for x := range New(o, 0).Coverage(map[string]any{"bookId": "bb6e7740-3955-8e1b-9a01-87ac28c6bfd6", "memberId": json.Number("7")}) {
			fmt.Printf("%v | %s | %.150s\n", x.Want, x.Title, x.Request.Body)
		}
	}
}
