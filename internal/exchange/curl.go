package exchange

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/visible"
)

// Curl returns a command line that sends a request. origin is the server's URL without a path: http://localhost:4010.
// A body that cannot be a shell argument is piped in as base64.
func (s *Shell) Curl(origin string, r *Request) string {
	target := origin + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	words := []string{"curl"}
	if strings.ContainsAny(target, "{}[]") {
		words = append(words, "--globoff")
	}
	if strings.Contains(r.Path, "/.") {
		words = append(words, "--path-as-is")
	}
	words = append(words, s.quote(target))
	if s.Insecure && strings.HasPrefix(origin, "https:") {
		words = append(words, "--insecure")
	}
	switch {
	case r.Method == "HEAD":
		words = append(words, "--head")
	case r.Method != "GET" && (r.Method != "POST" || len(r.Body) == 0):
		words = append(words, "-X", quoteWord(r.Method))
	}
	for _, f := range r.Header {
		if isCurls(f, origin, r) {
			continue
		}
		if strings.TrimSpace(f.Value) == "" {
			words = append(words, "-H", quoteShell(f.Name+";")) // curl drops a field that ends in a colon
			continue
		}
		words = append(words, "-H", s.quote(f.Name+": "+f.Value))
	}
	words = append(words, s.options...)
	if r.AnnouncesEmptyBody() {
		words = append(words, "-H", "'Content-Length: 0'")
	}
	if len(r.Body) == 0 {
		return strings.Join(words, " ")
	}
	return withBody(words, r)
}

// isCurls reports whether curl adds a field with this value itself.
func isCurls(f Field, origin string, r *Request) bool {
	_, host, _ := strings.Cut(origin, "://")
	host, _, _ = strings.Cut(host, "/")
	switch strings.ToLower(f.Name) {
	case "host":
		return f.Value == host
	case "content-length":
		return len(r.Body) > 0 && f.Value == strconv.Itoa(len(r.Body))
	case "accept":
		return f.Value == "*/*"
	}
	return false
}

// withBody adds a body to a command line.
func withBody(words []string, r *Request) string {
	if _, typed := r.Header.Get("Content-Type"); !typed {
		words = append(words, "-H", "'Content-Type:'")
	}
	body := string(r.Body)
	if !utf8.ValidString(body) || strings.Contains(body, "\x00") || len(body) > maxArgument {
		words = append([]string{"printf %s", base64.StdEncoding.EncodeToString(r.Body), "|", "base64 -d", "|"}, words...)
		return strings.Join(append(words, "--data-binary", "@-"), " ")
	}
	option := "-d"
	switch {
	case body[0] == '@': // -d would read it as a file name
		option = "--data-raw"
	case strings.ContainsAny(body, "\r\n"): // -d would remove these
		option = "--data-binary"
	}
	return strings.Join(append(words, option, quoteShell(body)), " ")
}

// maxArgument limits the length of a body on the command line itself.
const maxArgument = 64 << 10

// quoteShell quotes a word so that it is safe to show in a terminal: invisible characters are escaped as in
// POSIX.1-2024 section 2.2.4.
func quoteShell(text string) string {
	if strings.IndexFunc(text, unseen) >= 0 {
		var b strings.Builder
		b.WriteString("$'")
		for i, r := range text {
			_, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case r == '\n':
				b.WriteString(`\n`)
			case r == '\t':
				b.WriteString(`\t`)
			case unseen(r):
				for _, c := range []byte(text[i : i+size]) {
					fmt.Fprintf(&b, `\x%02x`, c)
				}
			case r == '\'' || r == '\\':
				b.WriteByte('\\')
				b.WriteRune(r)
			default:
				b.WriteRune(r)
			}
		}
		return b.String() + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// unseen reports whether a character is invisible or invalid.
func unseen(r rune) bool { return r == utf8.RuneError || visible.Hidden(r) }

func quoteWord(text string) string {
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_") == "" {
		return text
	}
	return quoteShell(text)
}

// Shell writes command lines. It has the expansions that the shell fills in at run time, such as credentials that
// must not be shown. The zero value is ready for use.
type Shell struct {
	// Insecure lets curl accept any certificate.
	Insecure   bool
	expansions []string
	options    []string
}

// Expand returns a placeholder for a shell expansion, such as $COLDFRAME_TOKEN. Use it in the target or the fields of
// a request; command lines then contain the expansion, unescaped, between double quotes.
func (s *Shell) Expand(expansion string) string {
	s.expansions = append(s.expansions, expansion)
	return "\x00" + strconv.Itoa(len(s.expansions)-1) + "\x00"
}

// Option adds words to the command, unquoted.
func (s *Shell) Option(words string) { s.options = append(s.options, words) }

// next returns the first expansion in a text; rest is the text after it.
func (s *Shell) next(text string) (before, expansion, rest string, found bool) {
	for i := strings.IndexByte(text, 0); i >= 0 && i < len(text); {
		number, after, closed := strings.Cut(text[i+1:], "\x00")
		if !closed {
			break
		}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(s.expansions) {
			return text[:i], s.expansions[n], after, true
		}
		i += 1 + len(number)
	}
	return text, "", "", false
}

// quote quotes a word, so that the shell performs only the expansions.
func (s *Shell) quote(text string) string {
	var b strings.Builder
	before, expansion, rest, found := s.next(text)
	if !found {
		return quoteShell(text)
	}
	// Shells also expand history between double quotes, and it cannot be escaped there (bash(1), QUOTING): then the
	// plain parts get quotes of their own.
	apart := strings.Contains(text, "!") || strings.ContainsFunc(strings.ReplaceAll(text, "\x00", ""), unseen)
	plain := func(text string) {
		switch {
		case text == "":
		case apart:
			b.WriteString(quoteShell(text))
		default:
			b.WriteString(inDoubleQuotes.Replace(text))
		}
	}
	for ; found; before, expansion, rest, found = s.next(rest) {
		plain(before)
		if apart {
			expansion = `"` + expansion + `"`
		}
		b.WriteString(expansion)
	}
	plain(before)
	if apart {
		return b.String()
	}
	return `"` + b.String() + `"`
}

var inDoubleQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
