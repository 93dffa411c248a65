package credentials

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// leastHidden is how many bytes a given credential has at least that is looked for everywhere: shorter ones are
// words that stand there anyway.
const leastHidden = 6

// ordinary are fields that users set for other reasons than to be let in.
var ordinary = []string{"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection",
	"Content-Type", "Host", "Origin", "Prefer", "Referer", "User-Agent"}

func isOrdinary(name string) bool {
	return slices.ContainsFunc(ordinary, func(o string) bool { return strings.EqualFold(o, name) })
}

// Hider replaces the credentials that the user gave wherever a text has them: plain in upper or lower case, and as
// JSON, URLs, XML, quoted strings and base64 write them. It is safe for concurrent use.
type Hider struct {
	mu    sync.Mutex
	known []string // in lower case
	exact []string // what base64 makes of them
}

func newHider(given Given) *Hider {
	h := &Hider{}
	_, password, _ := strings.Cut(given.User, ":")
	secrets := []string{given.Token, given.User, password, encoded(given.User), encoded(wrong(given.User))}
	for _, key := range given.APIKeys {
		secrets = append(secrets, key)
	}
	for name, values := range given.Headers {
		if isOrdinary(name) {
			continue
		}
		for _, value := range values {
			secrets = append(secrets, value)
			for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(` ;="`, r) }) {
				if len(part) >= auth.LeastSecret {
					secrets = append(secrets, part)
				}
			}
		}
	}
	h.add(secrets...)
	return h
}

// maxLearned bounds the credentials that are hidden because the run has created them.
const maxLearned = 200

// Learn hides the credentials that a success shows and that its request did not have, as the names of properties say: a
// token, a key.
func (k *Keyring) Learn(x *checks.Exchange) {
	if !x.Succeeded() || k.learned.Load() >= maxLearned || x.Request.Method == "GET" ||
		len(x.Response.Body) > maxShownBody {
		return
	}
	value, err := jsontext.Decode(string(x.Response.Body))
	if err != nil {
		return
	}
	for tokens, part := range jsonvalue.Walk(value) {
		text, isText := part.(string)
		if isText && len(tokens) > 0 && len(text) >= auth.LeastSecret && auth.IsSecretName(tokens[len(tokens)-1]) &&
			!bytes.Contains(x.Request.Body, []byte(text)) {
			k.learned.Add(1)
			k.hider.add(text)
		}
	}
}

// add hides more credentials, and the wrong ones that cases derive from them.
func (h *Hider) add(secrets ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, secret := range secrets {
		for _, one := range []string{secret, wrong(secret)} {
			h.know(one)
			if sent := url.QueryEscape(one); sent != one {
				h.know(sent) // in a cookie or a query, of which it may be repeated as it is there
			}
		}
	}
}

func (h *Hider) know(secret string) {
	if len(secret) < leastHidden || slices.Contains(h.known, lower(secret)) {
		return
	}
	h.known = append(h.known, lower(secret))
	for offset := range 3 {
		h.exact = append(h.exact, inBase64(base64.StdEncoding, secret, offset), inBase64(base64.URLEncoding, secret, offset))
	}
}

func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, text)
}

// inBase64 returns what is the same in the base64 of all texts that have a secret so many bytes behind a group of
// three (RFC 4648 section 4).
func inBase64(encoding *base64.Encoding, secret string, offset int) string {
	text := encoding.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat("\x00", offset) + secret))
	if (offset+len(secret))%3 != 0 {
		text = text[:len(text)-1] // it depends on what follows
	}
	return text[[]int{0, 2, 3}[offset]:]
}

// Hide puts auth.Redacted in the place of the credentials in a text.
func (h *Hider) Hide(text string) string { return string(h.hide([]byte(text), len(text))) }

const (
	// beyond is how many bytes behind the end of a text's part are looked at for credentials that begin before it.
	beyond = 8 << 10
	// maxEscapes is how many times a credential may be escaped: in a URL, in a string of JSON, in another one.
	maxEscapes = 4
)

// hide returns the first so many bytes of a text without credentials.
func (h *Hider) hide(text []byte, most int) []byte {
	most = min(most, len(text))
	h.mu.Lock()
	known, exact := h.known, h.exact
	h.mu.Unlock()
	if len(known) == 0 {
		return text[:most]
	}
	u := &unescaped{plain: text[:min(len(text), most+beyond)]}
	var found [][2]int // spans of the text
	for range maxEscapes {
		plain := string(u.plain)
		found = u.find(found, lower(plain), known)
		found = u.find(found, plain, exact)
		if !u.unescape() {
			break
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	var out []byte
	end := 0
	for _, span := range found {
		if span[0] >= most {
			break
		}
		if span[0] >= end {
			out = append(append(out, text[end:span[0]]...), auth.Redacted...)
		}
		end = max(end, span[1])
	}
	return append(out, text[min(end, most):most]...)
}

// unescaped is a text without so many levels of escapes, with the place in the text of each byte and of the end; at is
// nil if nothing was taken out.
type unescaped struct {
	plain []byte
	at    []int
}

// place returns the place in the text of a byte, or of the end.
func (u *unescaped) place(i int) int {
	if u.at == nil {
		return i
	}
	return u.at[i]
}

// find adds where the text has one of several.
func (u *unescaped) find(found [][2]int, text string, several []string) [][2]int {
	for _, one := range several {
		for from := 0; ; {
			i := strings.Index(text[from:], one)
			if i < 0 {
				break
			}
			from += i + len(one)
			found = append(found, [2]int{u.place(from - len(one)), u.place(from)})
		}
	}
	return found
}

// escape is %2F, \u002f, \x2f, a backslash before any other character, or a reference of XML.
var escape = lazyregexp.New(`%([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})|\\.|&#([0-9]{1,7});|&#[xX]([0-9A-Fa-f]{1,6});|&(?:amp|lt|gt|quot|apos);`)

// escapes are the bytes that escapes begin with. Few texts have one: then 3 KB are looked through in a
// third of the CPU time (BenchmarkHide).
const escapes = `%\&`

// unescape takes out one level of escapes; false if none.
func (u *unescaped) unescape() bool {
	if !bytes.ContainsAny(u.plain, escapes) {
		return false
	}
	plain, at := make([]byte, 0, len(u.plain)), make([]int, 0, len(u.plain)+1)
	end := 0
	keep := func(to int) {
		plain = append(plain, u.plain[end:to]...)
		for i := end; i < to; i++ {
			at = append(at, u.place(i))
		}
	}
	for _, m := range escape.Get().FindAllSubmatchIndex(u.plain, -1) {
		keep(m[0])
		end = m[1]
		whole := string(u.plain[m[0]:m[1]])
		written := []byte(whole[1:]) // by a backslash
		if whole[0] == '&' {
			written = []byte(html.UnescapeString(whole))
		} else if digits := max(m[2], m[4], m[6]); digits >= 0 {
			code, _ := strconv.ParseUint(string(u.plain[digits:m[1]]), 16, 32)
			if written = []byte{byte(code)}; m[4] >= 0 {
				written = []byte(string(rune(code)))
			}
		}
		for range written {
			at = append(at, u.place(m[0]))
		}
		plain = append(plain, written...)
	}
	if end == 0 {
		return false
	}
	keep(len(u.plain))
	u.plain, u.at = plain, append(at, u.place(len(u.plain)))
	return true
}
