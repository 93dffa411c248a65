package report

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
	"text/template"
)

// maxDetailed bounds what is listed in full if a report is read by programs.
const maxDetailed = 50

// The summary is in GitHub's Markdown, which GitLab and others read as well. A
// step's summary holds 1 MiB, so it shows no more than 50 findings.
//
//go:embed summary.md.tmpl
var summaryText string

func summaryTemplate() *template.Template {
	return template.Must(template.New("summary").Funcs(template.FuncMap{
		"inline": Inline, "code": Code, "fence": fence, "html": html.EscapeString, "cut": cut, "someOf": someOf,
		"number": number, "lineAll": lineAll, "plural": plural,
		"first": func(all any, n int) any {
			return reflect.ValueOf(all).Slice(0, min(n, reflect.ValueOf(all).Len())).Interface()
		},
		"rest":   func(all any, n int) int { return max(0, reflect.ValueOf(all).Len()-n) },
		"titled": func(title string, all []string) any { return map[string]any{"Title": title, "All": all} },
	}).Parse(summaryText))
}

func writeMarkdown(w io.Writer, m *model) error { return summaryTemplate().Execute(w, m) }

// Inline escapes a line so that it means nothing but itself.
func Inline(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case strings.ContainsRune("\\`*_[]|~#!{}@", r), r == ':' && !strings.HasPrefix(text[i+1:], " "): // emoji, links
			fmt.Fprintf(&b, "&#%d;", r)
		case strings.ContainsRune("<>&", r):
			b.WriteString(html.EscapeString(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Code shows a text as code in one line, whatever backquotes it has.
func Code(text string) string {
	text = line(text)
	if text == "" {
		return ""
	}
	quotes := ticks(text, "`")
	if len(quotes) > 1 {
		text = " " + text + " "
	}
	return quotes + text + quotes
}

func fence(s *step) string {
	shown := middleOut(s.Curl, maxLongCommand) + "\n\n" + s.Answer
	if body := s.Body(4 * maxBodyText); body != "" {
		shown += "\n" + body
	}
	quotes := ticks(shown, "```")
	return fmt.Sprintf("%s\n%s\n%s\n", quotes, shown, quotes)
}

// ticks returns more backquotes in a row than a text has anywhere.
func ticks(text, quotes string) string {
	for strings.Contains(text, quotes) {
		quotes += "`"
	}
	return quotes
}
