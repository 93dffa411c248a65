package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

const (
	// mostDetailed bounds the findings that are shown whole: a step's summary holds
	// 1 MiB.
	mostDetailed = 50
	// mostRows bounds a table.
	mostRows = 200
)

// writeMarkdown writes a summary in GitHub's Markdown, which GitLab and others
// read as well.
func writeMarkdown(w io.Writer, r *findings.Report, _ Options) error {
	var b strings.Builder
	mark := "✅"
	if len(r.New()) > 0 || r.Ended != "" {
		mark = "❌"
	}
	fmt.Fprintf(&b, "## %s Contract of %s\n\n", mark, inline(heading(r)))
	fmt.Fprintf(&b, "%s  \n%s, tested at %s\n\n", inline(totals(r)), code(r.Document), code(r.URL))
	if r.Ended != "" {
		fmt.Fprintf(&b, "> **Ended early:** %s\n\n", inline(line(r.Ended)))
	}
	if text := untestable(r); text != "" {
		fmt.Fprintf(&b, "> %s\n\n", inline(text))
	}
	markdownFindings(&b, r)
	markdownOperations(&b, r)
	markdownList(&b, "Healed since the baseline", r.Resolved)
	markdownList(&b, "Left out", leftOut(r))
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownFindings(b *strings.Builder, r *findings.Report) {
	if len(r.Findings) == 0 {
		return
	}
	b.WriteString("### Findings\n\n")
	for i := range r.Findings {
		if i == mostDetailed {
			fmt.Fprintf(b, "And %s more; the other reports have all of them.\n\n", number(len(r.Findings)-i))
			break
		}
		f := &r.Findings[i]
		known := ""
		if f.Known {
			known = " (known)"
		}
		fmt.Fprintf(b, "<details>\n<summary>%s%s <b>%s</b> %s: %s</summary>\n\n", f.Severity, known,
			html.EscapeString(line(f.Check)), html.EscapeString(where(f)), html.EscapeString(cut(message(f), mostShownText, "…")))
		if where := place(f.Place) + pointer(f.Place); where != "" {
			fmt.Fprintf(b, "- document: %s %s\n", code(where), code(f.Excerpt))
		}
		fmt.Fprintf(b, "- seen: %s\n", inline(seen(f)))
		if also := others(f); len(also) > 0 {
			fmt.Fprintf(b, "- also in: %s\n", inline(someOf(also, mostDetailed)))
		}
		for _, text := range follows(f, mostFollows) {
			fmt.Fprintf(b, "- follows: %s\n", inline(text))
		}
		fmt.Fprintf(b, "- source: %s\n\n", inline(line(f.Source)))
		for j := range f.Sent {
			s := &f.Sent[j]
			shown := cut(lines(s.Curl), mostCommand, "…") + "\n\n" + answer(s)
			if s.Response != nil {
				if text := body(s.Response.Body, max(s.ResponseSize, len(s.Response.Body)), 4*mostShownText); text != "" {
					shown += "\n" + text
				}
			}
			fence(b, shown)
		}
		b.WriteString("</details>\n\n")
	}
}

func markdownOperations(b *strings.Builder, r *findings.Report) {
	if len(r.Operations) == 0 {
		return
	}
	covered := map[string]string{}
	if r.Coverage != nil {
		for i := range r.Coverage.Operations {
			o := &r.Coverage.Operations[i]
			covered[o.Method+" "+o.Path] = fmt.Sprintf("%.1f %%", o.Percent)
		}
	}
	fmt.Fprintf(b, "<details>\n<summary>%s</summary>\n\n| operation | | cases | findings | exercised |\n| --- | --- | ---: | ---: | ---: |\n", plural(len(r.Operations), "operation"))
	for i, o := range r.Operations {
		if i == mostRows {
			fmt.Fprintf(b, "| and %s more | | | | |\n", number(len(r.Operations)-i))
			break
		}
		verdict := verdictOn(o)
		switch verdict {
		case skipped:
			verdict = "skipped: " + o.Skipped
		case weak:
			verdict = "weak: " + refused(o)
		case bad:
			verdict = "**FAIL**"
		}
		if verdict != "**FAIL**" {
			verdict = inline(line(verdict))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", inline(line(o.Name)), verdict, number(o.Cases), number(o.Findings), covered[o.Name])
	}
	b.WriteString("\n</details>\n\n")
}

func markdownList(b *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "<details>\n<summary>%s: %s</summary>\n\n", title, number(len(all)))
	for _, one := range all[:min(len(all), mostRows)] {
		fmt.Fprintf(b, "- %s\n", inline(line(one)))
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

// code shows a text as code, whatever backquotes it has.
func code(text string) string {
	text = line(text)
	if text == "" {
		return ""
	}
	ticks := longer(text, "`")
	if len(ticks) > 1 {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// fence shows lines as code.
func fence(b *strings.Builder, text string) {
	ticks := longer(text, "```")
	fmt.Fprintf(b, "%s\n%s\n%s\n\n", ticks, text, ticks)
}

// longer gives as many backquotes as a text nowhere has in a row.
func longer(text, ticks string) string {
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks
}
