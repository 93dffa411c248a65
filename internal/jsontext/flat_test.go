package jsontext

import (
	"strings"
	"testing"
)

func TestFlat(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                            ``,
		` { "a" : 1 , "b" : "x" } `:     `a=1 b="x"`,
		`{"ä":"ö","":-0.5e3}`:           `ä="ö" =-0.5e3`,
		`{"a":true,"b":false,"c":null}`: `a=true b=false c=null`,
		`{"a":"\n"}`:                    `no`,
		`{"a\u0062":1}`:                 `no`,
		`{"a":{}}`:                      `no`,
		`{"a":[]}`:                      `no`,
		`[]`:                            `no`,
		`1`:                             `no`,
		``:                              `no`,
		`{"a":1,"a":2}`:                 `no`,
		`{"a":1`:                        `no`,
		`{"a":1}x`:                      `no`,
		`{"a":01}`:                      `no`,
		`{"a":1e1001}`:                  `no`,
		`{"a":tru}`:                     `no`,
		`{"a":}`:                        `no`,
		"{\"a\":\"\xff\"}":              `no`,
		`{"a":"` + strings.Repeat("x", maxFlatText) + `"}`:                                                        `no`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1}`: `no`,
	} {
		var f Flat
		got := "no"
		if f.Scan(text) {
			var members []string
			for i := range f.Len() {
				members = append(members, f.Name(i)+"="+f.JSON(i))
			}
			got = strings.Join(members, " ")
		}
		if got != want {
			t.Errorf("%.40s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzFlat compares Scan with Decode and Append.
func FuzzFlat(f *testing.F) {
	for _, text := range []string{`{}`, `{"id":7,"name":"Fern","tag":null}`, `{"a":"\u0041"}`, `{"a":-1.5E+3 , "b" :true}`, `{"a":[1]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var flat Flat
		if !flat.Scan(text) {
			return
		}
		value, err := Decode(text)
		object, ok := value.(map[string]any)
		if err != nil || !ok || len(object) != flat.Len() {
			t.Fatalf("%q: %v, %v, %d members", text, value, err, flat.Len())
		}
		for i := range flat.Len() {
			want, ok := object[flat.Name(i)]
			if !ok || PlainValue(flat.JSON(i)) != want || string(Append(nil, want)) != flat.JSON(i) || flat.Index(flat.Name(i)) != i {
				t.Errorf("%q: %s is %s, want %v", text, flat.Name(i), flat.JSON(i), want)
			}
		}
	})
}
