package contracts

import (
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/report"
)

//go:embed testdata/identities.yaml
var identitiesDocument []byte

// notesBackend keeps notes of alice and bob, each visible to its owner only but for what is open.
type notesBackend struct {
	open   string // actions that are open to all: "read list"
	quirks string // ways of its own: see the uses of has

	mu       sync.Mutex
	notes    []*note
	comments []*note
	next     int
}

type note struct {
	values map[string]any
	owner  string
	of     *note // of a comment
	asked  int   // how often another user asked for it
}

func (n *note) id() string { return n.values["id"].(string) }

func (b *notesBackend) has(quirk string) bool {
	return slices.Contains(strings.Fields(b.quirks), quirk)
}

// may reports whether a user may do something to a note.
func (b *notesBackend) may(user, action string, n *note) bool {
	if b.has("late") && user == "bob" && n.owner != user && n.asked < 2 {
		n.asked++
		return false
	}
	public := n
	if n.of != nil {
		public = n.of
	}
	if b.has("admin") && user == "bob" || b.has("drafts") && strings.ContainsAny(fmt.Sprint(public.values["colour"]), "ACEGIKMOQSUWY") {
		return true
	}
	return n.owner == user || slices.Contains(strings.Fields(b.open), action)
}

func (b *notesBackend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	user := map[string]string{"Bearer token-of-alice": "alice", "Bearer token-of-bob": "bob"}[r.Header.Get("Authorization")]
	if user == "" || user == "bob" && b.has("locked-out") {
		reply(w, 401, map[string]any{"message": "who are you?"})
		return
	}
	var body map[string]any
	if json.NewDecoder(r.Body).Decode(&body) != nil && r.Method != "GET" && r.Method != "DELETE" && !strings.HasSuffix(r.URL.Path, "archive") {
		reply(w, 422, map[string]any{"message": "an object is needed"})
		return
	}
	if user == "bob" && b.has("reader") && r.Method != "GET" {
		reply(w, 403, map[string]any{"message": "you may only read"})
		return
	}
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(path) == 1:
		b.serveNotes(w, r, user, body)
	case path[1] == "export":
		w.Header().Set("Content-Type", "text/csv")
		rows := csv.NewWriter(w)
		rows.Write([]string{"id", "title", "colour"})
		for _, n := range b.seen(user, "export", b.notes) {
			rows.Write([]string{n.id(), n.values["title"].(string), n.values["colour"].(string)})
		}
		rows.Flush()
	case path[1] == "delete":
		n := len(b.notes)
		for _, n := range b.named(user, "bulk-delete", body) {
			b.notes = slices.DeleteFunc(b.notes, func(other *note) bool { return other == n })
		}
		reply(w, 200, map[string]any{"deleted": n - len(b.notes)})
	case path[1] == "by-slug" && len(path) == 3:
		b.serve(w, r, user, "slug", b.find(func(n *note) bool { return n.values["slug"] == path[2] }), body)
	case len(path) == 2:
		b.serve(w, r, user, map[string]string{"GET": "read"}[r.Method], b.note(path[1]), body)
	case path[2] == "archive":
		b.serve(w, r, user, "archive", b.note(path[1]), map[string]any{"status": "archived"})
	default:
		b.serveComments(w, r, user, path, body)
	}
}

