package contracts

import (
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// commands writes the command lines of findings. Credentials are in them as
// variables of the environment, those that the program itself reads, so that a
// line can be run and gives nothing away. It is immutable and safe for concurrent
// use.
type commands struct {
	secrets   *auth.Secrets
	misplaced *auth.Secrets // also where a case may have put a key
	given     func(*spec.SecurityScheme) bool
	keys      []string // the names of the document's API keys
	headers   []string // that the user gave, which may be credentials
	insecure  bool     // whether the run takes any certificate
}

// newCommands writes for the operations of a contract. given says which
// credentials are the user's, so secret; others are made up and shown.
func newCommands(c *spec.Contract, headers http.Header, given func(*spec.SecurityScheme) bool, insecure bool) *commands {
	all := &commands{secrets: auth.NewSecrets(c.Operations...), given: given, insecure: insecure}
	for name := range headers {
		all.headers = append(all.headers, name)
	}
	all.secrets.Headers = append(all.secrets.Headers, all.headers...)
	for _, o := range c.Operations {
		for _, requirement := range o.Security {
			for _, need := range requirement {
				if s := need.Scheme; s != nil && s.Type == "apiKey" && !slices.Contains(all.keys, s.Name) {
					all.keys = append(all.keys, s.Name)
				}
			}
		}
	}
	all.misplaced = &auth.Secrets{
		Headers: slices.Concat(all.secrets.Headers, all.keys), Query: slices.Concat(all.secrets.Query, all.keys), Cookies: slices.Concat(all.secrets.Cookies, all.keys),
	}
	return all
}

// redact gives a request without its credentials.
func (c *commands) redact(x *checks.Exchange) *exchange.Request {
	if slices.ContainsFunc(x.Case.Credentials, func(c cases.Credential) bool { return c.Form == cases.Misplaced }) {
		return c.misplaced.Redact(x.Request)
	}
	return c.secrets.Redact(x.Request)
}

// command is one that is being written.
type command struct {
	*commands
	exchange.Shell
	x *checks.Exchange
}

// line gives the command that sends a request; redacted is that without its
// credentials.
func (c *commands) line(base string, x *checks.Exchange, redacted *exchange.Request) string {
	w := &command{commands: c, Shell: exchange.Shell{Insecure: c.insecure}, x: x}
	r := *redacted
	r.Header = nil
	for i, f := range redacted.Header {
		real := x.Request.Header[i].Value
		switch {
		case !strings.Contains(f.Value, auth.Redacted):
		case strings.EqualFold(f.Name, "Cookie") && f.Value != auth.Redacted:
			f.Value = w.pairs(f.Value, real, ";")
		case strings.EqualFold(f.Name, "Authorization") && !w.own(f.Name):
			if f.Value = w.authorization(real); f.Value == "" { // it is an option
				continue
			}
		default:
			f.Value = w.key(f.Name, real)
		}
		r.Header = append(r.Header, f)
	}
	if strings.Contains(r.Query, auth.Redacted) {
		r.Query = w.pairs(r.Query, x.Request.Query, "&")
	}
	return w.Curl(base, &r)
}

// own reports whether a field is of those that the user gave, and of no scheme.
func (w *command) own(name string) bool { return w.named(name) && w.credential(name) == nil }

// named reports whether the user gave a field of that name.
func (w *command) named(name string) bool {
	return slices.ContainsFunc(w.headers, func(h string) bool { return strings.EqualFold(h, name) })
}

// madeUp reports whether what is in a field is nobody's secret.
func (w *command) madeUp(name string, c *cases.Credential) bool {
	return c != nil && !w.given(c.Scheme) && !w.named(name)
}

// credential finds what the case puts into a field, a cookie or a parameter; nil
// for nothing.
func (w *command) credential(name string) *cases.Credential {
	all := w.x.Case.Credentials
	for i := len(all) - 1; i >= 0; i-- { // the last has the field
		s := all[i].Scheme
		if s.Type == "apiKey" && strings.EqualFold(s.Name, name) || s.Type != "apiKey" && s.Type != "mutualTLS" && strings.EqualFold(name, "Authorization") {
			return &all[i]
		}
	}
	return nil
}

// pairs writes the keys among cookies or parameters.
func (w *command) pairs(redacted, real, separator string) string {
	all, values := strings.Split(redacted, separator), strings.Split(real, separator)
	for i, pair := range all {
		if name, value, _ := strings.Cut(pair, "="); value == auth.Redacted {
			_, was, _ := strings.Cut(values[i], "=")
			all[i] = name + "=" + w.key(strings.TrimSpace(name), was)
		}
	}
	return strings.Join(all, separator)
}

// noCredential stands for one that is wrong: what was sent is made from the good
// one.
const noCredential = "wrong"

// key writes an API key, or a field that the user gave.
func (w *command) key(name, real string) string {
	c := w.credential(name)
	switch {
	case w.madeUp(name, c):
		return real
	case c != nil && c.Form == cases.Wrong:
		return noCredential
	case w.own(name):
		return w.Expand(variable("COLDFRAME_HEADER", name, len(w.headers), "#*: "))
	}
	return w.spoiled(c, variable("COLDFRAME_API_KEY", name, len(w.keys), "#*="))
}

// spoiled writes what a case makes of a good key or token.
func (w *command) spoiled(c *cases.Credential, expansion string) string {
	if c == nil {
		return w.Expand(expansion)
	}
	switch {
	case c.Form == cases.Foreign && c.Other != nil && c.Other.Type == "apiKey":
		expansion = variable("COLDFRAME_API_KEY", c.Other.Name, len(w.keys), "#*=")
	case c.Form == cases.Foreign && c.Other != nil:
		expansion = "$COLDFRAME_TOKEN"
	case c.Form == cases.OtherCase:
		expansion = `$(printf %s "` + expansion + `" | tr a-zA-Z A-Za-z)`
	case c.Form == cases.Suffixed:
		if name, bare := strings.CutPrefix(expansion, "$"); bare && name[0] != '{' {
			expansion = "${" + name + "}"
		}
		expansion += suffix
	}
	return w.Expand(expansion)
}

// variable gives the expansion for one of several values: the program's own
// variable without the name in front where there is only one, else one for each
// name.
func variable(program, name string, several int, cut string) string {
	if several <= 1 {
		return "${" + program + cut + "}"
	}
	return "$" + program + "_" + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// The user's name and password as curl takes them, and as Basic writes them (RFC
// 7617 section 2).
const (
	userOption       = `-u "$COLDFRAME_USER"`
	suffixedOption   = `-u "${COLDFRAME_USER}` + suffix + `"`
	noPasswordOption = `-u "${COLDFRAME_USER%%:*}:"`
	userName         = `${COLDFRAME_USER%%:*}`
	encodedUser      = `$(printf %s "$COLDFRAME_USER" | base64 | tr -d '\n')`
)

// authorization writes the value of Authorization; it is "" where an option takes
// its place.
func (w *command) authorization(real string) string {
	c := w.credential("Authorization")
	word, _, _ := strings.Cut(real, " ")
	if c == nil {
		c = &cases.Credential{Scheme: w.scheme(word)}
	} else if w.madeUp("Authorization", c) {
		return real
	}
	if c.Form == cases.Empty {
		return real
	}
	if c.Form == cases.Bare {
		return w.Expand("$COLDFRAME_TOKEN")
	}
	if word == auth.Redacted { // in what was recorded
		if word = "Bearer"; c.Scheme.Type == "http" && c.Scheme.Scheme != "bearer" {
			word = c.Scheme.Scheme
		}
	}
	if c.Scheme.Type != "http" || c.Scheme.Scheme != "basic" {
		if c.Form == cases.Wrong {
			return word + " " + noCredential
		}
		return word + " " + w.spoiled(c, "$COLDFRAME_TOKEN")
	}
	switch c.Form {
	case cases.Wrong:
		return word + " " + encoded(noCredential+":"+noCredential)
	case cases.OtherScheme:
		return word + " " + w.Expand(encodedUser)
	case cases.Garbled:
		return word + " !" + w.Expand(userName) + "!"
	case cases.Suffixed:
		w.Option(suffixedOption)
		return ""
	case cases.NoPassword:
		w.Option(noPasswordOption)
		return ""
	}
	w.Option(userOption)
	return ""
}

// scheme is what a recorded Authorization is of: its own first word, or where
// that is not known what the operation asks for.
func (w *command) scheme(word string) *spec.SecurityScheme {
	if word != auth.Redacted {
		return &spec.SecurityScheme{Type: "http", Scheme: strings.ToLower(word)}
	}
	for _, requirement := range w.x.Case.Operation.Security {
		for _, need := range requirement {
			if s := need.Scheme; s != nil && s.Type != "apiKey" && s.Type != "mutualTLS" {
				return s
			}
		}
	}
	return &spec.SecurityScheme{Type: "http", Scheme: "bearer"}
}
