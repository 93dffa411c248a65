//go:build !unix

package main

import "os/exec"

// killAll does nothing: ending the context kills the command, but not its child processes.
func killAll(*exec.Cmd) {}
