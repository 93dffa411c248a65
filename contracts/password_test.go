package contracts

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/access"
	"github.com/coldframe/coldframe/report"
)

// account is a backend with a user who changes the password by POST /word, in front of one that has tokens.
type account struct {
	*access.Backend
	mu              sync.Mutex
	password, token string // of the user; the token is of a login
	behind          string // the token of the backend
	changes         int
	set             func(now, sent string) (string, bool) // gives the password that is set, and whether it is
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	name, password, isBasic := r.BasicAuth()
	isGood := isBasic && name == "ada" && password == a.password ||
		!isBasic && a.token != "" && r.Header.Get("Authorization") == "Bearer "+a.token
	behind := a.behind
	a.mu.Unlock()
	if r.Header.Set("Authorization", "Bearer "+behind); !isGood {
		r.Header.Set("Authorization", "Bearer none")
	}
	a.Backend.ServeHTTP(w, r)
}

// change answers POST /word: it sets the password, and ends the login.
func (a *account) change(_ *access.Backend, w http.ResponseWriter, r *http.Request, body map[string]any) bool {
	if r.URL.Path != "/word" || r.Method == "POST" && body == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	sent, isText := body["password"].(string)
	now, ok := a.set(a.password, sent)
	switch {
	case r.Method != "POST":
		w.Header().Set("Allow", "POST")
		access.Reply(w, 405, map[string]any{"error": "no"})
	case !isText || sent == "" || len([]rune(sent)) > 40 || !ok:
		access.Reply(w, 400, map[string]any{"error": "no"})
	default:
		a.password, a.token = now, ""
		a.changes++
		access.Reply(w, 200, map[string]any{})
	}
	return true
}

// login returns a token for a password.
func (a *account) login(password string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if password != a.password {
		return "", errors.New("wrong password")
	}
	a.token, a.behind = "token-"+password, a.Renew()
	return a.token, nil
}

// TestPasswordChanged has runs that change the password of their own user: they go on with the new one, or change it
// back, and those that cannot end and name the request.
func TestPasswordChanged(t *testing.T) {
	const first = "first-word"
	document := accountDocument("POST", "/word",
		`{type: object, required: [password], properties: {password: {type: string, minLength: 1, maxLength: 40}}}`)
	asSent := func(_, sent string) (string, bool) { return sent, true }
	for name, c := range map[string]struct {
		set      func(now, sent string) (string, bool)
		login    bool
		want     string // in what was skipped, or why the run ended
		isEnd    bool
		restored bool
	}{
		"changed back":               {asSent, false, "which has changed it back", false, true},
		"the first one is not taken": {func(_, sent string) (string, bool) { return sent, sent != first }, false, "which goes on with the new one", false, false},
		"a login":                    {asSent, true, "which goes on with the new one", false, false},
		"another one is set":         {func(_, sent string) (string, bool) { return "?" + sent, true }, false, "POST /word", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &account{Backend: access.New(t), password: first, behind: access.Token, set: c.set}
			a.Quirk = a.change
			server := httptest.NewServer(a)
			t.Cleanup(server.Close)
			o := Options{Document: "access.yaml", Text: []byte(document), URL: server.URL, Limits: Limits{FuzzCases: 20}}
			if c.login {
				o.Credentials.Refresh = func(ctx context.Context) (string, error) {
					password := ChangedPassword(ctx)
					if password == "" {
						password = first
					}
					return a.login(password)
				}
			} else {
				o.Text = []byte(strings.Replace(document, "scheme: bearer", "scheme: basic", 1))
				o.Credentials.User = "ada:" + first
			}
			result := mustRun(t, t.Context(), o)
			if a.changes == 0 || (a.password == first) != c.restored {
				t.Errorf("after %d changes the password is %q", a.changes, a.password)
			}
			isSkipped := slices.ContainsFunc(result.Skipped, func(s report.Skipped) bool {
				return s.Operation == "POST /word" && strings.Contains(s.Reason, c.want)
			})
			if c.isEnd && !strings.Contains(result.Ended, c.want) || !c.isEnd && (result.Ended != "" || !isSkipped) {
				t.Errorf("ended %q, skipped %+v", result.Ended, result.Skipped)
			}
			for _, f := range result.Findings {
				if f.Check != "invalid-accepted" && f.Severity == 0 {
					t.Errorf("%s %s: %s\n%s", f.Check, f.Operation, f.Message, f.Sent[0].Curl)
				}
			}
		})
	}
}
