package coverage_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/mock"
)

// TestReports sends the requests of each file in testdata to a mock of its
// openapi.yaml, and compares what is reported then. A request is a line "METHOD
// TARGET", header fields and, after "|", its body; an empty line ends it. A line
// "reload FILE" goes on with another document.
func TestReports(t *testing.T) {
	for _, file := range archives(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := used(t, archive)
			for i, f := range archive.Files {
				form, session, one := strings.Cut(f.Name, " ")
				if form != "text" && form != "lcov" {
					continue
				}
				target := "/__coldframe/coverage?format=" + form
				if one {
					target += "&session=" + session
				}
				got := get(t, s, target)
				if golden.Update() {
					archive.Files[i].Data = got
				} else if string(got) != string(f.Data) {
					t.Errorf("%s: got\n%swant\n%s", f.Name, got, f.Data)
				}
			}
			if golden.Update() {
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// archives returns the files of testdata, however the working folder changes.
func archives(t *testing.T) []string {
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	return files
}

// used starts a mock in an empty folder with the files of an archive, and sends
// its requests.
func used(t *testing.T, archive *txtar.Archive) *mock.Server {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".yaml") {
			if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := mock.New(t.Context(), mock.Options{Document: "openapi.yaml", Listen: mock.ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "requests" })
	for request := range strings.SplitSeq(string(archive.Files[at].Data), "\n\n") {
		if request = strings.TrimSpace(request); request != "" {
			send(t, s, request)
		}
	}
	return s
}

func send(t *testing.T, s *mock.Server, text string) {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n|")
	lines := strings.Split(head, "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	if method == "reload" {
		document, err := os.ReadFile(target)
		if err == nil {
			err = os.WriteFile("openapi.yaml", document, 0o666)
		}
		if err == nil {
			err = s.Reload(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	r, err := http.NewRequest(method, s.URL()+target, strings.NewReader(strings.TrimSpace(body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

func get(t *testing.T, s *mock.Server, target string) []byte {
	t.Helper()
	answer, err := s.Client().Get(s.URL() + target)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer.StatusCode, err, string(text))
	}
	return text
}

// TestTracefile holds tracefiles to geninfo(1): records in their order, lines
// that the files have, sums that are right.
func TestTracefile(t *testing.T) {
	for _, file := range archives(t) {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			checkTrace(t, used(t, archive).Coverage())
		})
	}
}

func checkTrace(t *testing.T, r *coverage.Report) {
	t.Helper()
	order := []string{"TN", "SF", "FN", "FNDA", "FNF", "FNH", "BRDA", "BRF", "BRH", "DA", "LF", "LH", "end_of_record"}
	sums := map[string]int{}
	last, lines, files := -1, 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(r.LCOV(), "\n"), "\n") {
		kind, rest, _ := strings.Cut(line, ":")
		at := slices.Index(order, kind)
		if at < 0 || at < last {
			t.Fatalf("%q does not belong here", line)
		}
		last = at
		fields := strings.SplitN(rest, ",", map[string]int{"FN": 2, "FNDA": 2, "DA": 2, "BRDA": 4}[kind])
		number := func(i int) int {
			n := 0
			for _, c := range fields[i] {
				if c < '0' || c > '9' {
					t.Fatalf("%q has no number at %d", line, i)
				}
				n = 10*n + int(c-'0')
			}
			return n
		}
		onLine := func() {
			if n := number(0); n < 1 || n > lines {
				t.Errorf("%q: the file has %d lines", line, lines)
			}
		}
		switch kind {
		case "SF":
			files++
			text, err := os.ReadFile(rest)
			if err != nil {
				t.Fatal(err)
			}
			lines = 0
			for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
				lines++
			}
		case "FN":
			onLine()
			sums["FNF"]++
		case "FNDA":
			if number(0) > 0 {
				sums["FNH"]++
			}
		case "BRDA":
			onLine()
			sums["BRF"]++
			if fields[3] != "-" && number(3) > 0 {
				sums["BRH"]++
			}
		case "DA":
			onLine()
			sums["LF"]++
			if number(1) > 0 {
				sums["LH"]++
			}
		case "FNF", "FNH", "BRF", "BRH", "LF", "LH":
			fields = []string{rest}
			if number(0) != sums[kind] {
				t.Errorf("%q, counted %d", line, sums[kind])
			}
		case "end_of_record":
			last = -1
			clear(sums)
		}
	}
	if last != -1 || files == 0 {
		t.Errorf("%d files, the end is %d", files, last)
	}
}
