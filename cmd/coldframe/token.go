package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// maxCommandTime is how long the command may take that prints a token.
const maxCommandTime = 30 * time.Second

// maxCommandOutput is the most bytes that are kept of what it prints.
const maxCommandOutput = 64 << 10

// tokenFrom gives the token that a shell command prints. Where it fails, the
// error has what the command said on standard error; never what it printed.
func tokenFrom(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxCommandTime, fmt.Errorf("it took longer than %v", maxCommandTime))
	defer cancel()
	var printed, said limited
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Stdout, c.Stderr = &printed, &said
	c.WaitDelay = time.Second // for what it has started and left behind
	killAll(c)
	err := c.Run()
	token := strings.TrimSpace(printed.String())
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
	case token == "":
		err = errors.New("it printed nothing")
	case strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r == 0x7f }):
		err = errors.New("it printed more than a token: several lines, or control characters")
	case printed.full:
		err = errors.New("it printed too much for a token")
	default:
		return token, nil
	}
	text := fmt.Sprintf("the command of --auth-command gave no token: %v", err)
	if complaint := strings.TrimSpace(said.String()); complaint != "" {
		text += "\n" + printable(complaint)
	}
	return "", errors.New(text)
}

// limited keeps the first bytes that are written to it.
type limited struct {
	bytes.Buffer
	full bool
}

func (l *limited) Write(text []byte) (int, error) {
	if room := maxCommandOutput - l.Len(); len(text) > room {
		l.full = true
		l.Buffer.Write(text[:room])
		return len(text), nil
	}
	return l.Buffer.Write(text)
}
