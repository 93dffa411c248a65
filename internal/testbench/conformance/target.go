package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock"
)

// target is a running mock of one document.
type target struct {
	url   string
	start time.Duration // from its beginning until it listens
	stop  func() (peak int, err error)
}

// starter starts a mock of the document at path.
type starter func(ctx context.Context, path string) (*target, error)

// here serves in this process; how much memory one document takes is not known.
func here(ctx context.Context, path string) (*target, error) {
	began := time.Now()
	server, err := mock.New(ctx, mock.Options{
		Document: path, Auth: mock.AuthOptions{MutualTLS: "assume"}, Now: "session", // the same times again
	})
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	return &target{server.URL(), time.Since(began), func() (int, error) {
		server.Close()
		return 0, <-ended
	}}, nil
}

// serveArgument makes this program serve a document and print its URL.
const serveArgument = "-serve"

// apart serves in a process of its own, whose peak memory is read when it
// stops, in MiB (Linux only; 0 elsewhere).
func apart(ctx context.Context, path string) (*target, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	command := exec.CommandContext(ctx, program, serveArgument, path)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		command.Wait()
		return nil, fmt.Errorf("it does not start: %w", err)
	}
	return &target{strings.TrimSpace(url), time.Since(began), func() (int, error) {
		peak := peakMemory(command.Process.Pid)
		command.Process.Kill()
		command.Wait()
		return peak, nil
	}}, nil
}

func peakMemory(pid int) int {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.Atoi(fields[0])
	return kilobytes >> 10
}

// serve is what the process of apart does.
func serve(ctx context.Context, path string) error {
	server, err := mock.New(ctx, mock.Options{
		Document: path, Auth: mock.AuthOptions{MutualTLS: "assume"}, Now: "session", // the same times again
	})
	if err != nil {
		return err
	}
	fmt.Println(server.URL())
	return server.Run(ctx)
}
