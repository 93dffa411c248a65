// Command soak puts a mock under mixed load and says whether its memory levels off:
//
//	go run ./internal/testbench/soak [-document FILE] [-duration 10m] [-memory 512] [-sessions 20] [-hostile 4]
//
// Clients send valid requests of all operations in sessions, with idempotency keys; they save, restore, copy and
// delete sessions and read their state; the document is reloaded; hostile clients announce large bodies that never
// come, and leave before they are answered. It prints the memory of the mock's process and the latency of answers as
// they develop, and fails where the mock ends, where more memory is in use than --memory says, or where the process
// has more than twice what it had at the start, --memory and 256 MiB.
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/client"
)

const (
	requestMiB = 256 // for requests that are being answered, and for the document as it is used
	samples    = 20  // lines that are printed
	clients    = 4
)

// soak is one run.
type soak struct {
	url, host string
	sessions  int
	requests  []*exchange.Request
	client    *http.Client
	sent      atomic.Int64
	errors    atomic.Int64 // answers of 500 and more, and none

	mu    sync.Mutex
	times []time.Duration // of answers since the last sample
	first string          // error
}

func main() {
	document := flag.String("document", "", "OpenAPI document; default the Plant Store")
	duration := flag.Duration("duration", 10*time.Minute, "how long")
	memory := flag.Int("memory", 512, "MiB of --memory")
	sessions := flag.Int("sessions", 20, "that clients use")
	hostile := flag.Int("hostile", 4, "clients that are hostile")
	flag.Parse()
	if err := run(*document, *duration, *memory, *sessions, *hostile); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(document string, duration time.Duration, memory, sessions, hostile int) error {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	text := coldframe.PlantStore
	if document != "" {
		if text, err = os.ReadFile(document); err != nil {
			return err
		}
	}
	name := cmp.Or(strings.TrimPrefix(filepath.Base(document), "."), "openapi.yaml")
	copied := filepath.Join(folder, name) // which reloads may touch
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		return err
	}
	s := &soak{sessions: sessions, client: &http.Client{
		Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 2 * clients},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if err := s.prepare(copied); err != nil {
		return err
	}
	mock, ended, err := s.start(folder, copied, memory)
	if err != nil {
		return err
	}
	defer mock.Process.Kill()
	began := rss(mock.Process.Pid)
	bound := 2*began + memory + requestMiB
	fmt.Printf("%d requests over and over; at the start the mock has %d MiB, the bound is %d MiB\n",
		len(s.requests), began, bound)
	ctx, cancel := context.WithTimeout(context.Background(), duration)
	defer cancel()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { s.load(ctx, rand.New(rand.NewPCG(uint64(i), 1))) })
	}
	for i := range hostile {
		all.Go(func() { s.attack(ctx, i) })
	}
	all.Go(func() { s.reload(ctx, copied, text, duration/samples) })
	most := s.watch(ctx, duration, mock.Process.Pid)
	all.Wait()
	usage, err := client.New(s.url, client.Options{}).Memory(context.Background())
	if err != nil {
		return fmt.Errorf("the mock does not answer any more: %w", err)
	}
	fmt.Printf("%d requests, %d errors (the first: %s); %d of %d MiB in use, dropped: %v\n", s.sent.Load(),
		s.errors.Load(), cmp.Or(s.first, "none"), usage.Used>>20, usage.Limit>>20, usage.Dropped)
	mock.Process.Signal(syscall.SIGTERM)
	switch err := <-ended; {
	case err != nil:
		return fmt.Errorf("the mock ended: %w", err)
	case usage.Used > usage.Limit:
		return fmt.Errorf("%d bytes are in use, the limit is %d", usage.Used, usage.Limit)
	case most > bound:
		return fmt.Errorf("the mock had %d MiB, the bound is %d MiB", most, bound)
	}
	return nil
}

// prepare makes a valid request of each operation for which there is one.
func (s *soak) prepare(document string) error {
	contract, err := spec.Load(context.Background(), document, spec.Options{})
	if err != nil {
		return err
	}
	for _, o := range contract.Operations {
		for i := range uint64(3) {
			r, err := request.New(o, generate.Options{Fill: "all"}).Valid(generate.NewKey(i, "soak", o.ID))
			if err == nil {
				s.requests = append(s.requests, r)
			}
		}
	}
	if len(s.requests) == 0 {
		return fmt.Errorf("%s: no operation has a valid request", document)
	}
	return nil
}

