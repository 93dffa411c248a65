package mock

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
)

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
