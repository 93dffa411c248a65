package mock

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// The start page. It is self-contained: it has no script and loads no other resource.
var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	page = template.Must(template.New("page").Parse(strings.Replace(pageText, "STYLE", pageStyle, 1)))

	pageFields = exchange.Header{
		{Name: "Content-Type", Value: "text/html; charset=utf-8"},
		{Name: "Content-Security-Policy", Value: "default-src 'none'; style-src 'sha256-" + digest(pageStyle) +
			"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
		{Name: "Referrer-Policy", Value: "no-referrer"},
		{Name: "Cache-Control", Value: "no-store"},
		{Name: "Vary", Value: "Accept"},
	}
)

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Limits of the lists on the page.
const (
	mostListed = 500 // operations, sessions
	mostOnPage = 20  // findings
)

type pageData struct {
	Title, Version, File string
	Bases                []string
	Operations           []pageOperation
	More                 int // operations beyond mostListed
	Findings             []string
	FindingCount         int
	Scenarios            []string
	Sessions             []pageSession
	Issuer               string // "" if none
	Control              string // the address of the control API; "" if the reader may not see it
}

type pageOperation struct{ Method, Path, Summary, Try string }

type pageSession struct {
	Name  string
	Items int
}

// startPage answers a browser at / with the page, unless the document has this path. It returns nil for other
// requests.
func startPage(s *Server, r *exchange.Request) *httpserver.Answer {
	var match route.Match
	if r.Path != "/" || !control.WantsPage(r) {
		return nil
	}
	if _, result := s.current.Load().find(r, &match); result != route.NotFound {
		return nil
	}
	return new(writePage(s, s.control.Open(r.Header)))
}

// writePage renders the page, with parts of the control API only if open is set: the reader may use it.
func writePage(s *Server, open bool) httpserver.Answer {
	c, info := s.current.Load(), s.Info()
	d := pageData{
		Title: cmp.Or(info.Title, "API without a title"), Version: info.Version, File: info.File,
		FindingCount: len(info.Findings),
	}
	d.Issuer = info.Issuer
	for _, path := range info.BasePaths {
		d.Bases = append(d.Bases, s.URL()+path)
	}
	for i, o := range c.Operations {
		if i == mostListed {
			d.More = len(c.Operations) - mostListed
			break
		}
		d.Operations = append(d.Operations, pageOperation{o.Method, o.Path, o.Summary, tryLink(o)})
	}
	for _, f := range info.Findings[:min(len(info.Findings), mostOnPage)] {
		d.Findings = append(d.Findings, fmt.Sprintf("%s: %s", f.Severity, f))
	}
	if open {
		d.Control = s.ControlURL() + control.Prefix
		if s.apart == nil {
			d.Control = control.Prefix
		}
		for _, one := range c.scenarios.Scenarios {
			if one.Active {
				d.Scenarios = append(d.Scenarios, one.Name)
			}
		}
		for _, one := range s.sessions.List() {
			if len(d.Sessions) < mostListed {
				d.Sessions = append(d.Sessions, pageSession{one.Name, one.State.View().Total()})
			}
		}
	}
	var text bytes.Buffer
	if err := page.Execute(&text, d); err != nil {
		s.log.note("the page cannot be written: %v", err)
	}
	return httpserver.Answer{Response: &exchange.Response{
		Status: 200, Header: pageFields[:len(pageFields):len(pageFields)], Body: visible.Bytes(text.Bytes()),
	}}
}

// tryLink returns the target of a valid request to an operation that a browser can follow; "" if none, or if
// a browser would take the path for a host.
func tryLink(o *spec.Operation) string {
	if o.Method != http.MethodGet {
		return ""
	}
	r, err := request.Sample(o)
	if err != nil || !strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, "//") || strings.HasPrefix(r.Path, `/\`) {
		return ""
	}
	if r.Query != "" {
		return r.Path + "?" + r.Query
	}
	return r.Path
}
