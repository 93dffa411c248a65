package mock

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
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
			example: func(url string) string { return curl(url, o, s.options.SelfSigned) },
		})
	}
	return info
}

// curl gives a command line that sends an operation a valid request, "" where
// none can be made. With insecure it takes any certificate.
func curl(url string, o *spec.Operation, insecure bool) string {
	options := generate.Options{Fill: "required", Examples: true}
	r, err := request.New(o, options).Valid(generate.NewKey(0, "curl", o.ID))
	if err != nil {
		return ""
	}
	shell := exchange.Shell{Insecure: insecure}
	return shell.Curl(url, r)
}
