package mock

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

var pathVariable = regexp.MustCompile(`\{[^}]*\}`)

// TestKeptCorpus reads whatever real documents have to read, twice, from a mock that keeps the bodies of
// its answers and from one that does not. Between the two it creates what can be created with an empty object.
func TestKeptCorpus(t *testing.T) {
	repeated := 0
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			var pair [2]*Server
			for i := range pair {
				pair[i] = inside(t, Options{Document: d.Path, Auth: AuthOptions{Mode: "off"}, Validate: "off", Now: "session", Load: LoadOptions{AllowExternalRefs: true}})
			}
			seen := map[*byte]bool{}
			ask := func(method, path string) {
				var got [2]string
				pair[1].current.Load().responder.Forget()
				for i, s := range pair {
					r := &exchange.Request{Method: method, Path: path, Header: largeListHeader}
					if method == "POST" {
						r.Body = []byte("{}")
					}
					h := s.exchange(r)
					got[i] = fmt.Sprintf("%d %v\n%s\n%v", h.answer.Status, h.answer.Header, h.answer.Body, h.findings)
					if body := h.answer.Body; i == 0 && len(body) > 0 { // the same bytes, examples included
						if seen[&body[0]] {
							repeated++
						}
						seen[&body[0]] = true
					}
				}
				if got[0] != got[1] {
					t.Errorf("%s %s\nkept %.400s\nmade %.400s", method, path, got[0], got[1])
				}
			}
			for round := range 2 {
				for _, o := range pair[0].current.Load().Operations {
					path := pathVariable.ReplaceAllString(o.Path, "7")
					switch {
					case o.Method == "GET":
						ask("GET", path)
					case o.Method == "POST" && round == 1:
						ask("POST", path)
					}
				}
			}
		})
	}
	if repeated < 1000 {
		t.Errorf("%d bodies are sent again", repeated)
	}
}
