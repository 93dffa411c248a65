package contracts

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/access"
)

// accountDocument adds an operation to the document of the backend, without a word of what it ends.
func accountDocument(method, path, body string) string {
	text := "  " + path + ":\n    " + strings.ToLower(method) + ":\n"
	if body != "" {
		text += "      requestBody: {required: true, content: {application/json: {schema: " + body + "}}}\n"
	}
	text += `      responses: {"200": {description: It is done., content: {application/json: {schema: {type: object}}}}, default: {$ref: "#/components/responses/Problem"}}` + "\n"
	return strings.Replace(access.Document, "\ncomponents:", "\n"+text+"components:", 1)
}

// TestAccessEnds has operations that end the caller's access, under names that show it and names that do not: no run goes
// on with credentials that have ended, ends well then, or leaves the reader to guess which request it was.
func TestAccessEnds(t *testing.T) {
	const object, secret = `{type: object}`, `{type: object, required: [password], properties: {password: {type: string, minLength: 1, maxLength: 40}}}`
	for name, c := range map[string]struct {
		method, path, body string
		readsOnly          bool // from then on, else nothing is accepted any more
	}{
		"logout":                  {"POST", "/logout-now", "", false},
		"a finished visit":        {"POST", "/visit/finish", "", false},
		"a rotated token":         {"POST", "/token/rotate", "", false},
		"a token that is renewed": {"POST", "/ticket", "", false},
		"the end of all sessions": {"DELETE", "/sessions", "", false},
		"the end of all visits":   {"POST", "/visits/close-all", "", false},
		"a changed password":      {"POST", "/change-password", secret, false},
		"a changed word":          {"POST", "/word", secret, false},
		"a reset password":        {"POST", "/password-reset", secret, false},
		"a deleted account":       {"DELETE", "/account", "", false},
		"a deactivated account":   {"POST", "/me/deactivate", "", false},
		"a pause":                 {"POST", "/pause", "", false},
		"a dropped role":          {"PUT", "/me/role", object, true},
		"a changed view":          {"POST", "/view", object, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := access.New(t)
			ended, late := false, 0
			b.Quirk = func(b *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
				switch {
				case ended && c.readsOnly && r.Method != "GET":
					access.Reply(w, 403, map[string]any{"error": "readers may not"})
					late++
					return true
				case r.URL.Path != c.path:
					return false
				case r.Method != c.method:
					w.Header().Set("Allow", c.method)
					access.Reply(w, 405, map[string]any{"error": "no"})
					return true
				case c.body != "" && body == nil:
					return false
				}
				access.Reply(w, 200, map[string]any{})
				if c.readsOnly && !b.HasNew() {
					return true // before a write, this cannot be distinguished from credentials that may only read
				}
				if ended = true; !c.readsOnly {
					b.End()
				}
				return true
			}
			o := accessible(b)
			o.Text = []byte(accountDocument(c.method, c.path, c.body))
			report := mustRun(t, t.Context(), o)
			asked := b.Asked()
			if !c.readsOnly {
				for i := len(asked) - 1; i >= 0 && !strings.HasSuffix(asked[i], " 200"); i-- {
					late++
				}
			}
			why := report.Ended + report.Insufficient
			switch named := c.method + " " + c.path; {
			case !ended && why != "":
				t.Errorf("nothing ended the access, and the run ended: %s", why)
			case ended && (report.Ended == "" || !strings.Contains(why, named)):
				t.Errorf("the run does not name %s: %q", named, why)
			}
			if most := max(60, len(asked)/3); ended && late > most {
				t.Errorf("%d of %d requests after the end", late, len(asked))
			}
			for _, f := range report.Findings {
				if f.Check != "invalid-accepted" && f.Severity == 0 {
					t.Errorf("%s %s: %s\n%s", f.Check, f.Operation, f.Message, f.Sent[0].Curl)
				}
			}
			t.Logf("ended %v, %d of %d late; %s", ended, late, len(asked), why)
		})
	}
}
