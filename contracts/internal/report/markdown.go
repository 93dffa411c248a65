package report

import (
	"fmt"
	"html"
	"io"
	"strings"
)

const (
	// maxDetailed bounds the findings that are shown whole: a step's summary holds
	// 1 MiB.
	maxDetailed = 50
	maxRows     = 200 // of a table
)

// writeMarkdown writes a summary in GitHub's Markdown, which GitLab and others
// read as well.
func writeMarkdown(w io.Writer, m *model) error {
	b := &strings.Builder{}
	mark := "✅"
	if m.Failed {
		mark = "❌"
	}
	fmt.Fprintf(b, "## %s Contract of %s\n\n", mark, inline(m.Heading))
	fmt.Fprintf(b, "%s  \n%s, tested at %s\n\n", inline(m.Totals), code(line(m.Document)), code(line(m.URL)))
	if m.Ended != "" {
		fmt.Fprintf(b, "> **Ended early:** %s\n\n", inline(m.Ended))
	}
	if m.Untestable != "" {
		fmt.Fprintf(b, "> %s\n\n", inline(m.Untestable))
	}
	if len(m.Findings) > 0 {
		b.WriteString("### Findings\n\n")
	}
	for i := range m.Findings[:min(len(m.Findings), maxDetailed)] {
		markdownFinding(b, &m.Findings[i])
	}
	if n := len(m.Findings) - maxDetailed; n > 0 {
		fmt.Fprintf(b, "And %s more; the other reports have all of them.\n\n", number(n))
	}
	markdownOperations(b, m)
	markdownList(b, "Resolved since the baseline", m.Resolved)
	markdownList(b, "Skipped", m.Skipped)
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownFinding(b *strings.Builder, f *finding) {
	known := ""
	if f.Known {
		known = " (known)"
	}
	fmt.Fprintf(b, "<details>\n<summary>%s%s <b>%s</b> %s: %s</summary>\n\n", f.Severity, known,
		html.EscapeString(f.Check), html.EscapeString(f.In()), html.EscapeString(cut(f.Message, maxBodyText, "…")))
	if f.Location != "" {
		fmt.Fprintf(b, "- document: %s %s\n", code(f.Location), code(f.Excerpt))
	}
	fmt.Fprintf(b, "- seen: %s\n", inline(f.Seen))
	if len(f.Also) > 0 {
		fmt.Fprintf(b, "- also in: %s\n", inline(someOf(f.Also, maxDetailed)))
	}
	for _, text := range f.Consequences(maxConsequences) {
		fmt.Fprintf(b, "- leads to: %s\n", inline(text))
	}
	fmt.Fprintf(b, "- source: %s\n\n", inline(f.Source))
	for i := range f.Steps {
		s := &f.Steps[i]
		shown := cut(s.Curl, maxCommand, "…") + "\n\n" + s.Answer
		if text := s.Body(4 * maxBodyText); text != "" {
			shown += "\n" + text
		}
		fence := ticks(shown, "```")
		fmt.Fprintf(b, "%s\n%s\n%s\n\n", fence, shown, fence)
	}
	b.WriteString("</details>\n\n")
}

func markdownOperations(b *strings.Builder, m *model) {
	if len(m.Operations) == 0 {
		return
	}
	fmt.Fprintf(b, "<details>\n<summary>%s</summary>\n\n| operation | | cases | findings | exercised |\n"+
		"| --- | --- | ---: | ---: | ---: |\n", plural(len(m.Operations), "operation"))
	for i, o := range m.Operations {
		if i == maxRows {
			fmt.Fprintf(b, "| and %s more | | | | |\n", number(len(m.Operations)-i))
			break
		}
		verdict := o.Verdict
		switch verdict {
		case failed:
			verdict = "**FAIL**"
		case skipped:
			verdict = inline("skipped: " + o.Note)
		case weak:
			verdict = inline("weak: " + o.Note)
		}
		exercised := ""
		if o.IsCovered {
			exercised = fmt.Sprintf("%.1f %%", o.Percent)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", inline(o.Name), verdict, number(o.Cases), number(o.Findings), exercised)
	}
	b.WriteString("\n</details>\n\n")
}

func markdownList(b *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "<details>\n<summary>%s: %s</summary>\n\n", title, number(len(all)))
	for _, text := range all[:min(len(all), maxRows)] {
		fmt.Fprintf(b, "- %s\n", inline(text))
	}
	b.WriteString("\n</details>\n\n")
}

// inline escapes a line so that it means nothing but itself.
func inline(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case strings.ContainsRune("\\`*_[]|~#!{}@", r), r == ':' && !strings.HasPrefix(text[i+1:], " "): // also emoji and links
			fmt.Fprintf(&b, "&#%d;", r)
		case strings.ContainsRune("<>&", r):
			b.WriteString(html.EscapeString(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// code shows a line as code, whatever backquotes it has.
func code(text string) string {
	if text == "" {
		return ""
	}
	quotes := ticks(text, "`")
	if len(quotes) > 1 {
		text = " " + text + " "
	}
	return quotes + text + quotes
}

// ticks gives more backquotes in a row than a text has anywhere.
func ticks(text, quotes string) string {
	for strings.Contains(text, quotes) {
		quotes += "`"
	}
	return quotes
}
