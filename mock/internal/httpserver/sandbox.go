package httpserver

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

const (
	policyField  = "Content-Security-Policy"
	nosniffField = "X-Content-Type-Options"

	// sandboxPolicy makes a browser show a document in an origin of its own (Content Security Policy Level 3 section
	// 6.3.2). Scripts, forms and windows still work; their requests have Origin: null.
	sandboxPolicy = "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts"
)

// Sandbox prevents a response from acting in the origin of the server, whatever a document, a scenario or a client
// has put into it. Responses without active content are not changed. If there is a policy already, the sandbox is
// added after it: browsers apply both.
func Sandbox(r *exchange.Response) {
	kind, kinds, policed := "", 0, false
	for i := range r.Header {
		switch f := &r.Header[i]; len(f.Name) {
		case len("Content-Type"):
			if strings.EqualFold(f.Name, "Content-Type") {
				kind, kinds = f.Value, kinds+1
			}
		case len(policyField):
			policed = policed || strings.EqualFold(f.Name, policyField)
		}
	}
	switch {
	case policed: // even for an inert response: a 304 replaces the policy of the stored response (RFC 9111 section 3.2)
	case kinds == 0 && len(r.Body) == 0 && r.Status != 304, kinds == 1 && isInert(kind):
		return
	}
	r.Header.Set(nosniffField, "nosniff")
	r.Header = append(r.Header, exchange.Field{Name: policyField, Value: sandboxPolicy})
	if kind, _, _ := strings.Cut(kind, "/"); kinds > 1 || strings.EqualFold(strings.TrimSpace(kind), "multipart") {
		r.Header.Set("Content-Disposition", "attachment") // each part has its own fields
	}
}

// inertKinds are top-level media types without active content, except XML types (image/svg+xml).
var inertKinds = []string{"image", "audio", "video", "font"}

// isInert reports whether a browser only shows, plays, parses or stores a body with a Content-Type, and executes none
// of it. Values that browsers may read differently (https://mimesniff.spec.whatwg.org/#parsing-a-mime-type, or as a
// list of several) are not inert.
func isInert(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	essence, _, _ := strings.Cut(contentType, ";")
	kind, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(essence)), "/")
	switch {
	case !ok || kind == "" || subtype == "" || !exchange.IsToken(kind) || !exchange.IsToken(subtype) ||
		strings.Contains(contentType, ","):
		return false
	case slices.Contains(inertKinds, kind):
		return !strings.Contains(subtype, "xml") && !strings.Contains(subtype, "svg") && !strings.Contains(subtype, "*")
	}
	name := kind + "/" + subtype
	return name == "text/plain" || name == "application/octet-stream" || jsontext.IsMediaType(name)
}