// start builds the command and runs a mock by it. ended gets its end.
func (s *soak) start(folder, document string, memory int) (mock *exec.Cmd, ended chan error, err error) {
	program := filepath.Join(folder, "coldframe")
	build := exec.Command("go", "build", "-o", program, "github.com/coldframe/coldframe/cmd/coldframe")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, nil, err
	}
	mock = exec.Command(program, "--port", "0", "--watch", "--memory", strconv.Itoa(memory)+"MiB", document)
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

// load sends requests, and every so often changes a session.
func (s *soak) load(ctx context.Context, random *rand.Rand) {
	api := client.New(s.url, client.Options{HTTP: s.client})
	for ctx.Err() == nil {
		name := fmt.Sprint("soak-", random.IntN(s.sessions))
		in := api.In(name)
		switch random.IntN(500) {
		case 0:
			in.Snapshot(ctx, fmt.Sprint(random.IntN(3)))
		case 1:
			in.Restore(ctx, fmt.Sprint(random.IntN(3)))
		case 2:
			in.Fork(ctx, name+"-copy")
		case 3:
			in.Delete(ctx)
		case 4:
			in.State(ctx)
		default:
			s.send(ctx, s.requests[random.IntN(len(s.requests))], name, strconv.FormatUint(random.Uint64(), 36))
		}
	}
}

func (s *soak) send(ctx context.Context, r *exchange.Request, session, key string) {
	target := s.url + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	sent, err := http.NewRequestWithContext(ctx, r.Method, target, strings.NewReader(string(r.Body)))
	if err != nil {
		return // not a request of net/http
	}
	for _, f := range r.Header {
		sent.Header.Add(f.Name, f.Value)
	}
	sent.Header.Set("Coldframe-Session", session)
	sent.Header.Set("Idempotency-Key", key)
	began := time.Now()
	answer, err := s.client.Do(sent)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.fail(err.Error())
		return
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	s.sent.Add(1)
	if answer.StatusCode >= 500 {
		s.fail(fmt.Sprint(r.Method, " ", r.Path, ": ", answer.StatusCode))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = append(s.times, time.Since(began))
}

// attack announces what it does not send, and leaves before it is answered.
func (s *soak) attack(ctx context.Context, kind int) {
	heads := []string{
		"POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10485760\r\n\r\n{",
		"POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
		"GET /__coldframe/state HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /plants HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\nx",
	}
	var open []net.Conn
	for ctx.Err() == nil {
		if conn, err := net.DialTimeout("tcp", s.host, time.Second); err == nil {
			io.WriteString(conn, heads[kind%len(heads)])
			open = append(open, conn)
		}
		if len(open) > 20 {
			open[0].Close()
			open = open[1:]
		}
		pause(ctx, 10*time.Millisecond)
	}
	for _, conn := range open {
		conn.Close()
	}
}

// reload writes the document again, which the mock watches.
func (s *soak) reload(ctx context.Context, document string, text []byte, every time.Duration) {
	for pause(ctx, every) {
		os.WriteFile(document, text, 0o600)
	}
}

// watch prints how the mock fares, and gives the most MiB that it had.
func (s *soak) watch(ctx context.Context, duration time.Duration, pid int) (most int) {
	fmt.Println("   time  MiB  requests    p50     p99   p99.9  errors")
	began := time.Now()
	for open := true; open; {
		open = pause(ctx, duration/samples)
		now := rss(pid)
		most = max(most, now)
		s.mu.Lock()
		times := s.times
		s.times = nil
		s.mu.Unlock()
		slices.Sort(times)
		at := func(share float64) time.Duration {
			if len(times) == 0 {
				return 0
			}
			return times[int(share*float64(len(times)-1))].Round(10 * time.Microsecond)
		}
		fmt.Printf("%7s %4d %9d %6s %7s %7s %7d\n", time.Since(began).Round(100*time.Millisecond), now, len(times),
			at(.5), at(.99), at(.999), s.errors.Load())
	}
	return most
}

// pause passes time, or reports false where the run is over.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// rss gives the MiB of a process that are in memory, 0 where the system does not say.
func rss(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.Atoi(kib)
	return n >> 10
}
