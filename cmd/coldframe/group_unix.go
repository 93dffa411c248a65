//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killAll makes the end of the context kill the command together with its child processes. For that the command gets
// its own process group, so it cannot prompt at the terminal.
func killAll(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
