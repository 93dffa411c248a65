package draft

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// template is a helper of a template language: a name between two texts, or before alone; and the expression that does
// the same, with the name in place of "%s".
type template struct {
	before, after, expression string
}

// translate returns the expression of a helper; false if it is another one, or if its name needs quotes.
func (t *template) translate(helper string) (string, bool) {
	name, isIt := strings.CutPrefix(helper, t.before)
	if !isIt || !strings.HasSuffix(name, t.after) {
		return "", false
	}
	name = strings.TrimSuffix(name, t.after)
	if !strings.Contains(t.expression, "%s") {
		return t.expression, name == ""
	}
	isQuoted := strings.Contains(t.expression, `"%s"`)
	isOther := func(r rune) bool {
		return r != '_' && !(r == '-' && isQuoted) && !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)))
	}
	if name == "" || strings.ContainsFunc(name, isOther) || !isQuoted && unicode.IsDigit(rune(name[0])) {
		return "", false
	}
	return strings.Replace(t.expression, "%s", name, 1), true
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
			for i := range known {
				if expression, ok := known[i].translate(helper); ok {
					return "${" + expression + "}"
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
