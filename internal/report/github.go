package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
)

// maxAnnotations is how many findings are annotated: the runner shows ten of a step.
const maxAnnotations = 10

// writeGitHub writes workflow commands, which the runner turns into annotations. It shows ten errors and ten
// warnings of a step, so errors come first, and known findings are left out.
func writeGitHub(w io.Writer, m *model) error {
	var b strings.Builder
	annotated, left := 0, 0
	if m.Ended != "" {
		fmt.Fprintf(&b, "::error title=coldframe::%s\n", commandData("ended early: "+m.Ended))
		annotated++
	}
	for _, f := range m.Findings {
		if f.Outcome == "known" {
			continue
		}
		if annotated++; annotated > maxAnnotations {
			left++
			continue
		}
		text := f.Headline()
		if n := len(f.Steps); n > 0 {
			text += "\n" + middleOut(f.Steps[n-1].Curl, maxLongCommand) + "\n" + f.Steps[n-1].Answer
		}
		if len(f.Also) > 0 {
			text += "\nalso in " + someOf(f.Also, maxNamed)
		}
		b.WriteString(m.Annotation(f.Outcome, f.Place, f.Check+": "+f.In(), text))
	}
	if left > 0 {
		fmt.Fprintf(&b, "::notice title=coldframe::%s\n", commandData("and "+plural(left, "more finding")+
			"; the summary (markdown) and the other reports have them"))
	}
	if m.Untestable != "" {
		fmt.Fprintf(&b, "::warning title=coldframe::%s\n", commandData(m.Untestable))
	}
	fmt.Fprintf(&b, "::notice title=coldframe::%s\n", commandData(m.Totals))
	_, err := io.WriteString(w, b.String())
	return err
}

// Annotation returns the workflow command that annotates a place of a document.
func (o *Options) Annotation(level string, at exchange.Place, title, text string) string {
	properties := ""
	if at.File != "" && !strings.Contains(at.File, "://") {
		properties = "file=" + commandProperty(o.relative(at.File)) + ","
		if at.Line > 0 {
			properties += fmt.Sprintf("line=%d,", at.Line)
		}
		if at.Line > 0 && at.Column > 0 {
			properties += fmt.Sprintf("col=%d,", at.Column)
		}
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", level, properties, commandProperty(title), commandData(text))
}

// Workflow commands are escaped as by the runner's own toolkit (actions/toolkit, packages/core/src/command.ts).
var (
	dataEscaper     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// commandData returns a text as the data of a command, without commands of its own.
func commandData(text string) string { return dataEscaper.Replace(visible.Text(text)) }

// commandProperty is commandData for the value of a property.
func commandProperty(text string) string { return propertyEscaper.Replace(visible.Text(text)) }
