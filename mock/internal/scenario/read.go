package scenario

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// MaxSize is the largest scenario file, in bytes.
const MaxSize = 1 << 20

// codes are those of findings on the text, by the reader's codes.
var codes = map[string]string{"duplicate-key": CodeDuplicate, "merge-key": CodeKey, "not-a-json-number": CodeValue}

// read reads the YAML text of a file, strictly: what other readers understand
// differently is an error. It is nil where there is no tree.
func (r *report) read(text []byte) *tree.Node {
	if len(text) > MaxSize {
		r.failAt(exchange.Place{File: r.file}, CodeSyntax, "the file is larger than %d bytes", MaxSize)
		return nil
	}
	for i := 0; !utf8.Valid(text); i++ {
		if character, size := utf8.DecodeRune(text[i:]); character == utf8.RuneError && size == 1 {
			line, column := jsontext.Position(string(text), i)
			r.failAt(exchange.Place{File: r.file, Line: line, Column: column}, CodeSyntax, "the file is not UTF-8")
			return nil
		}
	}
	root, findings, err := tree.ReadStrict(r.file, text)
	for _, f := range findings {
		code := codes[f.Code]
		if code == "" {
			code = CodeSyntax
		}
		r.failAt(f.Document, code, "%s", f.Message)
	}
	if e := (*tree.Error)(nil); errors.As(err, &e) {
		r.failAt(e.Place, CodeSyntax, "%s", e.Message)
		return nil
	} else if err != nil {
		r.failAt(exchange.Place{File: r.file}, CodeSyntax, "%v", err)
		return nil
	}
	if root.Kind == tree.Null {
		r.failAt(exchange.Place{File: r.file, Line: 1, Column: 1}, CodeSyntax, "the file is empty; a scenario needs rules")
		return nil
	}
	return root
}

// isNumber reports whether s is a JSON number (RFC 8259 section 6) within the
// limits of jsontext.
func isNumber(s string) bool {
	v, _ := jsontext.Decode(s)
	_, ok := v.(json.Number)
	return ok
}
