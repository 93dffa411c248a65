package scenario

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxFindings bounds what is told of one file.
const maxFindings = 100

// add keeps a finding.
func (p *parser) add(place exchange.Place, code, format string, args ...any) {
	if len(p.findings) >= maxFindings {
		return
	}
	p.findings = append(p.findings, exchange.Finding{Code: code, Message: fmt.Sprintf(format, args...), Document: place})
}

func (p *parser) fail(n *node, code, format string, args ...any) {
	p.add(n.place(p.file), code, format, args...)
}

func (p *parser) warn(place exchange.Place, code, format string, args ...any) {
	before := len(p.findings)
	p.add(place, code, format, args...)
	if len(p.findings) > before {
		p.findings[before].Severity = exchange.Warning
	}
}

// locate gives the place of a byte of a string's text, or of the string where
// its quoting or folding hides that.
func (p *parser) locate(n *node, offset int) exchange.Place {
	place := n.place(p.file)
	before := n.text[:min(offset, len(n.text))]
	if n.style&yaml.LiteralStyle != 0 {
		line := strings.Count(before, "\n")
		if n.line+line >= len(p.lines) {
			return place
		}
		whole, _, _ := strings.Cut(n.text[strings.LastIndexByte(before, '\n')+1:], "\n")
		indent := strings.Index(p.lines[n.line+line], whole)
		if indent < 0 {
			return place
		}
		place.Line = n.line + 1 + line
		place.Column = utf8.RuneCountInString(p.lines[n.line+line][:indent]) + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return place
	}
	column := n.column
	if n.style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		column++
	}
	if n.line < 1 || n.line > len(p.lines) {
		return place
	}
	source := []rune(p.lines[n.line-1])
	if column-1 <= len(source) && strings.HasPrefix(string(source[column-1:]), before) {
		place.Column = column + utf8.RuneCountInString(before)
	}
	return place
}

// commented gives a hint where YAML has taken the end of a plain string, from
// " #" on, for a comment.
func (p *parser) commented(n *node) string {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.style&quoted != 0 || n.line < 1 || n.line > len(p.lines) {
		return ""
	}
	source := []rune(p.lines[n.line-1])
	if n.column < 1 || n.column > len(source) {
		return ""
	}
	rest, ok := strings.CutPrefix(string(source[n.column-1:]), n.text)
	if ok && len(rest) > 1 && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") {
		return `; " #" begins a comment in YAML, so quote the whole expression`
	}
	return ""
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		return string([]rune(s)[:57]) + "…"
	}
	return s
}
