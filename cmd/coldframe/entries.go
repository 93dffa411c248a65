package main

import (
	"fmt"
	"strconv"
)

// entries is how many exchanges the journal keeps: 500, or off, which is -1.
type entries int

func (e *entries) String() string {
	if *e < 0 {
		return "off"
	}
	return strconv.Itoa(int(*e))
}

func (e *entries) Type() string { return "number|off" }

// maxEntries is the most exchanges that a journal may keep.
const maxEntries = 1_000_000

func (e *entries) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case text == "off" || text == "0":
		*e = -1
	case err != nil || n < 0 || n > maxEntries:
		return fmt.Errorf("%q is neither off nor a number up to %d", text, maxEntries)
	default:
		*e = entries(n)
	}
	return nil
}
