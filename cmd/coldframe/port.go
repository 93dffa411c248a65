package main

import (
	"fmt"
	"strconv"

	"github.com/coldframe/coldframe/mock"
)

// portOrFree is a port beside the mock's: a number, or free for any.
type portOrFree int

func (p *portOrFree) String() string {
	switch *p {
	case 0:
		return ""
	case mock.FreePort:
		return "free"
	}
	return strconv.Itoa(int(*p))
}

func (p *portOrFree) Type() string { return "number|free" }

func (p *portOrFree) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 16)
	switch {
	case text == "free":
		*p = mock.FreePort
	case err != nil || n == 0:
		return fmt.Errorf("%q is neither free nor a port from 1 to 65535", text)
	default:
		*p = portOrFree(n)
	}
	return nil
}
