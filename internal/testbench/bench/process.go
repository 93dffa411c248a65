package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// patience is how long a start may take.
const patience = 3 * time.Minute

// process is a server that runs.
type process struct {
	server
	address string
	command *exec.Cmd
	said    bytes.Buffer // on standard error
	ended   chan struct{}
}

// start starts a server and waits until it accepts connections. What it writes on standard output is dropped.
func (s server) start(p *programs, file string, flags ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	args := append(s.args(p, file, port), flags...)
	at := &process{server: s, address: address, command: exec.Command(args[0], args[1:]...), ended: make(chan struct{})}
	at.command.Dir, at.command.Stderr = filepath.Dir(file), &at.said
	if s.name == "coldframe" && p.pprof != "" {
		at.command.Env = append(os.Environ(), "BENCH_PPROF="+p.pprof)
	}
	if err := at.command.Start(); err != nil {
		return nil, err
	}
	go func() { at.command.Wait(); close(at.ended) }()
	for began := time.Now(); time.Since(began) < patience; {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return at, nil
		}
		select {
		case <-at.ended:
			return nil, fmt.Errorf("%s does not start: %s", s.name, at.said.String())
		case <-time.After(time.Millisecond):
		}
	}
	at.end()
	return nil, fmt.Errorf("%s does not start within %v", s.name, patience)
}

func (p *process) end() {
	p.command.Process.Kill()
	<-p.ended
}

// freeAddress returns an address of this machine that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// tick is the unit of times in /proc/PID/stat: Linux has 100 a second for programs, whatever the kernel's own.
const tick = 10 * time.Millisecond

// cpu is the processor time that the process has taken.
func (p *process) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third, the state, on
	if len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat is too short")
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, errors.Join(err, err2)
}

// settled is the processor time once the process does nothing more.
func (p *process) settled() (time.Duration, error) {
	last, err := p.cpu()
	for began := time.Now(); err == nil && time.Since(began) < 5*time.Second; {
		time.Sleep(3 * tick)
		now, failed := p.cpu()
		if err = failed; now == last {
			break
		}
		last = now
	}
	return last, err
}

// memory is the memory of a process in MiB.
type memory struct {
	now, peak float64 // resident
	own       float64 // of what is resident now: not the program's file, whose pages the system has anyway
}

func (p *process) memory() (m memory, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return m, err
	}
	fields := map[string]*float64{"VmRSS": &m.now, "VmHWM": &m.peak, "RssAnon": &m.own}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if field := fields[name]; field != nil {
			size, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
			*field = size / 1024
		}
	}
	return m, nil
}
