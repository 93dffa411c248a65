package formula

import (
	"strings"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// unexpected matches what the parser of the expression language says of a part that it cannot use.
var unexpected = lazyregexp.New(`unexpected token (?:EOF|\w+\((".*?")\))`)

// Explain rewrites a message of the parser of the expression language in plain words.
func Explain(message string) string {
	message = strings.ReplaceAll(message, "unexpected end of expression", "unexpected token EOF")
	return unexpected.Get().ReplaceAllStringFunc(message, func(text string) string {
		switch token := unexpected.Get().FindStringSubmatch(text)[1]; token {
		case "":
			return "the expression ends too early"
		case `"="`:
			return `"=" cannot stand here; "==" compares`
		default:
			return token + " cannot stand here"
		}
	})
}
