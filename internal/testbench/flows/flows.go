// Package flows runs client flows against a mock: sequences of requests with what a client expects of each response.
//
// A folder has documents in docs, and in flows and the folders below it YAML files of flows:
//
//	document: shop.yaml                    # in docs
//	headers: {Authorization: Bearer token} # of every request
//	flows:
//	- flow: a basket is paid               # the name
//	  kind: action
//	  steps:
//	  - req: POST /baskets
//	    body: {currency: EUR}              # or multipart, form, raw; type is the media type
//	    save: basket=body.id; tag=header.ETag
//	    expect:
//	    - status == 201 -- the reason, for people
//	  - req: GET /baskets/${basket}
//	    expect:
//	    - body.lines[*].price each > 0
//
// Each flow has a session of its own. ${run} is a text that is the same in each run. Expectation documents the left and
// the right side of an expectation.
package flows

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// File is the flows of one document.
type File struct {
	Document string            // the path of the document's file
	Headers  map[string]string // of every request; a step may override them
	Accept   string            // default application/json
	Type     string            // the media type of JSON bodies; default application/json
	Flows    []Flow
}

// Flow is a sequence of requests in a session of its own.
type Flow struct {
	Name  string `yaml:"flow"`
	Kind  string
	Steps []Step
}

// Step is a request and what is expected of its response. At most one of Body, Multipart, Form and Raw is set.
type Step struct {
	Request   string             `yaml:"req"` // METHOD target
	Headers   map[string]*string // null removes a header of the file
	Accept    string
	Type      string
	Body      yaml.Node
	Multipart yaml.Node // a mapping of texts, of JSON values and of {name, type, content or base64} for files
	Form      map[string]string
	Raw       *string
	Stream    bool   // the response does not end: its beginning is read
	Save      string // name=PATH; …
	Expect    []string
}

// Result is one expectation and whether it holds.
type Result struct {
	Flow, Kind, Request, Expected string
	Held                          bool
	Got                           string // if it does not hold
}

// Load reads all files of flows in a folder.
func Load(folder string) (files []*File, err error) {
	err = filepath.WalkDir(filepath.Join(folder, "flows"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" {
			return err
		}
		f, err := load(name)
		if err == nil {
			f.Document = filepath.Join(folder, "docs", f.Document)
			files = append(files, f)
		}
		return err
	})
	return files, err
}

