package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
)

// Info describes what a server serves.
type Info struct {
	Title      string
	Version    string // of the API
	File       string // the document's
	Operations []OperationInfo
	Scenarios  []string  // names, in order
	Findings   []Finding // on the document and the scenarios
	Files      []string  // that the document, the scenarios and the data were read from
}

// OperationInfo is one operation of the document.
type OperationInfo struct {
	ID      string
	Method  string
	Path    string // the template
	Summary string
	example func(url string) string
}

// Curl gives a command line that sends a valid request to the operation at a scheme
// and host; "" where no valid request can be generated.
func (o OperationInfo) Curl(url string) string { return o.example(url) }

// Info describes what the server serves now.
func (s *Server) Info() Info {
	c := s.current.Load()
	info := Info{
		Title:     c.Title,
		Version:   c.Version,
		File:      c.File,
		Scenarios: c.scenarios.Names(),
		Findings:  c.findings,
		Files:     slices.Concat(c.Files, c.scenarios.Files, c.data),
	}
	for _, o := range c.Operations {
		info.Operations = append(info.Operations, OperationInfo{
			ID: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary,
			example: func(url string) string {
				r, err := request.New(o, generate.Options{Fill: "required", Examples: true}).Valid(generate.NewKey(0, "curl", o.ID))
				if err != nil {
					return ""
				}
				shell := exchange.Shell{Insecure: s.options.SelfSigned}
				return shell.Curl(url, r)
			},
		})
	}
	return info
}

// Coverage reports what of the document was used, with the place of each operation, parameter, value, media
// type, status and property. Reaches and Missing query it; Text, LCOV and JSON write it.
type Coverage = coverage.Report

// Coverage reports what of the document was used since the server started. Parts
// that a reload keeps keep their counts.
func (s *Server) Coverage() *Coverage { return s.current.Load().coverage.Report() }
