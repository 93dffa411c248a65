package cases

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formats"
)

// proposeFormats sends strings of each format that are right and that are
// plausibly wrong.
func proposeFormats(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	format := formats.Lookup(f.format)
	if f.jsonTypes&isText == 0 || format == nil || f.values != nil {
		return
	}
	for i, wrong := range format.Wrong {
		rank := usual
		switch {
		case i == 0:
			rank = essential
		case i > 2:
			rank = exotic
		}
		p.refused(rank, "format", "no "+f.format, wrong)
	}
	if s.parameter != nil && s.parameter.In == exchange.InHeader && s.optional { // many programs cannot tell it from none
		p.try(usual, "empty", constants(""))
	} else {
		p.refused(usual, "format", "empty", "")
	}
	for _, right := range format.Boundary {
		p.accepted(exotic, "another "+f.format, right)
	}
}
