package credentials

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// Presenter shows exchanges without credentials. Command lines have them as
// variables of the environment, those that the program itself reads, so that a line
// can be run. It is immutable and safe for concurrent use.
type Presenter struct {
	secrets   *auth.Secrets
	misplaced *auth.Secrets          // also in the places where a case may put a key
	keyring   *Keyring               // nil for recordings, of which every credential is somebody's
	keys      []*spec.SecurityScheme // the contract's API keys
	headers   []string               // that the user gave
	insecure  bool
}

// NewPresenter makes the presenter of a contract. keyring has what the user gave, nil for recordings; its
// placeholders of other schemes are shown. insecure says that the run takes any certificate.
func NewPresenter(c *spec.Contract, keyring *Keyring, insecure bool) *Presenter {
	p := &Presenter{secrets: auth.NewSecrets(c.Operations...), keyring: keyring, insecure: insecure}
	if keyring != nil {
		p.headers = slices.DeleteFunc(slices.Collect(maps.Keys(keyring.given.Headers)), isOrdinary)
		p.secrets.Declared = true // values that cases make for parameters called password are not secrets
	}
	p.secrets.Headers = append(p.secrets.Headers, p.headers...)
	var names []string
	for _, s := range schemesOf(c) {
		if s.Type == "apiKey" {
			p.keys, names = append(p.keys, s), append(names, s.Name)
		}
	}
	p.misplaced = &auth.Secrets{
		Headers: slices.Concat(p.secrets.Headers, names), Query: slices.Concat(p.secrets.Query, names),
		Cookies: slices.Concat(p.secrets.Cookies, names), Declared: p.secrets.Declared,
	}
	return p
}

// maxShownBody is how many bytes of a body are shown.
const maxShownBody = 16 << 10

// maxShownFields is how many bytes of a response's fields are shown, names and values together.
const maxShownFields = 8 << 10

// cutFields leaves the first fields of a header that have so many bytes together, and returns how many others there
// were, and the bytes of all that is left out. A field that fits in part keeps the beginning of its value.
func cutFields(h *exchange.Header, most int) (fields, bytes int) {
	var shown exchange.Header
	for _, f := range *h {
		switch left := most - len(f.Name); {
		case left <= 0:
			fields, bytes, most = fields+1, bytes+len(f.Name)+len(f.Value), 0
		case len(f.Value) > left:
			bytes, most = bytes+len(f.Value)-left, 0
			f.Value = strings.ToValidUTF8(strings.Clone(f.Value[:left]), "") + "…"
			shown = append(shown, f)
		default:
			most = left - len(f.Value)
			shown = append(shown, f)
		}
	}
	*h = shown
	return fields, bytes
}

// Show returns an exchange without credentials, also if the response repeats them.
// base comes before the request's path in the command line.
func (p *Presenter) Show(base string, x *checks.Exchange) report.Sent {
	sent := p.secretsOf(x).Sent(x.Request)
	r := p.redact(x)
	s := report.Sent{Request: r.Plain(), RequestSize: len(x.Request.Body), Curl: p.hide(p.command(base, x, r))}
	s.Request.Body = r.Body[:min(len(r.Body), maxShownBody)]
	if x.Response != nil {
		shown := p.secrets.RedactResponse(x.Response)
		s.ResponseSize = x.BodySize()
		shown.Header = sent.HideHeader(slices.Clone(shown.Header))
		for i, f := range shown.Header {
			shown.Header[i] = exchange.Field{Name: p.hide(f.Name), Value: p.hide(f.Value)}
		}
		s.FieldsLeftOut, s.FieldBytesLeftOut = cutFields(&shown.Header, maxShownFields)
		shown.Body = bytes.Clone(p.hideBytes(sent.HideBytes(shown.Body), maxShownBody))
		s.Response = &shown
	}
	if x.Fault != nil {
		s.Fault = p.HideIn(x, x.Fault.Message)
	}
	return s
}

// HideIn returns a text about an exchange without its credentials.
func (p *Presenter) HideIn(x *checks.Exchange, text string) string {
	return p.hide(p.secretsOf(x).Sent(x.Request).Hide(text))
}

func (p *Presenter) hide(text string) string {
	if p.keyring == nil {
		return text
	}
	return p.keyring.Hide(text)
}

func (p *Presenter) hideBytes(text []byte, most int) []byte {
	if p.keyring == nil {
		return text[:min(len(text), most)]
	}
	return p.keyring.hider.hide(text, most)
}

func (p *Presenter) secretsOf(x *checks.Exchange) *auth.Secrets {
	for _, c := range x.Case.Credentials {
		if c.Form == cases.Misplaced {
			return p.misplaced
		}
	}
	return p.secrets
}

