package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock"
)

// parsed is a flag whose text is parsed into a variable.
type parsed[T any] struct {
	to    *T
	form  string // in the help: number, size, FILE
	parse func(text string) (T, error)
	text  func(T) string // of the default; "" for none
}

func (v parsed[T]) String() string { return v.text(*v.to) }

func (v parsed[T]) Type() string { return v.form }

func (v parsed[T]) Set(text string) error {
	value, err := v.parse(text)
	if err == nil {
		*v.to = value
	}
	return err
}

// choice is one of a few words.
func choice(to *string, allowed ...string) parsed[string] {
	return parsed[string]{to, strings.Join(allowed, "|"), func(text string) (string, error) {
		switch {
		case slices.Contains(allowed, text):
			return text, nil
		case len(allowed) == 1:
			return "", fmt.Errorf("%q is not known; the only value is %s", text, allowed[0])
		}
		return "", fmt.Errorf("%q is none of %s", text, strings.Join(allowed, ", "))
	}, func(text string) string { return text }}
}

const (
	maxDelay   = time.Hour          // before an answer
	maxTimeout = 7 * 24 * time.Hour // that can be asked for
	maxSize    = 1<<31 - 1          // bytes; an int of 32 bits holds it
	maxEntries = 1_000_000          // of a journal
)

// delay is a time from 0 to an hour: 250ms, 1.5s, or a number of milliseconds.
func delay(to *time.Duration) parsed[time.Duration] {
	return parsed[time.Duration]{to, "time", func(text string) (time.Duration, error) {
		unit := ""
		if text != "" && strings.Trim(text, "0123456789") == "" {
			unit = "ms"
		}
		d, err := time.ParseDuration(text + unit)
		if err != nil || d < 0 || d > maxDelay {
			return 0, fmt.Errorf("%q is no time such as 250ms or 2s, up to an hour", text)
		}
		return d, nil
	}, time.Duration.String}
}

// timeout is a time with its unit: 500ms, 30s, 5m.
func timeout(to *time.Duration) parsed[time.Duration] {
	return parsed[time.Duration]{to, "time", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 || d > maxTimeout {
			return 0, fmt.Errorf("%q is no time such as 500ms, 30s or 5m", text)
		}
		return d, nil
	}, shortDuration}
}

// shortDuration writes a time without zeros at its end: 5m; "" for none.
func shortDuration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

var units = []struct {
	suffix string
	bytes  int64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"b", 1}, {"", 1}}

// size is a number of bytes: 512KiB, 10MB, 1048576.
func size[T int | int64](to *T) parsed[T] {
	return parsed[T]{to, "size", func(text string) (T, error) {
		for _, unit := range units {
			number, ok := strings.CutSuffix(strings.ToLower(text), unit.suffix)
			if !ok {
				continue
			}
			n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			if err != nil || n < 1 || n > maxSize/unit.bytes {
				break
			}
			return T(n * unit.bytes), nil
		}
		return 0, fmt.Errorf("%q is no size such as 512KiB or 10MiB, below 2GiB", text)
	}, func(n T) string {
		if n >= 1<<20 && n%(1<<20) == 0 {
			return strconv.FormatInt(int64(n>>20), 10) + "MiB"
		}
		return strconv.FormatInt(int64(n), 10)
	}}
}

// positive is a whole number from 1 up.
func positive(to *int) parsed[int] {
	return parsed[int]{to, "number", func(text string) (int, error) {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("%q is no whole number from 1 up", text)
		}
		return int(n), nil
	}, strconv.Itoa}
}

// rate is a number above 0; without one there is no bound.
func rate(to *float64) parsed[float64] {
	return parsed[float64]{to, "number", func(text string) (float64, error) {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n > 0 && n <= 1e9) {
			return 0, fmt.Errorf("%q is no number above 0", text)
		}
		return n, nil
	}, formatNumber}
}

// percent is a share of a hundred: 80, 99.5 or 80%.
func percent(to *float64) parsed[float64] {
	return parsed[float64]{to, "percent", func(text string) (float64, error) {
		n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			return 0, fmt.Errorf("%q is no number from 0 to 100", text)
		}
		return n, nil
	}, formatNumber}
}

// formatNumber writes a number without an exponent.
func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// shard is one of several parts; the zero value is the whole.
type shard struct{ part, of int }

// shardOf is a shard such as 2/4, the second of four.
func shardOf(to *shard) parsed[shard] {
	return parsed[shard]{to, "N/M", func(text string) (shard, error) {
		first, second, _ := strings.Cut(text, "/")
		part, err1 := strconv.ParseUint(first, 10, 16)
		of, err2 := strconv.ParseUint(second, 10, 16)
		if err1 != nil || err2 != nil || part < 1 || part > of {
			return shard{}, fmt.Errorf("%q is no part such as 2/4, which is the second of four", text)
		}
		return shard{int(part), int(of)}, nil
	}, func(shard) string { return "" }}
}

// journalEntries is how many exchanges the journal keeps: 500, or off, which is -1.
func journalEntries(to *int) parsed[int] {
	return parsed[int]{to, "number|off", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		switch {
		case text == "off" || text == "0":
			return -1, nil
		case err != nil || n < 0 || n > maxEntries:
			return 0, fmt.Errorf("%q is neither off nor a number up to %d", text, maxEntries)
		}
		return n, nil
	}, func(n int) string {
		if n < 0 {
			return "off"
		}
		return strconv.Itoa(n)
	}}
}

// controlPort is a port beside the mock's: a number, or free for any.
func controlPort(to *int) parsed[int] {
	return parsed[int]{to, "number|free", func(text string) (int, error) {
		n, err := strconv.ParseUint(text, 10, 16)
		switch {
		case text == "free":
			return mock.FreePort, nil
		case err != nil || n == 0:
			return 0, fmt.Errorf("%q is neither free nor a port from 1 to 65535", text)
		}
		return int(n), nil
	}, func(n int) string {
		switch n {
		case 0:
			return ""
		case mock.FreePort:
			return "free"
		}
		return strconv.Itoa(n)
	}}
}
