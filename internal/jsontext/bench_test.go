package jsontext_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// BenchmarkDecode reads an object of 60 bytes, about what a mock is sent.
func BenchmarkDecode(b *testing.B) {
	const text = `{"id":9007199254740993,"name":"Monstera deliciosa","tag":""}`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsontext.Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	value, err := jsontext.Decode(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":""}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst = jsontext.Append(dst[:0], value)
	}
}

// BenchmarkMembers finds a member of an object of 20 kB: by reading it, and with known members.
func BenchmarkMembers(b *testing.B) {
	object := map[string]any{"state": "open"}
	for i := range 60 {
		object["member_"+strconv.Itoa(i)] = map[string]any{"url": strings.Repeat("/a-part", 45)}
	}
	text := jsontext.Append(nil, object)
	for name, members := range map[string]*jsontext.Members{"read": nil, "known": {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if raw, sure := members.Find(text, "state"); !sure || string(raw) != `"open"` {
					b.Fatal(string(raw))
				}
			}
		})
	}
}

// BenchmarkAppendString writes a text of 60 bytes, a URL, say.
func BenchmarkAppendString(b *testing.B) {
	text := "https://example.com/repos/ann/garden/issues/7/labels{/name}?"
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst = jsontext.AppendString(dst[:0], text)
	}
}

// BenchmarkAppendObject writes an object of twenty members, about as many as a user of GitHub's document has, and of
// eighty.
func BenchmarkAppendObject(b *testing.B) {
	for _, times := range []int{1, 4} {
		object := map[string]any{}
		for _, name := range strings.Fields(`login id node_id avatar_url gravatar_id url html_url followers_url following_url gists_url
			starred_url subscriptions_url organizations_url repos_url events_url received_events_url type site_admin name email`) {
			for i := range times {
				object[name+strings.Repeat("_", i)] = "https://example.com/users/7/" + name
			}
		}
		b.Run(strconv.Itoa(len(object)), func(b *testing.B) {
			b.ReportAllocs()
			var room []byte
			for b.Loop() {
				room = jsontext.Append(room[:0], object)
			}
		})
	}
}
