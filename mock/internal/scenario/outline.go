package scenario

import (
	"github.com/coldframe/coldframe/internal/exchange"
)

// Outline is what a file says of itself, whatever the document.
type Outline struct {
	Name        string
	Description string
	File        string
	Active      bool
}

// Outlines reads files and directories as Load does, but nothing of their
// rules. The findings are on the rest.
func Outlines(paths ...string) ([]Outline, []exchange.Finding, error) {
	files, _, err := expand(paths)
	if err != nil {
		return nil, nil, err
	}
	var outlines []Outline
	var findings []exchange.Finding
	for _, file := range files {
		source, err := read(file)
		if err != nil {
			return nil, nil, err
		}
		p := newParser(nil, file, source)
		if root := p.read(); root != nil {
			p.head(root, p.keys(root, "a scenario", fileKeys))
			s := p.scenario
			outlines = append(outlines, Outline{s.Name, s.Description, s.File, s.Active})
		}
		findings = append(findings, p.findings...)
	}
	return outlines, exchange.Sort(findings), nil
}
