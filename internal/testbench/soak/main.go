// Command soak puts a mock under mixed and hostile load, and ends with 1 unless its memory stays within the formula of
// docs/mock.md, no request fails, and no limited item is sold twice:
//
//	COLDFRAME_CORPUS=FOLDER go run ./internal/testbench/soak [-document FILE] [-duration 10m] [-memory 512]
//		[-sessions 20] [-hostile 1] [-every 10s]
//
// The document is github.json of the corpus, or the Plant Store where COLDFRAME_CORPUS is not set. Clients send valid
// requests of all operations in sessions, with idempotency keys; they save, restore, copy and delete sessions and read
// their state. Buyers compete for items that a scenario sells once. The document is reloaded with another comment.
// Hostile clients send slowly, by halves, garbage, large fields, large and deep bodies, and leave. It prints the memory
// of the mock's process and the latency of responses as they develop.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/client"
)

const (
	samples   = 20 // lines that are printed
	clients   = 4
	maxBodies = 64 << 20 // --max-bodies, by default
)

// options are the flags.
type options struct {
	document                  string
	duration, every           time.Duration
	memory, sessions, hostile int
}

// soak is one run.
type soak struct {
	options
	url, host string
	requests  []*exchange.Request
	targets   []string // request lines of operations with a JSON body, for hostile clients
	shop      string   // a path whose GET the scenario answers
	size      int64    // of the document, in bytes
	client    *http.Client
	sent      atomic.Int64
	attacks   atomic.Int64
	rounds    atomic.Int64 // of limited items
	oversold  atomic.Int64 // items that were sold more than once
	unsold    atomic.Int64 // items that were sold to nobody
	reloads   atomic.Int64
	errors    atomic.Int64 // responses of 500 and more, and requests without a response

	mu    sync.Mutex
	times []time.Duration // of responses since the last sample
	first string          // error
}

func main() {
	var o options
	corpus := ""
	if folder := os.Getenv("COLDFRAME_CORPUS"); folder != "" {
		corpus = filepath.Join(folder, "github.json")
	}
	flag.StringVar(&o.document, "document", corpus, "OpenAPI document; \"\" for the Plant Store")
	flag.DurationVar(&o.duration, "duration", 10*time.Minute, "how long")
	flag.DurationVar(&o.every, "every", 10*time.Second, "how often the document is reloaded")
	flag.IntVar(&o.memory, "memory", 512, "MiB of --memory")
	flag.IntVar(&o.sessions, "sessions", 20, "that clients use")
	flag.IntVar(&o.hostile, "hostile", 1, "clients of each hostile kind")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	text := coldframe.PlantStore
	if o.document != "" {
		if text, err = os.ReadFile(o.document); err != nil {
			return err
		}
	}
	name := cmp.Or(strings.TrimPrefix(filepath.Base(o.document), "."), "openapi.yaml")
	copied := filepath.Join(folder, name) // which reloads write
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		return err
	}
	s := &soak{options: o, client: &http.Client{
		Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4 * clients},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if err := s.prepare(copied); err != nil {
		return err
	}
	mock, ended, err := s.start(folder, copied)
	if err != nil {
		return err
	}
	defer mock.Process.Kill()
	bound := footprint.Mock(s.size, int64(o.memory)<<20, maxBodies)
	fmt.Printf("%d requests of a document of %d KiB over and over; at the start %d MiB, the formula says %d MiB\n",
		len(s.requests), s.size>>10, memoryOf(mock.Process.Pid, "VmRSS"), bound>>20)
	ctx, cancel := context.WithTimeout(context.Background(), o.duration)
	defer cancel()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { s.load(ctx, uint64(i)) })
	}
	for range o.hostile {
		for _, attack := range attacks {
			all.Go(func() { s.attack(ctx, attack) })
		}
	}
	all.Go(func() { s.sell(ctx) })
	all.Go(func() { s.reload(ctx, copied, text) })
	s.watch(ctx, mock.Process.Pid)
	all.Wait()
	usage, err := client.New(s.url, client.Options{}).Memory(context.Background())
	if err != nil {
		return fmt.Errorf("the mock does not answer any more: %w", err)
	}
	peak := memoryOf(mock.Process.Pid, "VmHWM")
	fmt.Printf("%d requests, %d attacks, %d reloads; %d of %d MiB in use, dropped: %v\n", s.sent.Load(), s.attacks.Load(),
		s.reloads.Load(), usage.Used>>20, usage.Limit>>20, usage.Dropped)
	fmt.Printf("errors: %d (the first: %s)\n", s.errors.Load(), cmp.Or(s.first, "none"))
	fmt.Printf("oversold: %d of %d limited items, %d sold to nobody\n", s.oversold.Load(), s.rounds.Load(),
		s.unsold.Load())
	fmt.Printf("resident: %d MiB at most, the formula says %d MiB\n", peak, bound>>20)
	mock.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err != nil {
		return fmt.Errorf("the mock ended: %w", err)
	}
	var broken []error
	unless := func(holds bool, format string, args ...any) {
		if !holds {
			broken = append(broken, fmt.Errorf(format, args...))
		}
	}
	unless(usage.Used <= usage.Limit, "%d bytes are in use, the limit is %d", usage.Used, usage.Limit)
	unless(int64(peak) <= bound>>20, "the mock had %d MiB, the formula says %d MiB", peak, bound>>20)
	unless(s.errors.Load() == 0, "%d requests failed", s.errors.Load())
	unless(s.oversold.Load()+s.unsold.Load() == 0, "%d limited items were oversold, %d sold to nobody", s.oversold.Load(),
		s.unsold.Load())
	unless(s.rounds.Load() > 0, "no limited item was offered")
	return errors.Join(broken...)
}

