package exchange

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Curl gives a command line that sends a request as it is. origin is the server's
// URL without a path: http://localhost:4010. A body that no shell can hold is
// piped in as base64.
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
		if strings.TrimSpace(f.Value) == "" {
			words = append(words, "-H", quoteShell(f.Name+";")) // curl drops a field that ends in a colon
			continue
		}
		words = append(words, "-H", s.quote(f.Name+": "+f.Value))
	}
	words = append(words, s.options...)
	if len(r.Body) == 0 {
		return strings.Join(words, " ")
	}
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
	case body[0] == '@': // which -d takes for a file
		option = "--data-raw"
	case strings.ContainsAny(body, "\r\n"): // which -d takes out
		option = "--data-binary"
	}
	return strings.Join(append(words, option, quoteShell(body)), " ")
}

// maxArgument is the longest body that is written on the command line itself.
const maxArgument = 64 << 10

// quoteShell quotes a word so that nothing of it happens to a terminal that shows
// it: characters that are not seen are written as in POSIX.1-2024 section 2.2.4.
func quoteShell(text string) string {
	if strings.IndexFunc(text, unseen) >= 0 {
		var b strings.Builder
		b.WriteString("$'")
		for i, r := range text {
			_, size := utf8.DecodeRuneInString(text[i:])
			switch {
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

// unseen reports whether a character moves a terminal's cursor or turns text
// around, or is no character at all.
func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7F && r < 0xA0 || r == utf8.RuneError:
		return true
	}
	return r >= 0x200B && r <= 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF
}

// quoteWord quotes a word where it needs that.
func quoteWord(text string) string {
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_") == "" {
		return text
	}
	return quoteShell(text)
}