// redact returns the request without credentials, also where it repeats them elsewhere, as in a key that the
// backend has made of one.
func (p *Presenter) redact(x *checks.Exchange) *exchange.Request {
	r := *p.secretsOf(x).Redact(x.Request)
	r.Path, r.Query = p.hide(r.Path), p.hide(r.Query)
	r.Header = slices.Clone(r.Header)
	for i, f := range r.Header {
		r.Header[i].Value = p.hide(f.Value)
	}
	r.Body = p.hideBytes(r.Body, len(r.Body))
	return &r
}

func (p *Presenter) command(base string, x *checks.Exchange, redacted *exchange.Request) string {
	w := &commandWriter{Presenter: p, Shell: exchange.Shell{Insecure: p.insecure}, x: x}
	if x.Case.As != "" {
		w.identity = variable("COLDFRAME_TOKEN", x.Case.As, 2, "")
	}
	r := *redacted
	r.Header = nil
	for i, f := range redacted.Header {
		original := x.Request.Header[i].Value
		switch {
		case !strings.Contains(f.Value, auth.Redacted):
		case strings.EqualFold(f.Name, "Cookie") && f.Value != auth.Redacted:
			f.Value = w.pairs(f.Value, original, ";")
		case f.Value != auth.Redacted: // elsewhere in another field
		case strings.EqualFold(f.Name, "Authorization") && !w.isUserHeader(f.Name) && w.isAuthorization(original):
			if f.Value = w.authorization(original); f.Value == "" { // it is an option
				continue
			}
		default:
			f.Value = w.key(f.Name, original)
		}
		r.Header = append(r.Header, f)
	}
	if strings.Contains(r.Query, auth.Redacted) {
		r.Query = w.pairs(r.Query, x.Request.Query, "&")
	}
	return w.Curl(base, &r)
}

type commandWriter struct {
	*Presenter
	exchange.Shell
	x        *checks.Exchange
	identity string // the expansion for the token of another identity; "" for the run's own credentials
}

// givenHeader reports whether the user gave a field of that name, isUserHeader
// whether it is sent as the user gave it.
func (w *commandWriter) givenHeader(name string) bool {
	return slices.ContainsFunc(w.headers, func(h string) bool { return strings.EqualFold(h, name) })
}

func (w *commandWriter) isUserHeader(name string) bool {
	c := w.credential(name)
	return w.givenHeader(name) && (c == nil || c.Form == cases.Given)
}

// isPlaceholder reports whether the value of a field is not a secret.
func (w *commandWriter) isPlaceholder(name string, c *cases.Credential) bool {
	return c != nil && w.keyring != nil && !w.keyring.has(c.Scheme) && !w.givenHeader(name)
}

// isAuthorization reports whether the value of Authorization is not an API key, in a recording by the operation.
func (w *commandWriter) isAuthorization(value string) bool {
	const name = "Authorization"
	if c := w.credential(name); c != nil {
		return c.Scheme.Type != "apiKey"
	}
	key := w.recordedKey(name)
	isToken := func(need spec.Need) bool { return inAuthorization(need.Scheme) }
	return key == nil || slices.ContainsFunc(slices.Concat(w.x.Case.Operation.Security...), isToken) &&
		strings.Contains(value, " ")
}

// recordedKey returns the API key of that name which a recorded operation takes; nil if none.
func (w *commandWriter) recordedKey(name string) *spec.SecurityScheme {
	for _, need := range slices.Concat(w.x.Case.Operation.Security...) {
		if need.Scheme.Type == "apiKey" && strings.EqualFold(need.Scheme.Name, name) {
			return need.Scheme
		}
	}
	return nil
}

// credential returns the last that the case puts into a field, a cookie or a parameter; nil if none.
func (w *commandWriter) credential(name string) *cases.Credential {
	for i := range slices.Backward(w.x.Case.Credentials) {
		c := &w.x.Case.Credentials[i]
		if c.Scheme.Type == "apiKey" && strings.EqualFold(c.Scheme.Name, name) ||
			inAuthorization(c.Scheme) && strings.EqualFold(name, "Authorization") {
			return c
		}
	}
	return nil
}

func inAuthorization(s *spec.SecurityScheme) bool { return s.Type != "apiKey" && s.Type != "mutualTLS" }

// pairs writes the keys among cookies or parameters.
func (w *commandWriter) pairs(redacted, original, separator string) string {
	all, originals := strings.Split(redacted, separator), strings.Split(original, separator)
	for i, pair := range all {
		if name, value, _ := strings.Cut(pair, "="); value == auth.Redacted {
			_, value, _ = strings.Cut(originals[i], "=")
			all[i] = name + "=" + w.key(strings.TrimSpace(name), value)
		}
	}
	return strings.Join(all, separator)
}