func (b *notesBackend) serveNotes(w http.ResponseWriter, r *http.Request, user string, body map[string]any) {
	q := r.URL.Query()
	switch {
	case r.Method == "POST":
		if !isText(body["title"]) || !isText(body["colour"]) {
			reply(w, 422, map[string]any{"message": "title and colour are needed"})
			return
		}
		n := b.create(user, nil, map[string]any{"title": body["title"], "colour": body["colour"], "status": "active"})
		n.values["slug"] = "slug-" + n.id()
		if owner, ok := body["owner"].(string); ok && b.has("assignable") {
			n.owner = owner
		}
		b.notes = append(b.notes, n)
		reply(w, 201, b.shown(n))
	case r.Method == "PATCH":
		named, changes := b.named(user, "bulk-patch", body), object(body["changes"])
		for _, n := range named {
			set(n, changes, "colour")
		}
		reply(w, 200, map[string]any{"changed": len(named)})
	default:
		action := "list"
		switch {
		case q.Has("colour"):
			action = "filter"
		case q.Has("q"):
			action = "search"
		}
		list := []any{}
		for _, n := range b.notes {
			isChosen := (!q.Has("colour") || n.values["colour"] == q.Get("colour")) &&
				strings.Contains(fmt.Sprint(n.values["title"], n.values["colour"]), q.Get("q"))
			switch {
			case !isChosen:
			case b.may(user, action, n):
				list = append(list, b.shown(n))
			case b.has("summaries"):
				summary := b.shown(n)
				summary["colour"], summary["title"] = "hidden", "hidden"
				list = append(list, summary)
			}
		}
		reply(w, 200, list)
	}
}

func (b *notesBackend) serveComments(w http.ResponseWriter, r *http.Request, user string, path []string, body map[string]any) {
	parent := b.note(path[1])
	isList := len(path) == 3
	switch {
	case parent == nil, isList && !b.may(user, "comments", parent):
		reply(w, 404, map[string]any{"message": "there is no such note"})
	case isList && r.Method == "POST":
		if !isText(body["text"]) {
			reply(w, 422, map[string]any{"message": "a text is needed"})
			return
		}
		n := b.create(user, parent, map[string]any{"text": body["text"]})
		b.comments = append(b.comments, n)
		reply(w, 201, n.values)
	case isList:
		list := []any{}
		for _, c := range b.comments {
			if c.of == parent {
				list = append(list, c.values)
			}
		}
		reply(w, 200, list)
	default:
		at := slices.IndexFunc(b.comments, func(c *note) bool { return c.id() == path[3] })
		if at < 0 || b.comments[at].of != parent && !(b.has("any-parent") && b.may(user, "", parent)) {
			reply(w, 404, map[string]any{"message": "there is no such comment"})
			return
		}
		c := b.comments[at]
		action := map[string]string{"GET": "comment-read", "PUT": "comment-put", "DELETE": "comment-delete"}[r.Method]
		switch {
		case c.of == parent && !b.may(user, action, c):
			reply(w, 404, map[string]any{"message": "there is no such comment"})
		case r.Method == "DELETE":
			b.comments = slices.Delete(b.comments, at, at+1)
			w.WriteHeader(204)
		default:
			set(c, body, "text")
			reply(w, 200, c.values)
		}
	}
}

// serve answers a request about one note.
func (b *notesBackend) serve(w http.ResponseWriter, r *http.Request, user, action string, n *note, body map[string]any) {
	if action == "" {
		action = strings.ToLower(r.Method)
	}
	may := n != nil && b.may(user, action, n)
	switch {
	case n != nil && !may && b.has("pretends") && r.Method != "GET":
		if r.Method == "DELETE" {
			w.WriteHeader(204)
			return
		}
		reply(w, 200, b.shown(n))
	case n != nil && !may && b.has("redacts") && r.Method == "GET":
		redacted := b.shown(n)
		redacted["title"], redacted["colour"] = "hidden", "hidden"
		reply(w, 200, redacted)
	case n != nil && !may && b.has("forbids"):
		reply(w, 403, map[string]any{"message": "it is not yours"})
	case !may:
		reply(w, 404, map[string]any{"message": "there is no such note"})
	case r.Method == "DELETE":
		b.notes = slices.DeleteFunc(b.notes, func(other *note) bool { return other == n })
		w.WriteHeader(204)
	default:
		set(n, body, "title", "colour", "status")
		reply(w, 200, b.shown(n))
	}
}

func (b *notesBackend) create(user string, of *note, values map[string]any) *note {
	b.next++
	values["id"] = fmt.Sprint(b.next)
	if b.has("long-keys") {
		values["id"] = fmt.Sprintf("0b6cf01e-55ae-4c1f-9e0f-%012x", b.next*7919)
	}
	return &note{values: values, owner: user, of: of}
}