// prepare makes a valid request of each operation for which there is one.
func (s *soak) prepare(document string) error {
	contract, err := spec.Load(context.Background(), document, spec.Options{})
	if err != nil {
		return err
	}
	s.size = contract.Size
	for _, o := range contract.Operations {
		for i := range uint64(3) {
			r, err := request.New(o, generate.Options{Fill: "all"}).Valid(generate.NewKey(i, "soak", o.ID))
			if err != nil {
				continue
			}
			s.requests = append(s.requests, r)
			if i == 0 && o.Body != nil && json.Valid(r.Body) {
				s.targets = append(s.targets, r.Method+" "+r.Path+" HTTP/1.1\r\nHost: localhost\r\n")
			}
			if s.shop == "" && o.Method == "GET" && !strings.Contains(o.Path, "{") {
				s.shop = o.Path
			}
		}
	}
	if len(s.requests) == 0 || s.shop == "" || len(s.targets) == 0 {
		return fmt.Errorf("%s: no operation has a valid request, or none is a GET without variables, or none has a body",
			document)
	}
	return nil
}

// start builds the command and runs a mock by it. ended gets its end.
func (s *soak) start(folder, document string) (mock *exec.Cmd, ended chan error, err error) {
	scenario := filepath.Join(folder, "limited.yaml")
	if err := os.WriteFile(scenario, []byte(s.limited()), 0o600); err != nil {
		return nil, nil, err
	}
	program := filepath.Join(folder, "coldframe")
	build := exec.Command("go", "build", "-o", program, "github.com/coldframe/coldframe/cmd/coldframe")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, nil, err
	}
	mock = exec.Command(program, "--port", "0", "--watch", "--memory", strconv.Itoa(s.memory)+"MiB",
		"--max-bodies", strconv.Itoa(maxBodies>>20)+"MiB", "--read-timeout", "5s", "--scenario", scenario, document)
	mock.Stderr = os.Stderr
	out, err := mock.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := mock.Start(); err != nil {
		return nil, nil, err
	}
	lines, address := bufio.NewReader(out), regexp.MustCompile(`http://[0-9.]+:[0-9]+`)
	for s.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, nil, fmt.Errorf("the mock does not start: %w", err)
		}
		s.url = address.FindString(line)
	}
	s.host = strings.TrimPrefix(s.url, "http://")
	ended = make(chan error, 1)
	go func() {
		io.Copy(io.Discard, lines)
		ended <- mock.Wait()
	}()
	return mock, ended, nil
}

func (s *soak) fail(what string) {
	s.errors.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first = cmp.Or(s.first, what)
}

// reload writes the document with another comment, or with other white space, which the mock watches.
func (s *soak) reload(ctx context.Context, document string, text []byte) {
	for n := 1; pause(ctx, s.every); n++ {
		changed := append(bytes.TrimRight(text, "\n"), strings.Repeat("\n", 1+n%2)...)
		if ext := filepath.Ext(document); ext == ".yaml" || ext == ".yml" {
			changed = fmt.Appendf(changed, "# comment %d\n", n)
		}
		if err := os.WriteFile(document, changed, 0o600); err != nil {
			s.fail(err.Error())
		}
		s.reloads.Add(1)
	}
}

// pause passes time, or reports false if the run is over.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
