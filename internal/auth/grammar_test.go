package auth

import (
	"regexp"
	"strings"
)

// bearerGrammar is RFC 6750 section 2.1 word for word, the scheme in any case.
var bearerGrammar = regexp.MustCompile(`^(?i:Bearer) +[A-Za-z0-9\-._~+/]+=*$`)

func isBearer(value string) bool { return bearerGrammar.MatchString(strings.Trim(value, " \t")) }
