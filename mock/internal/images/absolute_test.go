package images

import (
	"bytes"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/samplefile"
)

// FuzzReplace compares replace with bytes.ReplaceAll; in a text, $ stands for the address and % for its end.
func FuzzReplace(f *testing.F) {
	for _, text := range []string{
		"", "$", "%", "a$b", "$$", "https://$", "https://%", "https:%$", "%$%", `{"a":"$/x","b":"https://example.com"}`,
	} {
		f.Add(text, "http://127.0.0.1:4010")
	}
	f.Fuzz(func(t *testing.T, text, origin string) {
		if len(origin) > len(samplefile.Origin) {
			return
		}
		body := []byte(strings.NewReplacer("$", samplefile.Origin, "%", string(tail)).Replace(text))
		if got, want := replace(body, origin), bytes.ReplaceAll(body, []byte(samplefile.Origin), []byte(origin)); !bytes.Equal(got, want) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	})
}

func BenchmarkReplace(b *testing.B) { // of an item of 20 kB
	link := `"comments_url":"` + samplefile.Origin + `/repos/ann/garden/issues/1","html_url":"https://example.com/a",`
	body := []byte(strings.Repeat(strings.Repeat(`"first_name":"Rose","url":"https://example.com/roses",`, 40)+link, 10))
	b.SetBytes(int64(len(body)))
	b.Run("replace", func(b *testing.B) {
		for b.Loop() {
			replace(body, "http://127.0.0.1:4010")
		}
	})
	b.Run("ReplaceAll", func(b *testing.B) {
		for b.Loop() {
			bytes.ReplaceAll(body, []byte(samplefile.Origin), []byte("http://127.0.0.1:4010"))
		}
	})
}
