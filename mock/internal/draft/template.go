package draft

import (
	"regexp"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// template is a helper of a template language, and the expression that does the same.
type template struct {
	helper     *regexp.Regexp
	expression string
}

var helperPattern = regexp.MustCompile(`\{\{\{?\s*(.*?)\s*\}?\}\}`)

// templates returns a body whose helpers are expressions of scenarios. unknown is the first helper without one.
func templates(body any, known []template) (changed any, unknown string) {
	changed = jsonvalue.WithTexts(body, func(text string) string {
		if !strings.Contains(text, "{{") {
			return scenario.Escape(text)
		}
		return helperPattern.ReplaceAllStringFunc(scenario.Escape(text), func(found string) string {
			helper := helperPattern.FindStringSubmatch(found)[1]
			for _, t := range known {
				if t.helper.MatchString(helper) {
					return "${" + t.helper.ReplaceAllString(helper, t.expression) + "}"
				}
			}
			unknown = found
			return found
		})
	})
	return changed, unknown
}

// answerWith is Answer for a body that may have expressions already.
func answerWith(status int, header exchange.Header, body any, expressions bool) []tree.Pair {
	answer := Answer(status, header, body)
	if last := len(answer) - 1; expressions && answer[last].Name == "body" && body != nil {
		answer[last].Value = body
	}
	return answer
}
