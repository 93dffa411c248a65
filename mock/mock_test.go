package mock

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestExchanges runs testdata/*.txtar and testdata/state/*.txtar: a document (openapi.yaml; the Plant
// Store if there is none), scenarios (scenarios/*.yaml), options, fields that
// every request gets which does not have them (fields), and requests with
// their answers.
//
// A request is a request line, fields and a body. Host and Content-Length are
// added; "-Name" leaves a field of fields out; ${3*ab} stands for ababab and
// ${hex ff} for a byte. "&" at the start of a body's line joins it to the line
// before, for text that must not end in a line break.
//
// In both, ${NAME at /pointer} is a string or number in the body of the answer
// called NAME, and ${NAME field F} what its field F says.
//
// An answer is a status, the fields that it must have ("-Name": must not have)
// and the exact body, of a binary file what it seems to be. "(conforms)" is any body that the document allows, "(same
// as: NAME)" is the body of another answer, "(not: NAME)" any other body. Every answer is compared with the document,
// except one with "violates" behind its status. In place of a status stands what happens to the connection: reset, truncated
// or silence.
//
// A file named upstream is the data of another server of the same document, which a proxy forwards to. Requests whose
// name begins with "upstream " are for that server.
//
// A file named log is the whole log, with TIME for how long requests took.
//
// UPDATE_GOLDEN=1 rewrites the answers; the choice of fields stays.
func TestExchanges(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", runArchive)
	golden.Cases(t, "testdata/state/*.txtar", runArchive)
	golden.Cases(t, "testdata/mixed/*.txtar", runArchive)
}

func runArchive(t *testing.T, archive *txtar.Archive) {
	t.Parallel()
	c := &caseClient{t: t, log: &lineLog{}, dir: t.TempDir(), bodies: map[string]string{}, headers: map[string]http.Header{}}
	o := Options{
		Log: LogOptions{To: c.log}, Now: "session",
		Listen: ListenOptions{AllowedHosts: []string{"*.test"}}, // which cases name
	}
	var written []txtar.File
	var upstream *Text
	var err error
	for _, f := range archive.Files {
		switch kind := filepath.Ext(f.Name); {
		case f.Name == "openapi.yaml":
			o.Document, o.Text = f.Name, f.Data
		case strings.HasPrefix(f.Name, "scenarios/"):
			path := filepath.Join(c.dir, filepath.Base(f.Name))
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			o.Scenarios = append(o.Scenarios, path)
		case f.Name == "values.yaml": // as in coldframe.yaml
			if o.Values.Overrides, err = ReadValueOverrides(f.Name, f.Data); err != nil {
				t.Fatal(err)
			}
		case f.Name == "options":
			setOptions(t, &o, string(f.Data))
		case f.Name == "upstream":
			upstream = &Text{f.Name, f.Data}
		case f.Name == "fields":
			c.fields = strings.TrimSpace(string(f.Data))
		case kind != ".request" && kind != ".answer" && f.Name != "log":
			t.Fatalf("%s is no part of a case", f.Name)
		}
	}
	if upstream != nil {
		behind := Options{
			Document: o.Document, Text: o.Text, State: StateOptions{UnknownItems: "refuse", DataTexts: []Text{*upstream}},
			Listen: o.Listen, Now: "session",
		}
		c.upstream = start(t, behind)
		o.Proxy.Upstream = c.upstream.URL()
	}
	c.server = start(t, o)
	for i, f := range archive.Files {
		name, isRequest := strings.CutSuffix(f.Name, ".request")
		if !isRequest {
			if filepath.Ext(f.Name) != ".answer" {
				written = append(written, f)
			}
			continue
		}
		want := ""
		if i+1 < len(archive.Files) && archive.Files[i+1].Name == name+".answer" {
			want = string(archive.Files[i+1].Data)
		} else if !golden.Update() {
			t.Fatalf("%s has no answer", f.Name)
		}
		t.Run(name, func(t *testing.T) {
			c.t, c.name = t, name
			got := c.exchange(c.known(string(f.Data)), want)
			if known := c.known(want); got == known {
				got = want
			} else if !golden.Update() {
				t.Errorf("got:\n%s\nwant:\n%s", got, known)
			}
			written = append(written, f, txtar.File{Name: name + ".answer", Data: []byte(got)})
		})
	}
	for i, f := range written {
		if f.Name != "log" {
			continue
		}
		got := strings.ReplaceAll(took.ReplaceAllString(clocks.ReplaceAllString(c.log.String(), ""), " TIME"), c.dir+"/", "")
		if want := string(f.Data); got != want && !golden.Update() {
			t.Errorf("log:\n%s\nwant:\n%s", got, want)
		}
		written[i].Data = []byte(got)
	}
	archive.Files = written
}

var took = regexp.MustCompile(`(?m) [0-9.]+(ns|µs|ms|s)\b`)

// clocks are the times that the records of a log begin with.
var clocks = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d\.\d{3} `)

// setOptions reads lines such as "validate: warn".
func setOptions(t *testing.T, o *Options, text string) {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		number, _ := strconv.Atoi(value)
		switch name {
		case "validate":
			o.Validate = value
		case "auth":
			o.Auth.Mode = value
		case "mutual-tls":
			o.Auth.MutualTLS = value
		case "token-ttl":
			o.Auth.TokenTTL, _ = time.ParseDuration(value)
		case "trust-proxy":
			o.Listen.TrustProxy = value == "true"
		case "undeclared":
			o.Undeclared = value
		case "callbacks":
			o.Callbacks = value
		case "examples":
			o.Values.Examples = value
		case "strict-responses":
			o.Values.StrictResponses = value == "true"
		case "image-urls":
			o.Values.ImageURLs = value
		case "fill":
			o.Values.Fill = value
		case "locale":
			o.Values.Locale = value
		case "cors":
			o.Listen.CORS = value
		case "dynamic":
			o.Values.Dynamic = value == "true"
		case "seed":
			o.Values.Seed = uint64(number)
		case "control":
			o.Control.Mode = value
		case "control-token":
			o.Control.Token = value
		case "journal":
			o.Control.Journal = number
		case "clock": // stands still
			at, err := time.Parse(time.RFC3339, value)
			if err != nil {
				t.Fatal(err)
			}
			o.Clock = func() time.Time { return at }
		case "now":
			o.Now = value
		case "stateless":
			o.State.Stateless = value == "true"
		case "unknown-items":
			o.State.UnknownItems = value
		case "seed-items":
			o.State.SeedItems = number
		case "max-body":
			o.Limits.MaxBody = number
		case "max-items":
			o.Limits.MaxItems = number
		case "mock":
			o.Proxy.Mock = strings.Split(value, ", ")
		case "forward":
			o.Proxy.Forward = strings.Split(value, ", ")
		case "scenario":
			o.Scenarios = append(o.Scenarios, value)
		default:
			t.Fatalf("option %q", name)
		}
	}
}

// start runs a server until the test ends.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context()) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}
