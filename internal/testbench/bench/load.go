package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// figure is a median, and the median of ratios to the constant answer's of the same round.
type figure struct{ value, ratio float64 }

// result is what a server shows with a row.
type result struct {
	document, row, server string
	title                 string  // of the row in tables
	bytes                 int     // of the answer
	cpu                   figure  // µs a request
	rate                  figure  // requests a second
	p99                   figure  // ms
	peak                  float64 // MiB, at the end of the document
}

// sample is what a server shows in a round.
type sample struct{ cpu, rate, p99 float64 }

// load measures the rows of a document.
func load(o *options, p *programs, d *document) ([]result, error) {
	file, err := d.write(o.work)
	if err != nil {
		return nil, err
	}
	var running []*process
	defer func() {
		for _, s := range running {
			s.end()
		}
	}()
	bodies := map[string][]byte{}
	for _, s := range order() {
		if s.name != base && s.name != "coldframe" && !p.wanted(o, s.name, d.servers) {
			continue
		}
		var flags []string
		if strings.Contains(s.args(p, file, "")[0], "coldframe") {
			flags = d.flags
		}
		began := time.Now()
		at, err := s.start(p, file, flags...)
		if err != nil {
			return nil, err
		}
		running = append(running, at)
		if s.name == base {
			p.upstream = "http://" + at.address
		}
		fmt.Printf("%s: %s accepts connections after %v\n", d.name, s.name, time.Since(began).Round(time.Millisecond))
		if err := begin(o, d, at, bodies); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(running, func(a, b *process) int { // as in the table of servers
		return slices.Index(serverNames(), a.name) - slices.Index(serverNames(), b.name)
	})
	var all []result
	for _, r := range d.rows {
		more, err := measure(o, d, r, running, bodies)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
		if p.pprof != "" {
			if err := profile(o, p, r, running); err != nil {
				return nil, err
			}
		}
	}
	for i := range all {
		for _, s := range running {
			if s.name != all[i].server {
				continue
			}
			used, err := s.memory()
			if err != nil {
				return nil, err
			}
			all[i].peak = used.peak
		}
	}
	return all, nil
}

// order returns the servers with coldframe first: the constant ones send its answers.
func order() []server {
	i := slices.IndexFunc(servers, func(s server) bool { return s.name == "coldframe" })
	return append([]server{servers[i]}, slices.Delete(slices.Clone(servers), i, i+1)...)
}

// begin creates what a document's rows ask for, and writes the constant answers when coldframe's are known.
func begin(o *options, d *document, at *process, bodies map[string][]byte) error {
	if d.keeps > 0 && at.name == "coldframe" {
		before, _ := at.memory()
		each, err := keep(at, d.keeps)
		if err != nil {
			return err
		}
		after, _ := at.memory()
		fmt.Printf("%s: created in %v each; resident %.0f MiB, %.0f before\n", d.name, each, after.now, before.now)
	}
	for _, r := range d.rows {
		for i := 0; i < 30 && r.before != nil && at.name != base && at.name != "fiber"; i++ {
			if status, body, err := ask(at.address, *r.before); err != nil || status != r.before.status {
				return fmt.Errorf("%s answers %d: %.300s %w", at.name, status, body, err)
			}
		}
		if at.name != "coldframe" {
			continue
		}
		var err error
		if bodies[r.name], err = checked(at, r, nil); err != nil {
			return err
		}
	}
	if at.name != "coldframe" {
		return nil
	}
	return errors.Join(
		constants(filepath.Join(o.work, "constant.json"), d.rows, func(r row) []byte { return bodies[r.name] }),
		constants(filepath.Join(o.work, "fiber.json"), d.rows, func(row) []byte { return []byte(small) }))
}

const small = `{"name":"Fern","tag":"shade"}`

// measure loads the servers by turns with one row.
func measure(o *options, d *document, r row, running []*process, bodies map[string][]byte) ([]result, error) {
	samples, sizes := make([][]sample, len(running)), make([]int, len(running))
	once := func(i, round int) (err error) {
		at := running[i]
		constant := map[string][]byte{base: bodies[r.name], "fiber": []byte(small)}[at.name]
		body, err := checked(at, r, constant)
		if err != nil {
			return err
		}
		sizes[i] = len(body)
		s, err := loadOnce(o, at, r, len(body), round)
		if round > 0 { // the first is to warm up
			samples[i] = append(samples[i], s)
		}
		return err
	}
	for round := range o.rounds + 1 {
		for i := range running {
			if err := once((i+round)%len(running), round); err != nil {
				return nil, err
			}
		}
	}
	var all []result
	for i, at := range running {
		if _, err := checked(at, r, map[string][]byte{base: bodies[r.name], "fiber": []byte(small)}[at.name]); err != nil {
			return nil, err // it has become wrong
		}
		of := func(f func(sample) float64) (x figure) {
			var values, ratios []float64
			for round, s := range samples[i] {
				values, ratios = append(values, f(s)), append(ratios, f(s)/f(samples[0][round])) // base is the first
			}
			return figure{median(values), median(ratios)}
		}
		one := result{
			document: d.name, row: r.name, server: at.name, bytes: sizes[i],
			title: fmt.Sprintf("%s: %s %s", r.name, r.method, r.path),
			cpu:   of(func(s sample) float64 { return s.cpu }),
			rate:  of(func(s sample) float64 { return s.rate }),
			p99:   of(func(s sample) float64 { return s.p99 }),
		}
		all = append(all, one)
		fmt.Printf("%-22s %-10s %8d bytes %9.1f µs %6.2f %9.0f/s %6.3f  p99 %8.2f ms %6.2f\n", r.name, at.name, one.bytes,
			one.cpu.value, one.cpu.ratio, one.rate.value, one.rate.ratio, one.p99.value, one.p99.ratio)
	}
	return all, nil
}

func median(all []float64) float64 {
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// loadOnce loads a server for some seconds. Its answers have about so many bytes. The requests that are under way when
// wrk ends cost time, too: one on each connection.
func loadOnce(o *options, at *process, r row, size, round int) (s sample, err error) {
	before, err := at.settled()
	if err != nil {
		return s, err
	}
	w, err := wrk(o, at, r, o.seconds, round)
	if err != nil {
		return s, err
	}
	after, err := at.settled()
	switch {
	case err != nil:
		return s, err
	case w.refused > 0 || w.failed > 0 || w.requests == 0:
		return s, fmt.Errorf("%s, %s: of %d answers %d are errors; %d requests failed",
			at.name, r.name, w.requests, w.refused, w.failed)
	case w.bytes/w.requests < size*9/10:
		return s, fmt.Errorf("%s, %s: answers have %d bytes under load, not %d", at.name, r.name, w.bytes/w.requests, size)
	}
	return sample{
		cpu:  float64((after - before).Microseconds()) / float64(w.requests+connections),
		rate: float64(w.requests) / (float64(w.micros) / 1e6), p99: float64(w.p99) / 1000,
	}, nil
}

// script makes wrk send the request. Random ones are made before the load: 20,000 with numbers that the round decides.
const script = `
wrk.method, wrk.path, wrk.body = %q, %q, %s
%s
local random, requests, at = %d, {}, 0
if random > 0 then
  function init(args)
    math.randomseed(%d)
    for i = 1, 20000 do
      local n = tostring(math.random(1, random))
      requests[i] = wrk.format(nil, (wrk.path:gsub("{n}", n)), nil, wrk.body and (wrk.body:gsub("{n}", n)))
    end
  end
  function request()
    at = at %% #requests + 1
    return requests[at]
  end
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("result %%d %%d %%d %%d %%d %%d\n", summary.requests, summary.duration, summary.bytes,
    latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
`

// wrked is what wrk says: requests in so many microseconds, bytes with header fields, p99 in microseconds.
type wrked struct{ requests, micros, bytes, p99, refused, failed int }

func wrk(o *options, at *process, r row, seconds, round int) (w wrked, err error) {
	r = at.asked(r)
	body, fields := "nil", ""
	for name, value := range headers {
		if r.body == "" && name == "Content-Type" {
			continue
		}
		fields += fmt.Sprintf("wrk.headers[%q] = %q\n", name, value)
	}
	if r.body != "" {
		body = fmt.Sprintf("%q", r.body)
	}
	file := filepath.Join(o.work, "request.lua")
	text := fmt.Sprintf(script, r.method, r.path, body, fields, r.random, round+1)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return w, err
	}
	out, err := exec.Command("wrk", "--threads", "1", "--connections", fmt.Sprint(connections), "--timeout", "60s",
		"--duration", fmt.Sprintf("%ds", seconds), "--script", file, "http://"+at.address).CombinedOutput()
	_, line, found := bytes.Cut(out, []byte("\nresult "))
	if err != nil || !found {
		return w, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	_, err = fmt.Sscan(string(line), &w.requests, &w.micros, &w.bytes, &w.p99, &w.refused, &w.failed)
	return w, err
}

// profile loads coldframe once more, and keeps its CPU profile of the time.
func profile(o *options, p *programs, r row, running []*process) error {
	i := slices.IndexFunc(running, func(s *process) bool { return s.name == "coldframe" })
	seconds := max(5, o.seconds)
	kept := make(chan error, 1)
	go func() {
		kept <- func() error {
			answer, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", p.pprof, seconds-1))
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			return errors.Join(err, os.WriteFile(filepath.Join(o.profile, r.name+".pprof"), text, 0o666))
		}()
	}()
	_, err := wrk(o, running[i], r, seconds, 0)
	return errors.Join(err, <-kept)
}
