package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/mock"
)

// value is the value of a flag with a type that pflag does not have.
type value struct {
	form    string // in the help: number, size, FILE
	initial string // the default in the help; "" if none
	set     func(text string) error
	words   []string               // words that shells complete: the values, or parts of them
	most    string                 // the largest value that coldframe.yaml may set; "" if the flag is not a limit
	exceeds func(text string) bool // reports whether a value is more than most
}

func (v *value) String() string { return v.initial }

func (v *value) Type() string { return v.form }

func (v *value) Set(text string) error { return v.set(text) }

// parsed returns a value that parse reads into to. wanted completes the error message for other texts: "TEXT is
// WANTED".
func parsed[T any](to *T, form, initial, wanted string, parse func(text string) (T, bool)) *value {
	return &value{form: form, initial: initial, set: func(text string) error {
		read, ok := parse(text)
		if !ok {
			return fmt.Errorf("%q is %s", text, wanted)
		}
		*to = read
		return nil
	}}
}

// bounded is a value that limits what somebody else's document may cost. coldframe.yaml beside the document may lower
// the limit, but not raise it above most; "" is the default value.
func bounded[T cmp.Ordered](kind func(*T) *value, to *T, most string) *value {
	v := kind(to)
	v.most = cmp.Or(most, v.initial)
	v.exceeds = func(text string) bool {
		var limit, wanted T
		return kind(&limit).set(v.most) == nil && kind(&wanted).set(text) == nil && wanted > limit
	}
	return v
}

// choice is one of a few words; the default is the first. If only one word is allowed, there is no default.
func choice(to *string, allowed ...string) *value {
	wanted := "none of " + strings.Join(allowed, ", ")
	if len(allowed) == 1 {
		wanted = "not known; the only value is " + allowed[0]
	} else {
		*to = allowed[0]
	}
	v := parsed(to, strings.Join(allowed, "|"), *to, wanted, func(text string) (string, bool) {
		return text, slices.Contains(allowed, text)
	})
	v.words = allowed
	return v
}

// locale is the tag of a locale.
func locale(to *string) *value {
	tags := mock.Locales()
	*to = tags[0]
	v := parsed(to, "tag", *to, "none of "+strings.Join(tags, ", "), func(text string) (string, bool) {
		return text, slices.Contains(tags, text)
	})
	v.words = tags
	return v
}

const (
	maxDelay   = time.Hour          // before a response
	maxTimeout = 7 * 24 * time.Hour // of a request, a run and so on
	maxSize    = 1<<31 - 1          // bytes; an int of 32 bits holds it
	maxEntries = 1_000_000          // of a journal
)

// delay is a time from 0 to an hour: 250ms, 1.5s, or a number of milliseconds.
func delay(to *time.Duration) *value {
	const wanted = "no time such as 250ms or 2s, up to an hour"
	return parsed(to, "time", to.String(), wanted, func(text string) (time.Duration, bool) {
		if text != "" && strings.Trim(text, "0123456789") == "" {
			text += "ms"
		}
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= 0 && d <= maxDelay
	})
}

// timeout is a time with its unit: 500ms, 30s, 5m.
func timeout(to *time.Duration) *value {
	const wanted = "no time such as 500ms, 30s or 5m"
	return parsed(to, "time", shortDuration(*to), wanted, func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d > 0 && d <= maxTimeout
	})
}

// shortDuration formats a time without trailing zeros: 5m. It returns "" for zero.
func shortDuration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

var units = []struct {
	suffix string
	bytes  int64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"b", 1}, {"", 1}}

// size is a number of bytes: 512KiB, 10MB, 1048576.
func size[T int | int64](to *T) *value {
	const wanted = "no size such as 512KiB or 10MiB, below 2GiB"
	initial := ""
	if *to > 0 {
		initial = fmt.Sprintf("%dMiB", *to>>20)
	}
	return parsed(to, "size", initial, wanted, func(text string) (T, bool) {
		for _, unit := range units {
			if number, ok := strings.CutSuffix(strings.ToLower(text), unit.suffix); ok {
				n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
				return T(n * unit.bytes), err == nil && n >= 1 && n <= maxSize/unit.bytes
			}
		}
		return 0, false
	})
}

// whole is a whole number from 0 up.
func whole(to *int) *value {
	return parsed(to, "number", strconv.Itoa(*to), "no whole number from 0 up", func(text string) (int, bool) {
		n, err := strconv.ParseInt(text, 10, 32)
		return int(n), err == nil && n >= 0
	})
}

