package mock

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// curl gives a command line that sends an operation a request with which all
// is well: required parameters, credentials and body.
func curl(url string, o *spec.Operation) string {
	c := curlLine{path: o.Path, key: generate.NewKey(0, "curl", o.ID)}
	if strings.HasPrefix(url, "https:") {
		c.words = append(c.words, "--insecure")
	}
	if o.Method != "GET" {
		c.words = append(c.words, "-X", o.Method)
	}
	if len(o.Security) > 0 {
		for _, need := range o.Security[0] {
			c.credentials(need.Scheme)
		}
	}
	for _, p := range o.Parameters {
		if p.Required {
			c.parameter(p)
		}
	}
	if o.Body != nil && len(o.Body.Content) > 0 {
		c.body(o.Body.Content)
	}
	target := url + c.path
	if len(c.query) > 0 {
		target += "?" + strings.Join(c.query, "&")
	}
	return strings.Join(append([]string{"curl", quoteShell(target)}, c.words...), " ")
}

type curlLine struct {
	path  string
	query []string
	words []string
	key   generate.Key
}

func (c *curlLine) header(name, value string) {
	c.words = append(c.words, "-H", quoteShell(name+": "+value))
}

func (c *curlLine) credentials(s *spec.SecurityScheme) {
	switch {
	case s.Type == "apiKey" && s.In == exchange.InQuery:
		c.query = append(c.query, s.Name+"=key")
	case s.Type == "apiKey" && s.In == exchange.InCookie:
		c.header("Cookie", s.Name+"=key")
	case s.Type == "apiKey":
		c.header(s.Name, "key")
	case s.Type == "http" && s.Scheme == "basic":
		c.words = append(c.words, "-u", "user:password")
	case s.Type == "http" && s.Scheme != "bearer":
		c.header("Authorization", s.Scheme+" credentials")
	case s.Type != "mutualTLS":
		c.header("Authorization", "Bearer token")
	}
}

func (c *curlLine) parameter(p *spec.Parameter) {
	var value any = "text"
	schema := p.Schema
	if p.Content != nil {
		schema = p.Content.Schema
	}
	if at := slices.IndexFunc(p.Examples, func(e *spec.Example) bool { return len(e.Broken) == 0 }); at >= 0 {
		value = p.Examples[at].Value
	} else if schema != nil {
		generated, err := generate.New(schema, generate.Options{Fill: "required", Examples: true}).Value(c.key.Child(p.Name))
		if err != nil {
			return
		}
		value = generated
	}
	text, err := decode.Encode(p, value)
	if err != nil {
		return
	}
	switch p.In {
	case exchange.InPath:
		c.path = strings.ReplaceAll(c.path, "{"+p.Name+"}", text)
	case exchange.InHeader:
		c.header(p.Name, text)
	case exchange.InCookie:
		c.header("Cookie", text)
	default:
		c.query = append(c.query, text)
	}
}

func (c *curlLine) body(content []*spec.MediaType) {
	media := content[0]
	if at := slices.IndexFunc(content, (*spec.MediaType).IsJSON); at >= 0 {
		media = content[at]
	}
	if at := slices.IndexFunc(media.Examples, func(e *spec.Example) bool { return len(e.Broken) == 0 }); at >= 0 && media.IsJSON() {
		c.json(media, media.Examples[at].Value)
	} else if media.Schema != nil && media.IsJSON() {
		value, err := generate.New(media.Schema, generate.Options{Fill: "required", Examples: true}).Value(c.key)
		if err == nil {
			c.json(media, value)
		}
	} else {
		c.header("Content-Type", media.Concrete())
	}
}

func (c *curlLine) json(media *spec.MediaType, value any) {
	c.header("Content-Type", media.Concrete())
	c.words = append(c.words, "-d", quoteShell(string(jsontext.Append(nil, value))))
}

func quoteShell(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
