//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killAll has a command killed with what it has started, once its context ends. The command is a process
// group of its own for that, so it cannot ask anything at the terminal.
func killAll(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
