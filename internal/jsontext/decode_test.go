package jsontext_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

func TestDecode(t *testing.T) {
	table, err := os.ReadFile("testdata/decode.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		t.Run(line, func(t *testing.T) {
			text, want, refused := strings.Cut(line, " ! ")
			if !refused {
				text, want, _ = strings.Cut(line, " => ")
			}
			if unquoted, err := strconv.Unquote(text); err == nil && (text[0] == '`' || !strings.HasPrefix(want, `"`)) {
				text = unquoted
			}
			value, err := jsontext.Decode(text)
			if !refused {
				if got := string(jsontext.Append(nil, value)); err != nil || got != want {
					t.Fatalf("got %s, %v", got, err)
				}
				return
			}
			wrong, ok := err.(*jsontext.SyntaxError)
			if !ok {
				t.Fatalf("accepted as %s", jsontext.Append(nil, value))
			}
			got := strings.TrimSpace(fmt.Sprintf("%s %d:%d %s", wrong.Code, wrong.Line, wrong.Column, wrong.Pointer))
			if got != want {
				t.Fatalf("got %s: %v", got, wrong)
			}
		})
	}
}

func TestDecodeLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, test := range []struct {
		name, text, code string
	}{
		{"deepest", nested(jsontext.MaxDepth), ""},
		{"too deep", nested(jsontext.MaxDepth + 1), jsontext.CodeDepth},
		{"200 deep", nested(200), jsontext.CodeDepth},
		{"too deep and not closed", strings.Repeat(`{"a":[`, 1_000_000), jsontext.CodeDepth},
		{"longest number", strings.Repeat("1", 1000), ""},
		{"too long a number", strings.Repeat("1", 1001), jsontext.CodeNumberTooBig},
		{"too long a fraction", "0." + strings.Repeat("1", 1000), jsontext.CodeNumberTooBig},
		{"side by side", "[" + strings.Repeat("[],", 100_000) + "[]]", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := jsontext.Decode(test.text)
			if test.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if wrong, ok := err.(*jsontext.SyntaxError); !ok || wrong.Code != test.code {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestAppend(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{map[string]any{"b": 1, "a": int64(-2), "c": 1.5, "d": 1e300}, `{"a":-2,"b":1,"c":1.5,"d":1e+300}`},
		{"a\xffb\u2028<>&", "\"a\ufffdb\u2028<>&\""},
		{"\b\f\n\r\t\x00\\\"", `"\u0008\u000c\n\r\t\u0000\\\""`},
		{[]any{nil, true, false, "", []any{}, map[string]any{}}, `[null,true,false,"",[],{}]`},
	} {
		if got := string(jsontext.Append(nil, test.value)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestAppendString has each byte stand at each place of a text.
func TestAppendString(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("z", 19-at)
			got := jsontext.AppendString(nil, text)
			var read string
			if err := json.Unmarshal(got, &read); err != nil || read != strings.ToValidUTF8(text, "\ufffd") {
				t.Fatalf("%q is written %s: %v", text, got, err)
			}
			if isPlain := c >= ' ' && c < 0x80 && c != '"' && c != '\\'; isPlain != (string(got) == `"`+text+`"`) {
				t.Fatalf("%q is written %s", text, got)
			}
		}
	}
}
