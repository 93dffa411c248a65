package coverage

import "github.com/coldframe/coldframe/internal/lazyregexp"

// The marks of the forms of reports, which are found in the first or the last 64 KiB of each.
var (
	TextMark = lazyregexp.New(`(?m)^all +\d+ of +\d+ +[\d.]+ %\n\z`)
	JSONMark = lazyregexp.New(`^\{\s*"covered": \d+,\s*"total": \d+,\s*"percent": `)
	LCOVMark = lazyregexp.New(`^TN:coldframe\nSF:`)
)