func load(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := &File{Accept: "application/json", Type: "application/json"}
	if err := yaml.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Run sends the requests of a flow. It fails if an expectation cannot be read.
func (f *File) Run(ctx context.Context, mock http.RoundTripper, flow *Flow) ([]Result, error) {
	r := &run{
		file: f, flow: flow, mock: mock, session: fmt.Sprintf("flow-%d", slices.IndexFunc(f.Flows, func(other Flow) bool {
			return other.Name == flow.Name
		})),
		saved: map[string]any{"run": fmt.Sprintf("%06x", crc32.ChecksumIEEE([]byte(flow.Name))&0xffffff)},
	}
	for i := range flow.Steps {
		if err := r.step(ctx, &flow.Steps[i]); err != nil {
			return nil, fmt.Errorf("flow %q, step %d: %w", flow.Name, i+1, err)
		}
	}
	return r.results, nil
}

type run struct {
	file    *File
	flow    *Flow
	mock    http.RoundTripper
	session string
	saved   map[string]any
	results []Result
}

// step sends a request. If it needs a value that no response had, none of its expectations holds.
func (r *run) step(ctx context.Context, s *Step) error {
	target, missing := fill(s.Request, r.saved)
	answer := &response{}
	if missing == nil {
		request, err := r.request(ctx, s, target)
		if err == nil {
			answer, err = r.send(request, s.Stream)
		}
		if err != nil {
			if missing, _ = err.(*missingError); missing == nil {
				return err
			}
		}
	}
	for pair := range strings.SplitSeq(s.Save, ";") {
		name, path, found := strings.Cut(strings.TrimSpace(pair), "=")
		if !found {
			continue
		}
		delete(r.saved, name)
		if value, ok, err := answer.at(path, r.saved); err == nil && ok && missing == nil {
			r.saved[name] = value
		}
	}
	for _, text := range s.Expect {
		e, err := parse(text)
		if err != nil {
			return err
		}
		result := Result{Flow: r.flow.Name, Kind: r.flow.Kind, Request: s.Request, Expected: text}
		if missing != nil {
			result.Got = missing.Error()
		} else {
			result.Held, result.Got = e.holds(answer, r.saved)
		}
		r.results = append(r.results, result)
	}
	return nil
}

func (r *run) request(ctx context.Context, s *Step, target string) (*http.Request, error) {
	method, at, _ := strings.Cut(target, " ")
	location, err := url.Parse(strings.ReplaceAll(at, " ", "%20"))
	if err != nil {
		return nil, err
	}
	location.Scheme, location.Host = "http", "localhost" // an absolute link leads to the mock as well
	body, mediaType, err := r.body(s)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, location.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	fields := map[string]string{"Accept": r.file.Accept}
	if s.Accept != "" {
		fields["Accept"] = s.Accept
	}
	maps.Copy(fields, r.file.Headers)
	if body != nil {
		fields["Content-Type"] = mediaType
	}
	for name, value := range s.Headers {
		if delete(fields, name); value != nil {
			fields[name] = *value
		}
	}
	for name, value := range fields {
		text, missing := fill(value, r.saved)
		if missing != nil {
			return nil, missing
		}
		request.Header.Set(name, text)
	}
	request.Header.Set("Coldframe-Session", r.session)
	return request, nil
}

// body returns the body of a request, nil if none, and its media type.
func (r *run) body(s *Step) ([]byte, string, error) {
	as := func(mediaType string) string {
		if s.Type != "" {
			return s.Type
		}
		return mediaType
	}
	switch {
	case !s.Body.IsZero():
		value, missing := filled(plain(&s.Body), r.saved)
		if missing != nil {
			return nil, "", missing
		}
		text, err := json.Marshal(value)
		return text, as(r.file.Type), err
	case s.Form != nil:
		values := url.Values{}
		for name, value := range s.Form {
			text, missing := fill(value, r.saved)
			if missing != nil {
				return nil, "", missing
			}
			values.Set(name, text)
		}
		return []byte(values.Encode()), "application/x-www-form-urlencoded", nil
	case s.Raw != nil:
		text, missing := fill(*s.Raw, r.saved)
		if missing != nil {
			return nil, "", missing
		}
		return []byte(text), as("text/plain"), nil
	case !s.Multipart.IsZero():
		return r.parts(plain(&s.Multipart))
	}
	return nil, "", nil
}

func (r *run) parts(value any) ([]byte, string, error) {
	value, missing := filled(value, r.saved)
	if missing != nil {
		return nil, "", missing
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	parts, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		head := textproto.MIMEHeader{}
		disposition := map[string]string{"name": name}
		content := text(parts[name])
		if file, ok := parts[name].(map[string]any); ok {
			content, disposition["filename"] = text(file["content"]), text(file["name"])
			if packed, ok := file["base64"].(string); ok {
				raw, err := base64.StdEncoding.DecodeString(packed)
				if err != nil {
					return nil, "", err
				}
				content = string(raw)
			}
			head.Set("Content-Type", text(file["type"]))
		}
		field := fmt.Sprintf("form-data; name=%q", disposition["name"])
		if file, ok := disposition["filename"]; ok {
			field += fmt.Sprintf("; filename=%q", file)
		}
		head.Set("Content-Disposition", field)
		part, err := w.CreatePart(head)
		if err != nil {
			return nil, "", err
		}
		io.WriteString(part, content)
	}
	err := w.Close()
	return b.Bytes(), w.FormDataContentType(), err
}

// response is what expectations check.
type response struct {
	status int
	header http.Header
	text   []byte
	json   any  // nil if the body is not JSON
	isJSON bool // the body is
	forced bool // the request asks for this response
}

const (
	streamStart = 64 << 10         // bytes of a stream that are read at most
	streamWait  = 10 * time.Second // for its first event at most
)

func (r *run) send(request *http.Request, stream bool) (*response, error) {
	got, err := r.mock.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	a := &response{status: got.StatusCode, header: got.Header, forced: request.Header.Get("Prefer") != ""}
	if stream {
		end := time.AfterFunc(streamWait, func() { got.Body.Close() })
		defer end.Stop()
		a.text = readEvent(got.Body)
		return a, nil
	}
	if a.text, err = io.ReadAll(got.Body); err != nil {
		return nil, err
	}
	a.json, a.isJSON = decode(a.text)
	return a, nil
}

// readEvent reads a stream up to the end of its first event that has data.
func readEvent(stream io.Reader) []byte {
	var text []byte
	for line := range linesOf(stream) {
		text = append(text, line...)
		if strings.TrimRight(line, "\r\n") == "" && bytes.Contains(text, []byte("data:")) || len(text) > streamStart {
			break
		}
	}
	return text
}

func linesOf(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for lines := bufio.NewReader(r); ; {
			line, err := lines.ReadString('\n')
			if line != "" && !yield(line) || err != nil {
				return
			}
		}
	}
}

func decode(text []byte) (value any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil, false
	}
	_, err := d.Token()
	return value, err == io.EOF
}

// missingError says that no response had a value to save.
type missingError struct{ name string }

func (e *missingError) Error() string { return "no value was saved as " + e.name }

var variable = regexp.MustCompile(`\$\{(\w+)\}`)

// fill replaces each ${name} in a text.
func fill(s string, saved map[string]any) (string, *missingError) {
	var missing *missingError
	s = variable.ReplaceAllStringFunc(s, func(match string) string {
		name := match[2 : len(match)-1]
		value, ok := saved[name]
		if !ok {
			missing = &missingError{name}
		}
		return text(value)
	})
	return s, missing
}

// filled replaces each ${name} in the texts of a value. A text that is nothing but a variable becomes its value.
func filled(value any, saved map[string]any) (any, *missingError) {
	var missing *missingError
	var visit func(any) any
	visit = func(value any) any {
		switch value := value.(type) {
		case map[string]any:
			all := make(map[string]any, len(value))
			for name, member := range value {
				all[name] = visit(member)
			}
			return all
		case []any:
			all := make([]any, len(value))
			for i, item := range value {
				all[i] = visit(item)
			}
			return all
		case string:
			if m := variable.FindString(value); m == value && m != "" {
				if found, ok := saved[m[2:len(m)-1]]; ok {
					return found
				}
			}
			s, lacks := fill(value, saved)
			if lacks != nil {
				missing = lacks
			}
			return s
		}
		return value
	}
	return visit(value), missing
}

// text returns a text unchanged, and other values as JSON.
func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	b, _ := json.Marshal(value)
	return string(b)
}

// plain returns a YAML value as JSON's kinds. Times stay texts.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		all := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			all[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return all
	case yaml.SequenceNode:
		all := make([]any, len(n.Content))
		for i, item := range n.Content {
			all[i] = plain(item)
		}
		return all
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		if value, ok := decode([]byte(n.Value)); ok {
			return value
		}
	}
	return n.Value
}
