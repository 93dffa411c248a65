package credentials

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCommands compares the command lines of every way to send a credential with
// testdata/commands.txtar: none shows a secret.
func TestCommands(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/commands.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c, err := spec.Load(context.Background(), "keys.yaml", spec.Options{Text: archive.Files[0].Data})
	if err != nil {
		t.Fatal(err)
	}
	given := Given{
		Token: "tok.s3cret", User: "n4me:s3cret", APIKeys: map[string]string{"key": "key-s3cret", "session": "s3cret", "asked": "s3cret",
			"reader": "reader-s3cret", "admin": "admin-s3cret"},
	}
	var b strings.Builder
	for _, one := range []struct {
		Given
		headers http.Header
	}{{given, http.Header{"X-Team": {"s3cret"}}}, {}} {
		one.Headers = one.headers
		keyring, err := New(t.Context(), one.Given, c)
		if err != nil {
			t.Fatal(err)
		}
		w := NewPresenter(c, keyring, false)
		for _, o := range c.Operations {
			for how := cases.Given; how <= cases.Garbled; how++ {
				credentials := cases.GivenFor(o.Security[0])
				for i := range credentials {
					credentials[i].Form = how
				}
				x := &checks.Exchange{Case: &cases.Case{Operation: o, Credentials: credentials}}
				x.Request = &exchange.Request{Method: o.Method, Path: o.Path}
				if one.headers != nil && o.ID == "bearer" {
					x.Request.Header.Set("X-Team", "s3cret")
				}
				if !keyring.Complete(x.Case) || one.Token == "" && keyring.Missing(x.Case) != "" {
					continue
				}
				keyring.Apply(x.Request, credentials)
				b.WriteString(how.String() + ": " + w.command("http://localhost", x, w.redact(x)) + "\n")
			}
		}
		if one.headers != nil && (strings.Contains(b.String(), "s3cret") || strings.Contains(b.String(), "n4me") || strings.Contains(b.String(), wrong("s3cret"))) {
			t.Error("a secret is shown")
		}
		b.WriteString("\n")
	}
	if got := b.String(); got != string(archive.Files[1].Data) {
		if !golden.Update() {
			t.Fatalf("got\n%s", got)
		}
		archive.Files[1].Data = []byte(got)
		if err := os.WriteFile("testdata/commands.txtar", txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
