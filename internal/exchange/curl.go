package exchange

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Curl gives a command line that sends a request as it is. origin is where to:
// http://localhost:4010. A body that no shell can hold is piped in as base64.
func Curl(origin string, r *Request) string {
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
	words = append(words, quoteShell(target))
	if strings.HasPrefix(origin, "https:") {
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
		words = append(words, "-H", quoteShell(f.Name+": "+f.Value))
	}
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

func quoteShell(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// quoteWord quotes a word where it needs that.
func quoteWord(text string) string {
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_") == "" {
		return text
	}
	return quoteShell(text)
}
