package spec

import (
	"regexp/syntax"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxSpans limits the alternatives of a pattern that are distinguished.
const maxSpans = 8

// Spans returns the segments of the path in which the values of a path parameter stand if its pattern needs a slash:
// for publishers/[^/]+, the segment "publishers" and one of any text, which is "". A pattern with alternatives has
// several. It returns nil if values without a slash match the pattern, or if a value begins or ends with one. gRPC
// gateways describe such paths, and their clients send the slashes unescaped.
func (p *Parameter) Spans() (all [][]string) {
	if p.In != exchange.InPath || p.Schema == nil {
		return nil
	}
	k := p.Schema.Keywords
	for k != nil && k.Pattern == nil {
		k = k.Ref
	}
	if k == nil || !strings.Contains(k.Pattern.String(), "/") {
		return nil
	}
	translated, ok := ToRE2(k.Pattern.String())
	if !ok {
		return nil
	}
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := sequence(parsed)
	alternatives := [][]*syntax.Regexp{parts}
	if len(parts) == 1 && parts[0].Op == syntax.OpAlternate {
		alternatives = nil
		for _, alternative := range parts[0].Sub {
			alternatives = append(alternatives, sequence(alternative))
		}
	}
	for _, alternative := range alternatives {
		segments := segmentsOf(alternative)
		if len(segments) < 2 || len(all) == maxSpans {
			return nil
		}
		all = append(all, segments)
	}
	return all
}

// segmentsOf cuts what expressions match, one after the other, at the slashes. It returns nil if a segment is empty.
func segmentsOf(parts []*syntax.Regexp) []string {
	var segments []string
	text, isText := "", true
	end := func() bool {
		isEmpty := isText && text == ""
		segments = append(segments, text)
		text, isText = "", true
		return !isEmpty
	}
	for _, part := range parts {
		switch {
		case part.Op != syntax.OpLiteral || part.Flags&syntax.FoldCase != 0:
			text, isText = "", false
		default:
			for i, piece := range strings.Split(string(part.Rune), "/") {
				if i > 0 && !end() {
					return nil
				}
				if isText {
					text += piece
				}
			}
		}
	}
	if !end() {
		return nil
	}
	return segments
}

// sequence returns the expressions that match one after the other, without anchors.
func sequence(e *syntax.Regexp) []*syntax.Regexp {
	switch e.Op {
	case syntax.OpBeginText, syntax.OpEndText:
		return nil
	case syntax.OpConcat, syntax.OpCapture:
	default:
		return []*syntax.Regexp{e}
	}
	var all []*syntax.Regexp
	for _, sub := range e.Sub {
		all = append(all, sequence(sub)...)
	}
	return all
}
