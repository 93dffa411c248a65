package recording_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// Files of testdata hold recordings, each with what is read from it behind it.
// UPDATE_GOLDEN=1 writes that.
func TestRead(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		for i := range archive.Files {
			name, isRecording := strings.CutSuffix(archive.Files[i].Name, ".in")
			if !isRecording {
				continue
			}
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != name+".out" {
				t.Fatalf("%s has no .out", name)
			}
			got := read(string(archive.Files[i].Data))
			if golden.Update() {
				archive.Files[i+1].Data = []byte(got)
			} else if want := string(archive.Files[i+1].Data); got != want {
				t.Errorf("%s: read\n%s\nwant\n%s", name, got, want)
			}
		}
	})
}

// read returns what is read from a recording in lines.
func read(text string) string {
	var b strings.Builder
	for e, err := range recording.Read(strings.NewReader(text)) {
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%d: %s %s%s %s\n", e.Number, e.Request.Method, e.Origin, e.Request.Path, e.Request.Query)
		write(&b, "> ", e.Request.Header, e.Request.Body, e.RequestCut)
		if e.Response != nil {
			fmt.Fprintf(&b, "< %d after %v\n", e.Response.Status, e.Took)
			write(&b, "< ", e.Response.Header, e.Response.Body, e.ResponseCut)
			if e.HeadCut {
				b.WriteString("< fields are not known\n")
			}
		}
		if e.Reason != "" {
			fmt.Fprintf(&b, "not judged: %s\n", e.Reason)
		}
	}
	return b.String()
}

func write(b *strings.Builder, prefix string, h exchange.Header, body []byte, cut bool) {
	for _, f := range h {
		fmt.Fprintf(b, "%s%s: %s\n", prefix, f.Name, f.Value)
	}
	switch {
	case !utf8.Valid(body):
		fmt.Fprintf(b, "%sbase64 %s\n", prefix, base64.StdEncoding.EncodeToString(body))
	case len(body) > 0:
		fmt.Fprintf(b, "%s%s\n", prefix, strings.ReplaceAll(string(body), "\n", "\n"+prefix))
	}
	if cut {
		fmt.Fprintf(b, "%sthe body is not known\n", prefix)
	}
}

func TestReadStops(t *testing.T) {
	n := 0
	for range recording.Read(strings.NewReader(`[{"request":{"method":"GET","path":"/"}},{"request":{"method":"GET","path":"/"}}`)) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("read %d entries, want 1", n)
	}
}

// TestReadLongTexts says that the end of a long text is not held, and that the other entries are read.
func TestReadLongTexts(t *testing.T) {
	const entry = `{"request": {"method": "GET", "url": "http://a/%d", "headers": []}, "response": {"status": 200,
		"headers": [{"name": "Content-Type", "value": "text/plain"}], "content": {"size": 1, "text": "%s", "encoding": "%s"}}}`
	for body, encoding := range map[string]string{
		"x": "", `\"`: "", `\\`: "", `\u00e9`: "", `\ud83c\udf31`: "", "é": "", "bW9z": "base64",
	} {
		for shift := range 6 {
			if encoding != "" {
				shift *= 4
			}
			long := strings.Repeat("A", shift) + strings.Repeat(body, 2500/len(body))
			text := `{"log": {"entries": [` + fmt.Sprintf(entry, 1, "moss", "") + "," + fmt.Sprintf(entry, 2, long, encoding) + "," +
				fmt.Sprintf(entry, 3, "moss", "") + "]}}"
			n := 0
			for e, err := range recording.ReadBounded(strings.NewReader(text), 2000) {
				if n++; err != nil || e.RequestCut != (n == 2) || e.ResponseCut != (n == 2) ||
					n == 2 && len(e.Response.Body) > 1752 || n != 2 && string(e.Response.Body) != "moss" {
					t.Fatalf("%q after %d: entry %d: %v, %v", body, shift, n, e, err)
				}
			}
			if n != 3 {
				t.Errorf("%q after %d: %d entries", body, shift, n)
			}
		}
	}
}

// failing is a reader that fails.
type failing struct{}

var errFailed = errors.New("failed")

func (failing) Read([]byte) (int, error) { return 0, errFailed }

func TestReaderFails(t *testing.T) {
	for _, err := range recording.Read(failing{}) {
		if !errors.Is(err, errFailed) {
			t.Errorf("%v, want %v", err, errFailed)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, recording := range archive.Files {
			if strings.HasSuffix(recording.Name, ".in") {
				f.Add(string(recording.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for e, err := range recording.Read(strings.NewReader(text)) {
			var wrong *recording.EntryError
			switch {
			case err != nil && !errors.As(err, &wrong):
				t.Fatalf("%v is no error of an entry", err)
			case err != nil:
			case e.Request == nil || e.Request.Method == "" || !strings.HasPrefix(e.Request.Path, "/") && e.Reason == "":
				t.Fatalf("%+v has no request", e)
			case (e.Response == nil) != (e.Reason != ""):
				t.Fatalf("%+v has no answer and no reason, or both", e)
			case e.Took < 0:
				t.Fatalf("took %v", e.Took)
			}
		}
	})
}
