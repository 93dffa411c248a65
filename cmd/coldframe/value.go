package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// choice is the value of a flag that has few.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Type() string { return strings.Join(c.allowed, "|") }

func (c choice) Set(text string) error {
	if !slices.Contains(c.allowed, text) {
		if len(c.allowed) == 1 {
			return fmt.Errorf("%q is not known; the only value is %s", text, c.allowed[0])
		}
		return fmt.Errorf("%q is none of %s", text, strings.Join(c.allowed, ", "))
	}
	*c.value = text
	return nil
}

// maxDelay is the longest delay before an answer.
const maxDelay = time.Hour

// delay is a time: 250ms, 1.5s, or a number of milliseconds.
type delay time.Duration

func (d *delay) String() string { return time.Duration(*d).String() }

func (d *delay) Type() string { return "time" }

func (d *delay) Set(text string) error {
	unit := ""
	if text != "" && strings.Trim(text, "0123456789") == "" {
		unit = "ms"
	}
	parsed, err := time.ParseDuration(text + unit)
	if err != nil || parsed < 0 || parsed > maxDelay {
		return fmt.Errorf("%q is no time such as 250ms or 2s, up to an hour", text)
	}
	*d = delay(parsed)
	return nil
}

// size is a number of bytes: 512KiB, 10MB, 1048576.
type size int

// maxSize is the most bytes that a size can say; an int of 32 bits holds it.
const maxSize = 1<<31 - 1

func (s *size) String() string {
	switch n := int(*s); {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + "MiB"
	default:
		return strconv.Itoa(n)
	}
}

func (s *size) Type() string { return "size" }

var units = []struct {
	suffix string
	bytes  int64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"b", 1}, {"", 1}}

func (s *size) Set(text string) error {
	for _, unit := range units {
		number, ok := strings.CutSuffix(strings.ToLower(text), unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 1 || n > maxSize/unit.bytes {
			break
		}
		*s = size(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("%q is no size such as 512KiB or 10MiB, below 2GiB", text)
}
