package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/testbench/sample"
)

func init() {
	commands["measured"] = func() {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		stop()
		writePeak()
		os.Exit(code)
	}
}

// peakTo is the variable of the environment that names a file, to which "measured" writes its VmHWM.
const peakTo = "COLDFRAME_TEST_PEAK"

// writePeak writes the most resident memory that the process had, in bytes, to the file of peakTo.
func writePeak() {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.ParseInt(kib, 10, 64)
	os.WriteFile(os.Getenv(peakTo), strconv.AppendInt(nil, n<<10, 10), 0o600)
}

// peakOf returns the VmHWM that "measured" wrote to a file.
func peakOf(t *testing.T, file string) int64 {
	t.Helper()
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	most, err := strconv.ParseInt(string(written), 10, 64)
	if err != nil || most == 0 {
		t.Fatalf("%q, %v", written, err)
	}
	return most
}

// TestMockMemory fills the memory of a mock, while clients send bodies with many values. The most resident memory of
// its process is within the formula of docs/mock.md.
func TestMockMemory(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector takes several times the memory")
	}
	const memory, most = 64 << 20, 16 << 20
	peak := filepath.Join(t.TempDir(), "peak")
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	mock := exec.CommandContext(ctx, os.Args[0], "mock", "--port", "0", "--log", "off", "--auth", "off",
		"--memory", "64MiB", "--max-state", "32MiB", "--max-bodies", "16MiB", "--max-body", "8MiB")
	mock.Args[0], mock.Dir = "measured", t.TempDir()
	mock.Env, mock.Stderr = append(os.Environ(), peakTo+"="+peak), os.Stderr
	out, err := mock.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		if _, after, found := strings.Cut(lines.Text(), "base URL: "); found {
			url = after
		}
	}
	go io.Copy(io.Discard, out)
	post := func(body, session string) int {
		r, _ := http.NewRequestWithContext(ctx, "POST", url+"/plants", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Coldframe-Session", session)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	many := `{"id":1,"name":"a","b":[` + strings.Repeat(`{"a":0},`, 900_000) + `0]}`
	large := strings.Repeat("p", 50_000)
	var created, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 2 {
				if status := post(many, "many"); status == http.StatusRequestEntityTooLarge ||
					status == http.StatusServiceUnavailable {
					refused.Add(1)
				}
			}
		})
		all.Go(func() {
			for n := range 600 {
				if post(fmt.Sprintf(`{"id":%d,"name":"%s"}`, n, large), fmt.Sprintf("s%d-%d", i, n%10)) == http.StatusOK {
					created.Add(1)
				}
			}
		})
	}
	all.Wait()
	mock.Process.Signal(syscall.SIGTERM)
	if err := mock.Wait(); err != nil {
		t.Error(err)
	}
	if refused.Load() != 8 || created.Load() < 1600 { // of 80 MB, which is more than --memory
		t.Errorf("%d of 8 bodies with many values were refused, %d of 2,400 items created", refused.Load(), created.Load())
	}
	had, bound := peakOf(t, peak), footprint.Mock(int64(len(coldframe.PlantStore)), memory, most)
	t.Logf("%d of %d MiB", had>>20, bound>>20)
	if had > bound {
		t.Errorf("the process had %d MiB, the formula says %d MiB", had>>20, bound>>20)
	}
}

// manyOperations is a document whose operations return a list or an object of anything.
func manyOperations() []byte {
	var b bytes.Buffer
	b.WriteString("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n")
	for i := range 20 {
		fmt.Fprintf(&b, `  /things%d:
    get: {parameters: [{name: q, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: integer}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 20}, size: {type: integer, minimum: 1}}}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}
`, i)
	}
	return b.Bytes()
}

