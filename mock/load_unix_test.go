//go:build unix

package mock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/coldframe/coldframe"
)

// TestPipesEnd ends a start that reads data or a scenario from a pipe to which nobody writes, when its context is done.
func TestPipesEnd(t *testing.T) {
	for _, of := range []string{"data", "a scenario"} {
		pipe := filepath.Join(t.TempDir(), "items.yaml")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		o := Options{Text: coldframe.PlantStore, Listen: ListenOptions{NoListener: true}, State: StateOptions{Data: []string{pipe}}}
		if of == "a scenario" {
			o.State.Data, o.Scenarios = nil, []string{pipe}
		}
		ctx, cancel := context.WithCancel(t.Context())
		opened := make(chan *os.File)
		go func() {
			in, err := os.OpenFile(pipe, os.O_WRONLY, 0) // once the mock reads
			if err != nil {
				t.Error(err)
			}
			cancel()
			opened <- in
		}()
		if _, err := New(ctx, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", of, err)
		}
		(<-opened).Close()
	}
}

// TestEndlessData reads no more of a device than a file of data may have.
func TestEndlessData(t *testing.T) {
	_, err := New(t.Context(), Options{Text: coldframe.PlantStore, Listen: ListenOptions{NoListener: true}, State: StateOptions{Data: []string{"/dev/zero"}}})
	if err == nil || !strings.Contains(err.Error(), "/dev/zero is larger than 64 MiB") {
		t.Error(err)
	}
}

// TestDataBudget bounds the values of data by Memory, and what is said of unknown properties.
func TestDataBudget(t *testing.T) {
	wide := func(members int) []Text {
		var b strings.Builder
		b.WriteString(`{"plants": [{"id": 1, "name": "a"`)
		for i := range members {
			b.WriteString(`, "p` + strings.Repeat("x", i%7) + string(rune('0'+i/7%10)) + string(rune('a'+i/70%26)) + string(rune('a'+i/1820%26)) + `": 1`)
		}
		return []Text{{Name: "items.json", Text: []byte(b.String() + "}]}")}}
	}
	_, err := New(t.Context(), Options{Text: coldframe.PlantStore, Listen: ListenOptions{NoListener: true}, Limits: Limits{Memory: 4 << 20}, State: StateOptions{DataTexts: wide(5000)}})
	if err == nil || !strings.Contains(err.Error(), "items.json: the file has about 5005 values, more than the 4096 that may be loaded; raise Options.Limits.Memory") {
		t.Error(err)
	}
	s, err := New(t.Context(), Options{Text: coldframe.PlantStore, Listen: ListenOptions{NoListener: true}, Limits: Limits{Memory: 4 << 20}, State: StateOptions{DataTexts: wide(3000)}})
	if err != nil {
		t.Fatal(err)
	}
	found := s.Info().Findings
	if n := len(found); n != 1000 || found[0].Code != "unknown-property" {
		t.Errorf("%d findings", n)
	}
	more := 0
	for _, f := range found {
		if strings.HasPrefix(f.Message, "more than 999 ") {
			more++
		}
	}
	if more != 1 {
		t.Errorf("%d findings say that there are more", more)
	}
}
