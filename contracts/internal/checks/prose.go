package checks

import (
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// rules are words with which documents tell in prose what their schemas do not.
var rules = regexp.MustCompile(`(?i)\b(must|may not|shall|should|only|unless|except|unique|distinct|` +
	`duplicates?|already|taken|in use|no other|future|past|before|after|earlier|later|check ?digits?|checksum|at least|` +
	`enough|sufficient|in stock|balance|sum|total|match(es)?|same|different|differ|required|needs?|requires|` +
	`not allowed|forbidden|depends?|rules?|policy|reserved|conditions?|together|either|exactly one)\b`)

// hasRuleInProse reports whether the document tells a rule of a place, of the operation, of its body, or of its
// refusal that may explain why a conforming value is refused.
func (in *input) hasRuleInProse(where string) bool {
	o := in.operation
	texts := []string{o.Summary, o.Description, in.checker.contract.Description(in.placeOf(where))}
	if in.documented != nil {
		texts = append(texts, in.documented.Description)
	}
	if o.Body != nil && strings.HasPrefix(where, exchange.InBody) {
		texts = append(texts, in.checker.contract.Description(o.Body.Place))
		for _, media := range o.Body.Content {
			if media.Schema != nil {
				k := schema.Resolve(media.Schema.Keywords)
				texts = append(texts, in.checker.contract.Description(media.Schema.Node(k).Place()))
			}
		}
	}
	return slices.ContainsFunc(texts, rules.MatchString)
}