// hostileAnswers returns responses that would fill the memory of a tester that keeps them. They are made here and not in
// variables, which each process of a script would make.
func hostileAnswers() map[string]http.HandlerFunc {
	packed := bomb() // before a run, whose time it would take
	return map[string]http.HandlerFunc{
		"endless body": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for piece := []byte("[" + strings.Repeat("0,", 32<<10)); r.Context().Err() == nil; piece[0] = ' ' {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
		"gigabyte": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
			for piece := []byte(strings.Repeat(" ", 64<<10)); r.Context().Err() == nil; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
		"small values": sendWhole("[" + strings.Repeat("0,", 5<<20-8) + "0]"),
		"objects":      sendWhole("[" + strings.Repeat("{},", (10<<20)/3-8) + "0]"),
		"items":        sendWhole("[" + strings.Repeat(`{"a":0},`, 250_000) + "0]"), // as many values as are checked
		"compressed": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed)
		},
		"cookies": func(w http.ResponseWriter, r *http.Request) {
			for i := range 5000 {
				w.Header().Add("Set-Cookie", fmt.Sprintf("c%d=%s; Domain=elsewhere.example", i, strings.Repeat("v", 100)))
			}
			w.WriteHeader(http.StatusTeapot)
		},
		"fields": func(w http.ResponseWriter, r *http.Request) {
			for i := range 100 {
				w.Header().Add(fmt.Sprint("X-", i), strings.Repeat("v", 8<<10))
			}
			w.WriteHeader(http.StatusInternalServerError)
		},
		"texts": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, errorsSent.Add(1), strings.Repeat(" of one kind", 80<<10))
		},
		"names": func(w http.ResponseWriter, r *http.Request) { // of unknown properties, each a violation of its own
			w.Header().Set("Content-Type", "application/json")
			n := errorsSent.Add(1)
			fmt.Fprint(w, `{"id": 7`)
			for i := range 20_000 {
				fmt.Fprintf(w, `,"p%d-%d": [%d]`, n, i, i)
			}
			fmt.Fprint(w, "}")
		},
	}
}

var errorsSent atomic.Int64

func sendWhole(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == "POST" {
			w.WriteHeader(http.StatusCreated)
		}
		io.WriteString(w, text)
	}
}

// bomb returns 128 MiB of zeros in a list, compressed: more than is unpacked of a response.
func bomb() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 2 << 10 {
		io.WriteString(w, strings.Repeat("0,", 32<<10))
	}
	w.Close()
	return b.Bytes()
}

// maxReport is the largest report of a run, in bytes, whatever a backend sends.
const maxReport = 8 << 20

// TestHostileMemory tests backends that send more than a tester can keep, each with a process of its own, whose most
// resident memory is within the formula of docs/contract-testing.md. Their reports are bounded, too. Each backend takes 3 s
// of CPU time: the most memory is in use at the end of a run of two seconds.
func TestHostileMemory(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector takes several times the memory")
	}
	document := manyOperations()
	answers := hostileAnswers()
	for i, name := range slices.Sorted(maps.Keys(answers)) {
		if i%sample.Every(5, 1) != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			backend := httptest.NewServer(answers[name])
			defer backend.Close()
			folder := t.TempDir()
			file, peak := filepath.Join(folder, "openapi.yaml"), filepath.Join(folder, "peak")
			if err := os.WriteFile(file, document, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			var reports []string
			for _, format := range []string{"json", "html", "junit", "sarif", "markdown"} {
				reports = append(reports, format+"="+filepath.Join(folder, format))
			}
			test := exec.CommandContext(ctx, os.Args[0], "test", file, backend.URL, "--max-time", "2s", "--quiet",
				"--report", "text,"+strings.Join(reports, ","))
			test.Args[0] = "measured"
			test.Env = append(os.Environ(), peakTo+"="+peak)
			text, err := test.CombinedOutput()
			if _, ended := err.(*exec.ExitError); err != nil && !ended {
				t.Fatal(err)
			}
			most := peakOf(t, peak)
			bound := footprint.Test(int64(len(document)), 8)
			if strings.Contains(string(text), " and 0 requests in ") {
				t.Errorf("nothing was tested:\n%s", text)
			}
			t.Logf("%d of %d MiB; %d bytes of text", most>>20, bound>>20, len(text))
			if most > bound {
				t.Errorf("the process had %d MiB, the formula says %d MiB", most>>20, bound>>20)
			}
			for _, report := range append(reports, "text") {
				_, path, _ := strings.Cut(report, "=")
				size := int64(len(text))
				if info, err := os.Stat(path); err == nil {
					size = info.Size()
				}
				t.Logf("%s: %d KiB", report[:4], size>>10)
				if size > maxReport {
					t.Errorf("the report %s has %d bytes, more than %d", report, size, maxReport)
				}
			}
		})
	}
}
