package issuer

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"html/template"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// The page on which a person chooses a user.
var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	page = template.Must(template.New("page").Parse(strings.Replace(pageText, "STYLE", pageStyle, 1)))

	// leaving asks whether to log out.
	//
	//go:embed leaving.html
	leavingText string

	leaving = template.Must(template.New("leaving").Parse(strings.Replace(leavingText, "STYLE", pageStyle, 1)))
)

type pageData struct {
	Title, API, Action, Client, Hint string
	Scopes, Users                    []string
	Fields                           map[string]string
	UserCode                         bool
}

const mostOffered = 20 // users on the page

func (c *call) choose(title, action string) httpserver.Answer {
	d := pageData{
		Title: title, API: c.document.title, Action: action, Client: c.value("client_id"), Hint: c.value("login_hint"),
		Scopes: strings.Fields(c.value("scope")), Users: c.issuer.options.Users(c.Request, mostOffered),
		Fields: map[string]string{}, UserCode: strings.HasSuffix(action, "/device"),
	}
	for name := range c.values {
		if name != "user" && name != "user_code" && name != "deny" {
			d.Fields[name] = c.value(name)
		}
	}
	if d.UserCode {
		d.Hint = c.value("user_code")
	}
	return html(page, d)
}

// html renders a page. Its policy does not restrict the target of its form: browsers would apply the restriction to
// all following redirects, and a client may redirect anywhere, or be an app with its own scheme.
func html(t *template.Template, data any) httpserver.Answer {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return *text(500, "the page cannot be written")
	}
	return httpserver.Answer{Response: &exchange.Response{Status: 200, Body: b.Bytes(), Header: exchange.Header{
		{Name: "Content-Type", Value: "text/html; charset=utf-8"},
		{Name: "Content-Security-Policy", Value: "default-src 'none'; style-src 'sha256-" + digest(pageStyle) +
			"'; script-src 'sha256-" + digest(postScript) + "'; base-uri 'none'; frame-ancestors 'none'"},
		{Name: "X-Content-Type-Options", Value: "nosniff"}, {Name: "Cache-Control", Value: "no-store"},
		{Name: "Referrer-Policy", Value: "same-origin"}, // without a referrer, its form would have Origin: null
	}}}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
