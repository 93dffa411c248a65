package stateful

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

type exchanges = []*checks.Exchange

// report reports a violation by the last of some exchanges, where the check is used.
func (t *tester) report(check, about string, sent exchanges, message string, args ...any) {
	c, ok := t.Check(check)
	if !ok || len(sent) == 0 {
		return
	}
	cause := t.test.ID + " " + about
	if c.Comparison == checks.ByProperty && strings.HasPrefix(about, "body.") {
		cause = about
	}
	t.Report(checks.Violation{
		Check: c, Message: fmt.Sprintf(message, args...), About: about, Cause: cause,
		Place: sent[len(sent)-1].Case.Operation.Place,
	}, sent)
}

// difference says how a value that is shown differs from what was sent.
type difference struct {
	path    []string
	message string
}

// about names the place of a difference in a body.
func (d difference) about() string {
	about := "body"
	for _, name := range d.path {
		about += "." + exchange.EscapePointer(name)
	}
	return about
}

func (t *tester) reportDifferences(check string, found []difference, sent ...*checks.Exchange) {
	for _, d := range found {
		t.report(check, d.about(), sent, "%s", d.message)
	}
}

// maxText is how many characters of a value messages show.
const maxText = 60

func text(value any) string {
	b := []rune(string(jsontext.Append(nil, value)))
	if len(b) > maxText {
		return string(b[:maxText]) + "…"
	}
	return string(b)
}
