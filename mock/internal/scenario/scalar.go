package scenario

import (
	"strconv"
	"strings"
	"time"
)

func (p *parser) string(n *node, key string) (string, bool) {
	if n.kind != kindText {
		p.fail(n, CodeValue, "%s must be a string, is %s", key, n.kind)
		return "", false
	}
	return n.text, true
}

func (p *parser) bool(n *node, key string) bool {
	if n.kind != kindBool {
		p.fail(n, CodeValue, "%s must be true or false, is %s", key, n.describe())
		return false
	}
	return n.text == "true"
}

// count reads times and every.
func (p *parser) count(n *node, key string) uint64 {
	i, err := strconv.ParseUint(n.text, 10, 64)
	if n.kind != kindNumber || err != nil || i < 1 || i > maxCount {
		p.fail(n, CodeValue, "%s must be a whole number from 1 to %d, is %s", key, maxCount, n.describe())
		return 1
	}
	return i
}

// chance reads a share of requests.
func (p *parser) chance(n *node) float64 {
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != kindNumber || err != nil || f <= 0 || f > 1 {
		p.fail(n, CodeValue, "chance must be a number above 0 and at most 1, is %s", n.describe())
		return 1
	}
	return f
}

func (p *parser) duration(n *node, key string) time.Duration {
	var d time.Duration
	switch n.kind {
	case kindNumber:
		ms, err := strconv.ParseInt(n.text, 10, 32)
		if err != nil {
			p.fail(n, CodeValue, "%s must be a duration such as 200ms or 1.5s, or whole milliseconds, is %s", key, n.describe())
			return 0
		}
		d = time.Duration(ms) * time.Millisecond
	default:
		var err error
		if d, err = time.ParseDuration(n.text); err != nil || n.kind != kindText {
			p.fail(n, CodeValue, "%s must be a duration such as 200ms or 1.5s, or whole milliseconds, is %s", key, n.describe())
			return 0
		}
	}
	if d < 0 || d > maxDelay {
		p.fail(n, CodeValue, "%s must be from 0 to %s, is %s", key, "10m", n.text)
		return 0
	}
	return d
}

// maxBandwidth bounds bandwidth, in bytes a second.
const maxBandwidth = 1 << 30

// bandwidth reads bytes a second: 64KiB, 1MiB, or a whole number of bytes.
func (p *parser) bandwidth(n *node) int {
	digits, unit := n.text, 1
	if n.kind == kindText {
		var ok bool
		if digits, ok = strings.CutSuffix(n.text, "KiB"); ok {
			unit = 1 << 10
		} else if digits, ok = strings.CutSuffix(n.text, "MiB"); ok {
			unit = 1 << 20
		}
	}
	i, err := strconv.ParseUint(digits, 10, 31)
	if n.kind != kindNumber && unit == 1 || err != nil || i < 1 || i > uint64(maxBandwidth/unit) {
		p.fail(n, CodeValue, "bandwidth must be bytes a second such as 64KiB, 1MiB or 5000, at most 1024MiB, is %s", n.describe())
		return 0
	}
	return int(i) * unit
}

// describe names a value in a message.
func (n *node) describe() string {
	switch n.kind {
	case kindText:
		return strconv.Quote(shorten(n.text))
	case kindNumber, kindBool:
		return shorten(n.text)
	}
	return n.kind.String()
}