// wrongValue stands for a wrong credential: what was sent is derived from the good one.
const wrongValue = "wrong"

// key writes an API key, or a field that the user gave.
func (w *commandWriter) key(name, original string) string {
	c := w.credential(name)
	switch {
	case w.identity != "":
		return w.Expand(w.identity)
	case w.isPlaceholder(name, c):
		return original
	case c != nil && c.Form == cases.Wrong:
		return wrongValue
	case w.isUserHeader(name):
		return w.Expand(variable("COLDFRAME_HEADER", name, len(w.headers), "#*: "))
	}
	key := w.recordedKey(name)
	if c != nil {
		key = c.Scheme
	}
	return w.derivedFrom(w.keyVariable(name, key), c)
}

// keyVariable returns the expansion for an API key; s is nil for a key without a scheme. The
// names of parameters tell keys apart, and the names of schemes if several schemes have the same parameter.
func (p *Presenter) keyVariable(name string, s *spec.SecurityScheme) string {
	several, sameName := len(p.keys), 0
	for _, key := range p.keys {
		if strings.EqualFold(key.Name, name) {
			sameName++
		}
	}
	switch {
	case sameName == 0:
		several++
	case sameName > 1 && s != nil:
		name = s.Key
	}
	return variable("COLDFRAME_API_KEY", name, several, "#*=")
}

func (w *commandWriter) derivedFrom(expansion string, c *cases.Credential) string {
	if c == nil {
		return w.Expand(expansion)
	}
	switch {
	case c.Form == cases.Foreign && c.Other != nil && c.Other.Type == "apiKey":
		expansion = w.keyVariable(c.Other.Name, c.Other)
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

// variable returns the expansion for one of several values: the program's own variable without the name in
// front if there is only one, else one for each name.
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

const userName = `${COLDFRAME_USER%%:*}`

// authorization writes the value of Authorization; it is "" if an option takes its place.
func (w *commandWriter) authorization(original string) string {
	c := w.credential("Authorization")
	word, rest, _ := strings.Cut(original, " ")
	switch {
	case w.identity != "" && c != nil && isBasic(c.Scheme):
		return word + " " + w.Expand(`$(printf %s "`+w.identity+`" | base64)`)
	case w.identity != "":
		return word + " " + w.Expand(w.identity)
	}
	if rest == "" && c == nil {
		word = auth.Redacted // it may be the credential itself
	}
	if c == nil {
		c = &cases.Credential{Scheme: w.scheme(word)}
	} else if w.isPlaceholder("Authorization", c) {
		return original
	}
	if word == auth.Redacted { // in a recording
		if word = "Bearer"; c.Scheme.Type == "http" && c.Scheme.Scheme != "bearer" {
			word = c.Scheme.Scheme
		}
	}
	isWrong := c.Form == cases.Wrong || c.Form == cases.OtherWrong
	switch isBasic := isBasic(c.Scheme); {
	case c.Form == cases.Empty:
		return original
	case c.Form == cases.Bare:
		return w.Expand("$COLDFRAME_TOKEN")
	case isWrong && isBasic:
		return word + " " + encoded(wrongValue+":"+wrongValue)
	case isWrong:
		return word + " " + wrongValue
	case !isBasic:
		return word + " " + w.derivedFrom("$COLDFRAME_TOKEN", c)
	}
	// Basic is an option of curl, or is written as such (RFC 7617 section 2).
	switch c.Form {
	case cases.OtherScheme:
		return word + " " + w.Expand(`$(printf %s "$COLDFRAME_USER" | base64 | tr -d '\n')`)
	case cases.Garbled:
		return word + " !" + w.Expand(userName) + "!"
	case cases.Suffixed:
		w.Option(`-u "${COLDFRAME_USER}` + suffix + `"`)
	case cases.NoPassword:
		w.Option(`-u "` + userName + `:"`)
	default:
		w.Option(`-u "$COLDFRAME_USER"`)
	}
	return ""
}

// scheme returns the scheme of a recorded Authorization: its first word, or what the
// operation requires if that was redacted.
func (w *commandWriter) scheme(word string) *spec.SecurityScheme {
	if word != auth.Redacted {
		return &spec.SecurityScheme{Type: "http", Scheme: strings.ToLower(word)}
	}
	for _, need := range slices.Concat(w.x.Case.Operation.Security...) {
		if inAuthorization(need.Scheme) {
			return need.Scheme
		}
	}
	return &spec.SecurityScheme{Type: "http", Scheme: "bearer"}
}