// positive is a whole number from 1 up.
func positive(to *int) *value {
	return parsed(to, "number", strconv.Itoa(*to), "no whole number from 1 up", func(text string) (int, bool) {
		n, err := strconv.ParseInt(text, 10, 32)
		return int(n), err == nil && n >= 1
	})
}

// rate is a number above 0; the default is no limit.
func rate(to *float64) *value {
	return parsed(to, "number", "", "no number above 0", func(text string) (float64, bool) {
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && n > 0 && n <= 1e9
	})
}

// percent is a percentage: 80, 99.5 or 80%.
func percent(to *float64) *value {
	return parsed(to, "percent", "", "no number from 0 to 100", func(text string) (float64, bool) {
		n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
		return n, err == nil && n >= 0 && n <= 100
	})
}

// shard is one of several parts, such as 2/4, the second of four.
func shard(to *[2]int) *value {
	const wanted = "no part such as 2/4, which is the second of four"
	return parsed(to, "N/M", "", wanted, func(text string) ([2]int, bool) {
		first, second, _ := strings.Cut(text, "/")
		part, err1 := strconv.ParseUint(first, 10, 16)
		of, err2 := strconv.ParseUint(second, 10, 16)
		return [2]int{int(part), int(of)}, err1 == nil && err2 == nil && part >= 1 && part <= of
	})
}

// journalEntries is the number of exchanges that the journal keeps: 500, or off, which is -1.
func journalEntries(to *int) *value {
	wanted := fmt.Sprintf("neither off nor a number up to %d", maxEntries)
	return parsed(to, "number|off", strconv.Itoa(*to), wanted, func(text string) (int, bool) {
		if text == "off" || text == "0" {
			return -1, true
		}
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 0 && n <= maxEntries
	})
}

// controlPort is the port of the control API: a number, or free for any free port.
func controlPort(to *int) *value {
	return parsed(to, "number|free", "", "neither free nor a port from 1 to 65535", func(text string) (int, bool) {
		if text == "free" {
			return mock.FreePort, true
		}
		n, err := strconv.ParseUint(text, 10, 16)
		return int(n), err == nil && n > 0
	})
}

// names are some of a list of names, separated by commas. Given several times, the lists add up. A "!" before a name
// excludes it.
// of them. "!" before a name leaves it out.
func names(to *[]string, form string, known []string) *value {
	return &value{form: form, words: known, set: func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			word = strings.TrimSpace(word)
			bare := strings.TrimPrefix(word, "!")
			if !slices.Contains(known, bare) {
				if meant := nearest.Hint(bare, known); meant != "" {
					return fmt.Errorf("%q is not known%s", bare, meant)
				}
				return fmt.Errorf("%q is none of %s", bare, strings.Join(known, ", "))
			}
			*to = append(*to, word)
		}
		return nil
	}}
}

// without returns the chosen names: the named ones, or all if none is named, except those excluded with "!".
func without(named, all []string) []string {
	isExcluded := func(name string) bool { return strings.HasPrefix(name, "!") }
	chosen := slices.DeleteFunc(slices.Clone(named), isExcluded)
	if len(chosen) == 0 {
		chosen = slices.Clone(all)
	}
	return slices.DeleteFunc(chosen, func(name string) bool { return slices.Contains(named, "!"+name) })
}

// repeated may be given several times, once for each thing. In the environment each thing is a line.
func repeated(form string, add func(line string) error) *value {
	return &value{form: form, set: func(text string) error {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				if err := add(line); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// patterns are patterns of operations, with commas between them.
func patterns(to *[]string) *value {
	return repeated("PATTERN,...", func(line string) error {
		for one := range strings.SplitSeq(line, ",") {
			*to = append(*to, strings.TrimSpace(one))
		}
		return nil
	})
}

// pairs are names and values. Its error messages omit the value, which may be a secret.
func pairs(form, separator string, add func(name, value string)) *value {
	return repeated(form, func(line string) error {
		name, text, ok := strings.Cut(line, separator)
		if name = strings.TrimSpace(name); !ok || name == "" ||
			separator == ":" && strings.ContainsAny(name, " \t\"(),/;<=>?@[\\]{}") {
			return errors.New("want " + form)
		}
		add(name, strings.TrimSpace(text))
		return nil
	})
}
