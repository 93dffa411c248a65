package issuer

import (
	"html/template"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// mode is a response mode: how the browser carries a response of the authorization endpoint to the client.
type mode struct {
	name   string // response_mode
	source string
	answer func(to string, with url.Values) httpserver.Answer
}

const encodings = "OAuth 2.0 Multiple Response Type Encoding Practices section 2.1"

// modes are all response modes, the default first.
var modes = []mode{
	{"query", encodings, func(to string, with url.Values) httpserver.Answer {
		separator := "?"
		if strings.Contains(to, "?") {
			separator = "&"
		}
		return located(to + separator + with.Encode())
	}},
	{"fragment", encodings, func(to string, with url.Values) httpserver.Answer {
		return located(to + "#" + with.Encode())
	}},
	{"form_post", "OAuth 2.0 Form Post Response Mode section 2", func(to string, with url.Values) httpserver.Answer {
		return html(posting, map[string]any{"To": template.URL(to), "With": with})
	}},
}

func located(to string) httpserver.Answer {
	return httpserver.Answer{Response: &exchange.Response{Status: 302, Header: exchange.Header{
		{Name: "Location", Value: to}, {Name: "Cache-Control", Value: "no-store"},
	}}}
}

const postScript = "document.forms[0].submit()"

var posting = template.Must(template.New("posting").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Back to the client</title>
<form method="post" action="{{.To}}">
{{range $name, $values := .With}}{{range $values}}<input type="hidden" name="{{$name}}" value="{{.}}">
{{end}}{{end}}<noscript><button>Continue</button></noscript>
</form>
<script>` + postScript + `</script>
</html>
`))

// mode returns the response mode of a request, nil if it is unknown.
func (c *call) mode() *mode {
	asked := c.value("response_mode")
	for n := range modes {
		if asked == modes[n].name || asked == "" {
			return &modes[n]
		}
	}
	return nil
}

// redirect sends a response to the client with a mode.
func (c *call) redirect(by *mode, with url.Values) httpserver.Answer {
	if by == nil {
		by = &modes[0]
	}
	if state := c.value("state"); state != "" {
		with.Set("state", state)
	}
	with.Set("iss", c.url) // RFC 9207 section 2
	return by.answer(c.value("redirect_uri"), with)
}

// redirectError sends an error to the client (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6).
func (c *call) redirectError(code, detail string) httpserver.Answer {
	return c.redirect(c.mode(), url.Values{"error": {code}, "error_description": {detail}})
}
