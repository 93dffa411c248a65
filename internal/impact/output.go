package impact

import (
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
)

// maxOutput limits the end of a suite's output that is kept, in bytes.
const maxOutput = 64 << 10

// Output keeps the end of what a suite prints. It is safe for concurrent use.
type Output struct {
	mu   sync.Mutex
	text []byte
	lost bool // the beginning is not there
}

func (o *Output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, text[max(0, len(text)-maxOutput):]...)
	o.lost = o.lost || len(text) > maxOutput
	if len(o.text) > 2*maxOutput {
		o.text, o.lost = append([]byte(nil), o.text[len(o.text)-maxOutput:]...), true
	}
	return len(text), nil
}

// String returns the end of the output, with a mark if it is not all of it.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.lost && len(o.text) <= maxOutput {
		return string(o.text)
	}
	return "…" + string(o.text[max(0, len(o.text)-maxOutput):])
}

const shownLines = 8 // of the output of a run that fails

// linesOf returns the lines of an output, without what differs between runs: numbers.
func linesOf(output string) map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(output) {
		known[withoutNumbers(line)] = true
	}
	return known
}

// firstOf returns the first lines of an output that known does not have.
func firstOf(output string, known map[string]bool) (lines []string) {
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" && !known[withoutNumbers(line)] {
			if lines = append(lines, line); len(lines) == shownLines {
				break
			}
		}
	}
	return lines
}

func withoutNumbers(line string) string {
	differs := func(r rune) bool { return unicode.IsDigit(r) || unicode.IsSpace(r) }
	return strings.Join(strings.FieldsFunc(line, differs), " ")
}

// newServer returns a server whose connections do not outlive a run.
func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 2 * time.Minute, DisableGeneralOptionsHandler: true,
		ErrorLog: log.New(io.Discard, "", 0), // aborted connections are faults of scenarios
	}
}
