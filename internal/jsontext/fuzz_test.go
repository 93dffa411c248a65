package jsontext_test

import (
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// FuzzDecode holds Decode to encoding/json: what it accepts means the same
// there, what it refuses is refused there too, except for the faults that
// encoding/json lets pass. What Append writes reads as the same value.
func FuzzDecode(f *testing.F) {
	table, err := os.ReadFile("testdata/decode.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		text, _, _ := strings.Cut(line, " => ")
		text, _, _ = strings.Cut(text, " ! ")
		f.Add(strings.Trim(text, "`\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := jsontext.Decode(text)
		want, wantErr := standard(text)
		if err == nil {
			if wantErr != nil || !reflect.DeepEqual(value, want) {
				t.Fatalf("got %#v, encoding/json %#v, %v", value, want, wantErr)
			}
			written := string(jsontext.Append(nil, value))
			again, err := jsontext.Decode(written)
			if err != nil || !reflect.DeepEqual(again, value) {
				t.Fatalf("%s reads as %#v, %v", written, again, err)
			}
			if !json.Valid([]byte(written)) {
				t.Fatalf("%s is no JSON", written)
			}
			return
		}
		wrong := err.(*jsontext.SyntaxError)
		if wrong.Offset < 0 || wrong.Offset > len(text) || wrong.Line < 1 || wrong.Column < 1 || wrong.Message == "" {
			t.Fatalf("%+v", wrong)
		}
		switch wrong.Code {
		case jsontext.CodeSyntax, jsontext.CodeTrailing:
			if wantErr == nil {
				t.Fatalf("refused with %v", err)
			}
		}
	})
}

func standard(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return value, nil
}
