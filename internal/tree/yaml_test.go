package tree

import (
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// What WriteYAML writes of any value is read as it again.
func TestWriteYAML(t *testing.T) {
	for _, source := range []string{
		`{"a":{"b":[[1,[]],{"c":{}},null,"x y"],"no":"yes"},"":"- x: #","1":1e3,"true":-0.5}`,
		`["","0x1F","~","null","2024-01-01","a\nb","\u0007\u0085\u2028","ä","<<","{x}","é: b","=","*","  "," a","a b"]`,
		`"plain text"`, `[[[["deep"]]]]`, `{"<<":1}`, `["on","off","y","n","Yes","1_000","0o7","'","\"","a: b"," x ","\n","\r\n","\t","|",">","%","@","` + "`" + `"]`,
	} {
		value, err := jsontext.Decode(source)
		if err != nil {
			t.Fatal(err)
		}
		text, err := WriteYAML([]Pair{{"body", value}})
		if err != nil {
			t.Fatal(err)
		}
		root, findings, err := ReadStrict("a.yaml", text)
		if err != nil || len(findings) > 0 {
			t.Errorf("%s\n%v %v", text, findings, err)
			continue
		}
		if got := jsontext.Append(nil, root.Get("body").Value()); string(got) != string(jsontext.Append(nil, value)) {
			t.Errorf("%s\nis read as %s", text, got)
		}
	}
}
