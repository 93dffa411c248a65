package mock

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/fixtures"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// handleItems does to the session's items what a request asks for.
func handleItems(h *handled, documented *spec.Response) resources.Result {
	if !h.operation.Kept && len(h.ask.Variables) == 0 {
		return resources.Result{}
	}
	return h.contract.resources.Handle(&resources.Request{
		Request:    &h.ask,
		Documented: documented,
		Session:    h.session.State,
		Base:       h.contract.fixtures,
		Replies:    h.session.Value().replies,
	}, &h.answer)
}

// loadFixtures makes what sessions begin with. The error is a *DataError or an
// *OptionError.
func (c *contract) loadFixtures(o *Options) error {
	loaded, findings, err := fixtures.Load(c.resources, c.router, fixtures.Options{
		Paths:         o.Data,
		Limits:        state.Limits{Items: o.MaxItems, Bytes: o.MaxState},
		Seed:          o.Seed,
		SeedItems:     o.SeedItems,
		RefuseUnknown: o.UnknownItems == "refuse",
	})
	switch {
	case err != nil:
		return &OptionError{"Data", err.Error()}
	case len(findings) > 0:
		return &DataError{findings}
	}
	c.fixtures, c.data = loaded.View, loaded.Files
	c.findings = append(c.findings, loaded.Warnings...)
	return nil
}

// DataError lists the errors of the files of Options.Data.
type DataError struct {
	Findings []Finding
}

func (e *DataError) Error() string {
	return lines(e.Findings, func(f Finding) string {
		place := f.Document.String()
		if f.Document.Pointer != "" {
			place += ": " + f.Document.Pointer
		}
		return place + ": " + f.Message
	})
}

// lines gives findings one a line, as many as people read.
func lines(findings []Finding, text func(Finding) string) string {
	const most = 100
	var b strings.Builder
	for i, f := range findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == most {
			fmt.Fprintf(&b, "… and %d more", len(findings)-i)
			break
		}
		b.WriteString(text(f))
	}
	return b.String()
}
