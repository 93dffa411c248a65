package safety

import (
	"fmt"
	"testing"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/access"
)

// TestGroups has operations of each group.
func TestGroups(t *testing.T) {
	c, err := spec.Load(t.Context(), "access.yaml", spec.Options{Text: []byte(access.Document)})
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := resource.Infer(c, resource.Overrides{})
	names := map[Group]string{Ordinary: "ordinary", Bulk: "bulk", Destructive: "destructive"}
	for _, o := range c.Operations {
		if got, want := names[groupOf(o, plan.Of(o), actOf(plan, o))], o.Extension("x-want").Str(); got != want {
			t.Errorf("%s %s is %s, want %s", o.Method, o.Path, got, want)
		}
	}
}

// TestHarmfulWords has an operation for each word of harm that is easy to lose from the table, as public documents have it.
func TestHarmfulWords(t *testing.T) {
	for _, test := range []struct {
		method, path, id, role string
		want                   Group
	}{
		{"post", "/auth/signout", "", "harm-session", Destructive},
		{"get", "/account", "signOut", "harm-session", Destructive},
		{"post", "/client/sessions/{id}/end", "endSession", "harm-session", Destructive},
		{"post", "/servers/{id}/actions/reboot", "", "harm-ending", Destructive},
		{"post", "/system/shutdown", "", "harm-ending", Destructive},
		{"post", "/system/down", "shutDown", "harm-ending", Destructive},
		{"post", "/access_token/invalidate", "", "harm-ending", Destructive},
		{"post", "/change_password", "", "harm-ending", Destructive},
		{"post", "/word", "changePassword", "harm-ending", Destructive},
		{"post", "/servers/{id}/actions/reset_password", "", "harm-ending", Destructive},
		{"post", "/user/{id}/set-password", "", "harm-ending", Destructive},
		{"post", "/word", "updatePassword", "harm-ending", Destructive},
		{"post", "/auth/password/change", "", "harm-ending", Destructive},
		{"post", "/auth/password/reset", "", "harm-ending", Destructive},
		{"post", "/collections/{id}/truncate", "", "harm-shared", Bulk},
		{"post", "/tables", "truncateTables", "harm-whole", Bulk},
		{"post", "/cache/flush", "", "harm-shared", Bulk},
		{"post", "/cache", "flushCache", "harm-whole", Bulk},
		{"post", "/devices/{id}/wipe", "", "harm-shared", Bulk},
		{"post", "/devices", "wipeDevices", "harm-whole", Bulk},
		{"post", "/backend", "createDump", "harm-whole", Ordinary},
	} {
		text := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "Harm", "version": "1"}, "paths": {%q: {%q: {
			"operationId": %q, "responses": {"204": {"description": "done"}}}}}}`, test.path, test.method, test.id)
		c, err := spec.Load(t.Context(), "harm.json", spec.Options{Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		plan, _ := resource.Infer(c, resource.Overrides{})
		o := c.Operations[0]
		if words, _ := WordsOf(o); !says(test.role, words) {
			t.Errorf("%s %s %s has no %s", test.method, test.path, test.id, test.role)
		}
		if got := groupOf(o, plan.Of(o), actOf(plan, o)); got != test.want {
			t.Errorf("%s %s %s is in group %d, want %d", test.method, test.path, test.id, got, test.want)
		}
	}
	for _, name := range []string{"password", "passphrase", "pass_phrase"} {
		if !changesAccess(map[string]any{"user": map[string]any{name: "new"}}) {
			t.Errorf("%s does not change the access", name)
		}
	}
}
