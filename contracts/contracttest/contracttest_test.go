package contracttest

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// faulty names the variable that makes TestTest fail, as another process.
const faulty = "COLDFRAME_TEST_FAULTY"

func TestTest(t *testing.T) {
	fault := os.Getenv(faulty) != ""
	b := notes.New(t, func(w http.ResponseWriter, r *http.Request) bool {
		bad := fault && r.Method == "DELETE" && strings.HasPrefix(r.URL.Path, "/notes/")
		if bad {
			http.Error(w, "out of order\n::error::x\n##vso[task.complete]", http.StatusInternalServerError)
		}
		return bad
	})
	options := func(o *contracts.Options) {
		*o = contracts.Options{
			Document: o.Document, URL: o.URL, Text: []byte(notes.Document), Credentials: contracts.Credentials{Token: "good"}, Limits: contracts.Limits{MaxCases: 400, FuzzCases: 20, Workers: 4,
				Timeout: 30 * time.Second},
		}
	}
	report := Test(t, "notes.yaml", b, options)
	if !fault && (len(report.Operations) != 4 || report.Requests < 100) {
		t.Errorf("%d operations, %d requests", len(report.Operations), report.Requests)
	}
	if !fault {
		TestURL(t, "notes.yaml", b.URL, options)
	}
}

func TestTestFails(t *testing.T) {
	again := exec.Command(os.Args[0], "-test.run=^TestTest$", "-test.v")
	again.Env = append(os.Environ(), faulty+"=1")
	out, err := again.CombinedOutput()
	text := string(out)
	if err == nil {
		t.Fatalf("does not fail:\n%s", text)
	}
	for _, want := range []string{
		"--- FAIL: TestTest/DELETE_/notes/{id} ", "--- PASS: TestTest/POST_/notes ", "server-error: answered 500", "notes.yaml:29:7", "' -X DELETE", "500 out of order",
		`\u003a:error::x`, `\u0023#vso[task.complete]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
