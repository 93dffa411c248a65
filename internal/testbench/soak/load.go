package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
)

// load sends requests, and every so often changes a session.
func (s *soak) load(ctx context.Context, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
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
	response, err := s.client.Do(sent)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.fail(err.Error())
		return
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	s.sent.Add(1)
	if response.StatusCode >= 500 {
		s.fail(fmt.Sprint(r.Method, " ", r.Path, ": ", response.StatusCode))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = append(s.times, time.Since(began))
}

// watch prints how the mock fares.
func (s *soak) watch(ctx context.Context, pid int) {
	fmt.Println("   time  MiB  requests    p50     p99   p99.9  errors oversold")
	began := time.Now()
	for open := true; open; {
		open = pause(ctx, s.duration/samples)
		now := memoryOf(pid, "VmRSS")
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
		fmt.Printf("%7s %4d %9d %6s %7s %7s %7d %8d\n", time.Since(began).Round(100*time.Millisecond), now, len(times),
			at(.5), at(.99), at(.999), s.errors.Load(), s.oversold.Load())
	}
}

// memoryOf returns the MiB that a field of a process's status says, 0 if the system has none.
func memoryOf(pid int, field string) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(text), field+":")
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.Atoi(kib)
	return n >> 10
}
