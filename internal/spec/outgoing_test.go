package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestOutgoing holds callbacks, webhooks and links to testdata/outgoing.txtar.
func TestOutgoing(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/outgoing.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	c, err := Load(t.Context(), "openapi.yaml", Options{Text: []byte(files["openapi.yaml"])})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range c.Operations {
		b.WriteString(o.ID + "\n")
		for _, r := range o.Responses {
			for _, l := range r.Links {
				fmt.Fprintf(&b, "  link %s: %s", l.Name, l.Operation.ID)
				for _, p := range l.Parameters {
					fmt.Fprintf(&b, ", %s %s", p.Parameter.In, p.Parameter.Name)
				}
				if l.Body != nil {
					b.WriteString(", body")
				}
				b.WriteByte('\n')
			}
		}
		for _, callback := range o.Callbacks {
			fmt.Fprintf(&b, "  callback %s: %s\n", callback.Name, callback.URL)
			describeSent(&b, callback.Operations)
		}
	}
	for _, w := range c.Webhooks {
		fmt.Fprintf(&b, "webhook %s\n", w.Name)
		describeSent(&b, w.Operations)
		if c.Webhook(w.Name) != w {
			t.Errorf("webhook %q is not found", w.Name)
		}
	}
	if b.String() != files["contract"] {
		t.Errorf("got\n%s\nwant\n%s", b.String(), files["contract"])
	}
	var findings []string
	for _, f := range c.Findings {
		findings = append(findings, f.Code+": "+f.Message)
		if f.Document.Line == 0 {
			t.Errorf("%s has no place", f.Message)
		}
	}
	want := strings.Split(strings.TrimSpace(files["findings"]), "\n")
	slices.Sort(findings)
	slices.Sort(want)
	if !slices.Equal(findings, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(findings, "\n"), strings.Join(want, "\n"))
	}
}

func describeSent(b *strings.Builder, operations []*Operation) {
	for _, o := range operations {
		b.WriteString("    " + o.ID)
		if o.Body != nil {
			var names []string
			for name := range o.Body.Content[0].Schema.Requires() {
				names = append(names, name)
			}
			slices.Sort(names)
			b.WriteString(", body must have " + strings.Join(names, " "))
		}
		for _, r := range o.Security {
			b.WriteString(", needs " + r[0].Scheme.Key)
		}
		b.WriteByte('\n')
	}
}