func (b *notesBackend) shown(n *note) map[string]any {
	shown := map[string]any{}
	for name, value := range n.values {
		shown[name] = value
	}
	if !b.has("ownerless") {
		shown["owner"] = n.owner
	}
	return shown
}

func (b *notesBackend) seen(user, action string, all []*note) (seen []*note) {
	for _, n := range all {
		if b.may(user, action, n) {
			seen = append(seen, n)
		}
	}
	return seen
}

func (b *notesBackend) named(user, action string, body map[string]any) (named []*note) {
	ids, _ := body["ids"].([]any)
	for _, id := range ids {
		if n := b.note(fmt.Sprint(id)); n != nil && b.may(user, action, n) {
			named = append(named, n)
		}
	}
	return named
}

func (b *notesBackend) note(id string) *note {
	return b.find(func(n *note) bool { return n.id() == id })
}

func (b *notesBackend) find(is func(*note) bool) *note {
	if at := slices.IndexFunc(b.notes, is); at >= 0 {
		return b.notes[at]
	}
	return nil
}

func set(n *note, body map[string]any, names ...string) {
	for _, name := range names {
		if isText(body[name]) {
			n.values[name] = body[name]
		}
	}
}

func isText(value any) bool { text, ok := value.(string); return ok && len([]rune(text)) >= 4 }

func object(value any) map[string]any { o, _ := value.(map[string]any); return o }

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// askAs tests a backend as alice and bob.
func askAs(t *testing.T, b *notesBackend, private ...string) *report.Report {
	t.Helper()
	server := httptest.NewServer(b)
	defer server.Close()
	result := mustRun(t, t.Context(), Options{
		Document: "identities.yaml", Text: identitiesDocument, URL: server.URL,
		Identities: []Identity{{Name: "alice", Token: "token-of-alice"}, {Name: "bob", Token: "token-of-bob"}},
		Select:     Selection{Phases: []string{"stateful"}, Checks: []string{"private", "private-change", "owner"}, Private: private},
		Limits:     Limits{Settle: 50 * time.Millisecond, MinTested: -1},
	})
	if text, err := json.Marshal(result); err != nil || strings.Contains(string(text), "token-of-") {
		t.Errorf("the report has a token, or cannot be written: %v", err)
	}
	return result
}

const publicReads = "read slug list filter search export comments comment-read "

// TestIdentitiesFindHoles has backends that let bob see or change what is alice's, each in one place only.
func TestIdentitiesFindHoles(t *testing.T) {
	holes := map[string]struct{ open, quirks, private, check, operation string }{
		"read":                      {"read", "", "", "private", "GET /notes/{noteId}"},
		"read that is forbidden":    {"slug", "forbids", "", "private", "GET /notes/by-slug/{slug}"},
		"read by another name":      {"slug", "", "", "private", "GET /notes/by-slug/{slug}"},
		"list":                      {"list", "", "", "private", "GET /notes"},
		"filter":                    {"filter", "", "", "private", "GET /notes"},
		"search":                    {"search", "", "", "private", "GET /notes"},
		"export":                    {"export", "", "", "private", "GET /notes/export"},
		"replace":                   {"put", "", "", "private-change", "PUT /notes/{noteId}"},
		"change":                    {"patch", "", "", "private-change", "PATCH /notes/{noteId}"},
		"delete":                    {"delete", "", "", "private-change", "DELETE /notes/{noteId}"},
		"act":                       {"archive", "", "", "private-change", "POST /notes/{noteId}/archive"},
		"change several":            {"bulk-patch", "", "", "private-change", "PATCH /notes"},
		"delete several":            {"bulk-delete", "", "", "private-change", "POST /notes/delete"},
		"list below":                {"comments", "", "", "private", "GET /notes/{noteId}/comments"},
		"read below":                {"comment-read", "", "", "private", "GET /notes/{noteId}/comments/{commentId}"},
		"replace below":             {"comment-put", "", "", "private-change", "PUT /notes/{noteId}/comments/{commentId}"},
		"delete below":              {"comment-delete", "", "", "private-change", "DELETE /notes/{noteId}/comments/{commentId}"},
		"read below any parent":     {"", "any-parent", "", "private", "GET /notes/{noteId}/comments/{commentId}"},
		"choose the owner":          {"", "assignable", "", "owner", "POST /notes"},
		"replace what is public":    {publicReads + "put", "forbids", "", "private-change", "PUT /notes/{noteId}"},
		"several of what is public": {publicReads + "bulk-patch", "forbids", "", "private-change", "PATCH /notes"},
		"read what is declared":     {publicReads, "", "GET /notes/{noteId}", "private", "GET /notes/{noteId}"},
	}
	for i, name := range slices.Sorted(maps.Keys(holes)) {
		if i%sample.Every(1, 4) != 0 {
			continue
		}
		hole := holes[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var private []string
			if hole.private != "" {
				private = []string{hole.private}
			}
			result := askAs(t, &notesBackend{open: hole.open, quirks: hole.quirks}, private...)
			found := false
			for _, f := range result.Findings {
				if is := f.Check == hole.check && f.Operation == hole.operation && f.Severity.String() == "error"; is {
					found = true
				} else if f.Severity.String() == "error" {
					t.Errorf("%s: %s: %s", f.Check, f.Operation, f.Message)
				}
			}
			if !found {
				t.Errorf("no error %s of %s", hole.check, hole.operation)
			}
		})
	}
}

