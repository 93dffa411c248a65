package mock

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestJSONLog checks that the other form of the log is JSON lines without
// credentials.
func TestJSONLog(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Log: LogOptions{Format: "json", To: log}})
	post(t, http.DefaultClient, s.URL(), rose)
	post(t, http.DefaultClient, s.URL(), `{"id":1}`)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || strings.Contains(log.String(), "token") {
		t.Fatal(log)
	}
	for i, status := range []string{"200", "400"} {
		value, err := jsontext.Decode(lines[i])
		line, _ := value.(map[string]any)
		if err != nil || line["status"] != any(json.Number(status)) || line["target"] != "/plants" || (line["findings"] != nil) != (i == 1) {
			t.Error(lines[i], err)
		}
	}
}

// TestWarnings checks that warnings are logged.
func TestWarnings(t *testing.T) {
	t.Parallel()
	rules := write(t, "rules.yaml", "rules: [ { on: POST /plants, delay: 1ms }, { on: POST /plants, delay: 2ms } ]")
	s := start(t, Options{Scenarios: []string{rules}})
	if findings := s.Info().Findings; len(findings) != 1 || !strings.Contains(findings[0].Message, "never applies") {
		t.Error(findings)
	}
}

// TestInfo holds what is said at start.
func TestInfo(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Scenarios: []string{"../examples/plant-store/scenarios"}})
	info := s.Info()
	if info.Title != "OpenAPI Plant Store" || info.Version != "1.0.0" || len(info.Operations) != 1 || len(info.Findings) != 0 ||
		strings.Join(info.Scenarios, " ") != "flaky force-400 slow sold-out" {
		t.Errorf("%+v", info)
	}
	if line := info.Operations[0].Curl(s.URL()); !strings.Contains(line, s.URL()+"/plants") || !strings.Contains(line, "Bearer") {
		t.Error(line)
	}
	if !bytes.Contains(coldframe.PlantStore, []byte(info.Title)) {
		t.Error("the built-in document is another one")
	}
}
