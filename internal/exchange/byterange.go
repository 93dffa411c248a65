package exchange

import (
	"strconv"
	"strings"
)

// ByteRange reads the one range of a Range field (RFC 9110 section 14.1.2): bytes=0-99, bytes=100- and bytes=-5 of a
// number of bytes. first is beyond last if there are no such bytes; ok is false if it is not a single range of bytes.
func ByteRange(text string, size int) (first, last int, ok bool) {
	text, isBytes := strings.CutPrefix(text, "bytes=")
	from, to, isRange := strings.Cut(strings.TrimSpace(text), "-")
	if !isBytes || !isRange || strings.Contains(text, ",") {
		return 0, 0, false
	}
	last = size - 1
	if from == "" {
		n, err := strconv.Atoi(to)
		if err != nil || n < 0 {
			return 0, 0, false
		}
		if n == 0 {
			return size, last, true
		}
		return max(0, size-n), last, true
	}
	first, err := strconv.Atoi(from)
	if err != nil || first < 0 {
		return 0, 0, false
	}
	if to != "" {
		n, err := strconv.Atoi(to)
		if err != nil || n < first {
			return 0, 0, false
		}
		last = min(last, n)
	}
	return first, last, true
}
