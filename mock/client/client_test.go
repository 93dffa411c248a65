package client_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

const machine = `
initial: in stock
rules:
  - {on: POST /plants, state: in stock, then: sold out}
  - {on: POST /plants, state: sold out, respond: {status: 400, body: {error: 1, message: sold out}}}
`

// Every method, against a mock whose control API has a port and a token.
func TestClient(t *testing.T) {
	ctx := t.Context()
	server, err := mock.New(ctx, mock.Options{Auth: mock.AuthOptions{Mode: "off"}, Control: mock.ControlOptions{Port: mock.FreePort, Token: "s3cret"}, Callbacks: "loopback",
		Now: "session"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go server.Run(ctx)
	all := client.New(server.ControlURL()+"/", client.Options{Token: "s3cret", HTTP: http.DefaultClient})
	c := all.In("mine")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	made := func(session, want string) {
		t.Helper()
		if got := create(server, session, `{"id": 7, "name": "Rose"}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	refused := func(err error, status int) {
		t.Helper()
		var problem *client.Problem
		if !errors.As(err, &problem) || problem.Status != status || problem.Error() == "" {
			t.Errorf("%v, want status %d", err, status)
		}
	}
	must(all.Health(ctx))
	must(c.Reset(ctx)) // before there is one
	refused(client.New(server.ControlURL(), client.Options{Token: "other"}).ClearRequests(ctx), 401)

	now, err := c.Advance(ctx, 90*time.Minute)
	must(err)
	if other, err := all.Clock(ctx); err != nil || now.Time.Sub(other.Time) < time.Hour || now.Ahead != "1h30m0s" ||
		other.Ahead != "0s" || now.Clock != "session" {
		t.Errorf("%+v, %+v, %v", now, other, err)
	}
	_, err = c.SetTime(ctx, now.Time)
	refused(err, 409)
	must(c.ResetClock(ctx))
	if now, err := c.Clock(ctx); err != nil || now.Ahead != "0s" {
		t.Errorf("%+v, %v", now, err)
	}

	warnings, err := all.PutScenario(ctx, "stock", machine)
	must(err)
	if len(warnings) > 0 {
		t.Error(warnings)
	}
	made("mine", "200")
	made("mine", "400")
	made("", "200")
	if state, err := c.ScenarioState(ctx, "stock"); err != nil || state != "sold out" {
		t.Error(state, err)
	}
	must(c.SetScenarioState(ctx, "stock", "in stock"))
	made("mine", "200")
	must(c.RewindScenario(ctx, "stock"))
	must(c.Rewind(ctx))
	refused(c.SetScenarioState(ctx, "stock", "nowhere"), 422)
	_, err = c.SaveScenario(ctx, "stock")
	refused(err, 409)
	must(c.SwitchScenario(ctx, "stock", false))
	mine, err := c.Scenarios(ctx)
	must(err)
	every, err := all.Scenarios(ctx)
	must(err)
	if len(mine) != 1 || mine[0].Active || len(every) != 1 || !every[0].Active || every[0].Rules[0].Matched != 1 || mine[0].State != "in stock" {
		t.Errorf("%+v %+v", mine, every)
	}
	must(c.DeleteScenario(ctx, "stock"))
	refused(c.DeleteScenario(ctx, "stock"), 404)
	must(c.RestoreScenarios(ctx))
	warnings, err = all.ReplaceScenarios(ctx, client.Text{Name: "a", Text: "rules: [{on: '*', delay: 0}, {on: '*', delay: 0}]"})
	must(err)
	if len(warnings) != 1 || warnings[0].Document.Line != 1 {
		t.Errorf("%+v", warnings)
	}
	if one, err := c.Scenario(ctx, "a"); err != nil || !strings.HasPrefix(one.Text, "rules:") {
		t.Error(one, err)
	}
	_, err = all.ReplaceScenarios(ctx)
	must(err)

	list, err := c.Requests(ctx, client.Filter{Operation: "POST /plants", Status: "4XX", Method: "POST", Path: "/plants", Limit: 5})
	must(err)
	if list.Matched != 1 || list.Requests[0].Session != "mine" || list.Requests[0].Rule.Number != 2 || string(list.Requests[0].Request.Body) != `{"id":7,"name":"Rose"}` {
		t.Errorf("%+v", list)
	}
	har, err := c.HAR(ctx, client.Filter{Status: "4XX"})
	if must(err); !strings.HasPrefix(string(har), `{"log":{"version":"1.2"`) || strings.Count(string(har), `"request":{`) != 1 {
		t.Errorf("%s", har)
	}
	older, err := c.Requests(ctx, client.Filter{Text: "ROSE", Before: list.Requests[0].Number, Limit: 1})
	must(err)
	if e := older.Requests[0]; len(older.Requests) != 1 || e.Why.Source != "state" || e.Why.Text == "" ||
		e.Writes[0] != (client.Write{Did: "created", Collection: "/plants", Key: e.Why.Key}) {
		t.Errorf("%+v", older)
	}
	must(all.Verify(ctx, client.Expectation{}))
	must(c.Verify(ctx, client.Expectation{Sequence: []client.Step{{Where: "response.status == 400"}, {Where: "response.status == 200"}}}))
	refused(all.In("").Verify(ctx, client.Expectation{Count: new(2)}), 417)
	coverage, err := all.Coverage(ctx, "lcov")
	must(err)
	if !strings.HasPrefix(string(coverage), "SF:") && !strings.HasPrefix(string(coverage), "TN:") {
		t.Errorf("%s", coverage)
	}

	must(c.Snapshot(ctx, ""))
	copied, err := c.Fork(ctx, "copy")
	must(err)
	_, err = c.PutState(ctx, []byte("/plants: [{id: 1, name: Fern}, {id: 2, name: Oak}]"))
	must(err)
	if kept, err := c.State(ctx); err != nil || kept.Items != 2 {
		t.Error(kept, err)
	}
	item, err := c.CreateItem(ctx, "/plants", map[string]any{"name": "Ash/% tree"})
	must(err)
	item, err = c.PutItem(ctx, "/plants", item.Key, map[string]any{"name": "Oak"})
	if must(err); string(item.Value) != `{"name":"Oak"}` {
		t.Errorf("%+v", item)
	}
	must(c.CheckItem(ctx, "/plants", item.Key, map[string]any{}))
	must(c.CheckItem(ctx, "/plants", "", map[string]any{}))
	if page, err := c.Items(ctx, "/plants", 2, 1); err != nil || page.Total != 3 || page.Items[0].Key != item.Key {
		t.Errorf("%+v, %v", page, err)
	}
	if all, err := c.Collections(ctx); err != nil || all[0].Collection != "/plants" || all[0].Count != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	must(c.DeleteItem(ctx, "/plants", item.Key))
	refused(c.DeleteItem(ctx, "/plants", item.Key), 404)
	must(c.ClearState(ctx))
	if kept, err := c.State(ctx); err != nil || kept.Items != 0 {
		t.Error(kept, err)
	}
	must(c.Restore(ctx, ""))
	if kept, err := copied.State(ctx); err != nil || kept.Items != 2 {
		t.Error(kept, err)
	}
	following, stop := context.WithCancel(ctx)
	err = c.Follow(following, client.Filter{Status: "400"}, 0, func(e client.Exchange, lost int) {
		if e.Response.Status != 400 || e.Session != "mine" || lost > 0 {
			t.Errorf("%+v, %d lost", e, lost)
		}
		stop()
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	file, err := copied.Export(ctx)
	must(err)
	moved := all.In("moved")
	if warnings, err := moved.Import(ctx, file); err != nil || len(warnings) > 0 {
		t.Error(warnings, err)
	}
	if again, err := moved.State(ctx); err != nil || again.Items != 2 {
		t.Error(again, err)
	}
	differs, err := moved.Import(ctx, bytes.Replace(file, []byte(`"delay":0`), []byte(`"delay":7`), 1))
	if err != nil || len(differs) != 1 || differs[0].Message != "the option delay is 0, and 7 in the session file" {
		t.Error(differs, err)
	}
	_, err = moved.Import(ctx, file[:len(file)/2])
	refused(err, 400)
	must(moved.Delete(ctx))
	refused(c.Restore(ctx, "another"), 404)
	sessions, err := all.Sessions(ctx)
	must(err)
	if !slices.ContainsFunc(sessions, func(s client.Session) bool {
		return s.Name == "mine" && s.Items == 2 && slices.Equal(s.Snapshots, []string{"default"})
	}) || len(sessions) != 3 {
		t.Errorf("%+v", sessions)
	}
	if use := c.UseURL("/plants?a=b"); !strings.HasSuffix(use, "/__coldframe/sessions/mine/use?to=%2Fplants%3Fa%3Db") {
		t.Error(use)
	}
	must(copied.Delete(ctx))
	refused(copied.Delete(ctx), 404)
	must(c.ClearRequests(ctx))
	list, err = all.Requests(ctx, client.Filter{})
	if must(err); list.Matched != 1 || list.Requests[0].Session != "" {
		t.Errorf("%+v", list)
	}
	must(all.Reset(ctx))
	must(all.ClearRequests(ctx))

	document, err := all.Document(ctx)
	if must(err); document.Title != "OpenAPI Plant Store" || len(document.Files) != 1 || document.LoadedAt.IsZero() {
		t.Errorf("%+v", document)
	}
	lines, err := all.Lines(ctx, "", 1, 2)
	if must(err); len(lines) != 2 {
		t.Error(lines)
	}
	_, err = all.Lines(ctx, "/etc/passwd", 1, 2)
	refused(err, 404)
	plan, err := all.Resources(ctx)
	if must(err); len(plan.Operations) != 1 || plan.Operations[0].Role != "create" || plan.Resources[0].Name != "plants" {
		t.Errorf("%+v", plan)
	}
	operations, err := all.Operations(ctx)
	if must(err); len(operations) != 1 || operations[0].Operation != "POST /plants" || operations[0].Place.Line == 0 {
		t.Errorf("%+v", operations)
	}
	one, err := all.Operation(ctx, "POST /plants")
	if must(err); one.Sample == nil || one.Body.MediaTypes["application/json"].Schema == nil || len(one.Responses) != 2 {
		t.Errorf("%+v", one)
	}
	_, err = all.Operation(ctx, "none/%2F")
	refused(err, 404)

	if names, err := all.Webhooks(ctx); err != nil || len(names) > 0 {
		t.Error(names, err)
	}
	_, err = all.SendWebhook(ctx, "none", client.Order{URL: "http://localhost:1/"})
	refused(err, 404)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := all.Health(gone); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A server that is not coldframe is reported by its status.
func TestClientElsewhere(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "health") {
			http.Error(w, "<h1>no</h1>", http.StatusBadGateway)
		}
	}))
	defer server.Close()
	c := client.New(server.URL, client.Options{})
	if err := c.Health(t.Context()); err == nil || err.Error() != "the mock answered 502 Bad Gateway" {
		t.Error(err)
	}
	if _, err := c.Sessions(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "GET sessions: ") {
		t.Error(err)
	}
}
