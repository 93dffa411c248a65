package backends

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/internal/values"
)

func contract(t *testing.T, s Service) *spec.Contract {
	t.Helper()
	c, err := spec.Load(context.Background(), s.Name+".yaml", spec.Options{Text: s.Document})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDocumentsHaveNoFindings(t *testing.T) {
	for _, s := range Services() {
		for _, f := range lint.Document(contract(t, s), resource.Overrides{}, values.Overrides{}) {
			t.Errorf("%s: %s [%s]", s.Name, f, f.Code)
		}
	}
}

// TestCases runs testdata/SERVICE/*.txtar on the right services: each answer is
// as its "=>" says, and as the document says. A request that a service takes
// holds to the document; one that it refuses with 400 or 422 does not, unless
// the line ends in "though the document allows it".
func TestCases(t *testing.T) {
	for _, s := range Services() {
		files, err := filepath.Glob("testdata/" + s.Name + "/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatal("no cases for "+s.Name, err)
		}
		c := contract(t, s)
		judge := &judge{contract: c, router: route.New(c), operations: map[*spec.Operation]*validate.Validator{}}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				t.Run(s.Name+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
					steps := parseScript(t, string(f.Data))
					answers, requests := run(t, s.Name, steps)
					for i, st := range steps {
						judge.step(t, st, requests[i], answers[i])
					}
				})
			}
		}
	}
}

// TestRightAnswersHoldToTheDocument holds the right service's answers to the faults'
// requests to the document.
func TestRightAnswersHoldToTheDocument(t *testing.T) {
	judges := map[string]*judge{}
	for _, s := range Services() {
		c := contract(t, s)
		judges[s.Name] = &judge{contract: c, router: route.New(c), operations: map[*spec.Operation]*validate.Validator{}}
	}
	for _, f := range Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			steps := parseScript(t, f.Shown)
			answers, requests := run(t, f.Service, steps)
			for i, st := range steps {
				judges[f.Service].step(t, st, requests[i], answers[i])
			}
		})
	}
}

type judge struct {
	contract   *spec.Contract
	router     *route.Router
	operations map[*spec.Operation]*validate.Validator
}

func (j *judge) step(t *testing.T, st *step, r *exchange.Request, a told) {
	t.Helper()
	words := strings.SplitN(st.want, " ", 2)
	if st.want != "" && words[0] != strconv.Itoa(a.status) {
		t.Errorf("%s: got %s, want %s", st.line, a, st.want)
		return
	}
	allowed := strings.HasSuffix(st.want, "though the document allows it")
	if len(words) == 2 && !allowed && !strings.Contains(a.String(), words[1]) {
		t.Errorf("%s: got %s, want %s", st.line, a, st.want)
	}
	var match route.Match
	if j.router.Find(r.Method, r.Path, &match) != route.Found {
		if a.status != 404 && a.status != 405 {
			t.Errorf("%s: got %s for what is not documented", st.line, a)
		}
		return
	}
	v := j.operations[match.Operation]
	if v == nil {
		v = validate.New(match.Operation)
		j.operations[match.Operation] = v
	}
	answer := &exchange.Response{Status: a.status, Body: []byte(a.body)}
	for name, values := range a.header {
		for _, value := range values {
			answer.Header = append(answer.Header, exchange.Field{Name: name, Value: value})
		}
	}
	for _, f := range v.Response(r.Method, answer) {
		t.Errorf("%s: the answer %s: %s", st.line, a, f)
	}
	_, findings := v.Request(r, match.Values)
	switch {
	case a.status < 400 && len(findings) > 0:
		t.Errorf("%s: got %d, though %s", st.line, a.status, exchange.Join(findings))
	case slices.Contains([]int{400, 415, 422}, a.status) && len(findings) == 0 && !allowed:
		t.Errorf("%s: got %s, though the document allows it", st.line, a)
	}
}