// TestIdentitiesAllowSharing has backends that share, or that hide in a way of their own.
func TestIdentitiesAllowSharing(t *testing.T) {
	const all = publicReads + "put patch delete archive bulk-patch bulk-delete comment-put comment-delete"
	backends := map[string]*notesBackend{
		"nothing is shared":                    {},
		"nothing, with 403":                    {quirks: "forbids"},
		"nothing, without owners":              {quirks: "ownerless"},
		"nothing, with long keys":              {quirks: "long-keys"},
		"a team shares all":                    {open: all},
		"a team without owners":                {open: all, quirks: "ownerless"},
		"all is shared after a while":          {open: all, quirks: "late"},
		"all may read":                         {open: publicReads},
		"all may read, changes are 403":        {open: publicReads, quirks: "forbids"},
		"all who know the link may read":       {open: "read slug", quirks: "long-keys"},
		"all may read, the list has one's own": {open: "read slug filter search comments comment-read", quirks: "long-keys"},
		"a wiki: all but its deletion":         {open: strings.ReplaceAll(strings.ReplaceAll(all, "bulk-delete", ""), " delete", ""), quirks: "forbids"},
		"moderators delete":                    {open: publicReads + "delete bulk-delete", quirks: "forbids"},
		"all may archive what they read":       {open: publicReads + "archive", quirks: "forbids"},
		"all may comment":                      {open: publicReads + "comment-put", quirks: "forbids"},
		"an administrator":                     {quirks: "admin"},
		"a reader":                             {quirks: "reader"},
		"a reader of what is public":           {open: publicReads, quirks: "reader"},
		"somebody without access":              {quirks: "locked-out"},
		"only some are public":                 {quirks: "drafts"},
		"lists have summaries":                 {quirks: "summaries"},
		"reads are redacted":                   {quirks: "redacts"},
		"reads and lists are redacted":         {quirks: "redacts summaries"},
		"refusals look like successes":         {quirks: "pretends"},
		"exports are for all, as reads are":    {open: "read slug list filter search export comments comment-read", quirks: "ownerless"},
	}
	for i, name := range slices.Sorted(maps.Keys(backends)) {
		if i%sample.Every(1, 4) != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range askAs(t, backends[name]).Findings {
				if f.Severity.String() == "error" {
					t.Errorf("%s %s: %s: %s", f.Severity, f.Check, f.Operation, f.Message)
				} else {
					t.Logf("%s %s: %s: %s", f.Severity, f.Check, f.Operation, f.Message)
				}
			}
		})
	}
}
