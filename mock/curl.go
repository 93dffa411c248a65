package mock

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
)

// curl gives a command line that sends an operation a request with which all
// is well; "" where none can be made.
func curl(url string, o *spec.Operation) string {
	options := generate.Options{Fill: "required", Examples: true}
	r, err := request.New(o, options).Valid(generate.NewKey(0, "curl", o.ID))
	if err != nil {
		return ""
	}
	return curlLine(url, r)
}

func curlLine(url string, r *exchange.Request) string {
	target := url + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	words := []string{"curl", quoteShell(target)}
	if strings.HasPrefix(url, "https:") {
		words = append(words, "--insecure")
	}
	if r.Method != "GET" && (r.Method != "POST" || len(r.Body) == 0) {
		words = append(words, "-X", r.Method)
	}
	for _, f := range r.Header {
		words = append(words, "-H", quoteShell(f.Name+": "+f.Value))
	}
	if len(r.Body) > 0 {
		option := "-d"
		if strings.ContainsAny(string(r.Body), "\r\n") { // which -d would take out
			option = "--data-binary"
		}
		words = append(words, option, quoteShell(string(r.Body)))
	}
	return strings.Join(words, " ")
}

func quoteShell(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
