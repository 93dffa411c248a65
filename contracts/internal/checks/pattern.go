package checks

import (
	"regexp"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

func pattern(text string) func() *regexp.Regexp { return lazyregexp.New(text) }
