package images_test

import (
	"bytes"
	"image"
	_ "image/png"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/mock/internal/images"
)

func TestServe(t *testing.T) {
	for _, test := range []struct {
		request       string
		status        int
		width, height int
	}{
		{"GET amber-harbor.png", 200, 320, 240},
		{"GET amber-harbor.png?size=640x120", 200, 640, 120},
		{"GET amber-harbor.png?size=64", 200, 64, 64},
		{"GET amber-harbor.png?width=30&height=20", 200, 30, 20},
		{"GET amber-harbor.png?size=99999999x99999999", 200, 1600, 1600},
		{"GET amber-harbor.png?size=-5x;", 200, 320, 240},
		{"GET a%20b.png", 200, 320, 240},
		{"GET a%2.png", 404, 0, 0},
		{"GET .png", 404, 0, 0},
		{"GET a.pdf", 404, 0, 0},
		{"GET a", 404, 0, 0},
		{"GET " + strings.Repeat("a", 101) + ".png", 404, 0, 0},
		{"POST a.png", 405, 0, 0},
	} {
		method, target, _ := strings.Cut(test.request, " ")
		path, query, _ := strings.Cut(target, "?")
		r := &exchange.Request{Method: method, Path: samplefile.ImagePath + path, Query: query}
		a := images.Serve(r)
		if a.Status != test.status {
			t.Errorf("%s: status %d", test.request, a.Status)
			continue
		}
		if a.Status != 200 {
			continue
		}
		picture, _, err := image.Decode(bytes.NewReader(a.Body))
		if err != nil || picture.Bounds() != image.Rect(0, 0, test.width, test.height) {
			t.Errorf("%s: %v, %v", test.request, picture.Bounds(), err)
		}
		tag, _ := a.Header.Get("ETag")
		r.Header = exchange.Header{{Name: "If-None-Match", Value: tag}}
		if again := images.Serve(r); again.Status != 304 || len(again.Body) > 0 {
			t.Errorf("%s: status %d to a client that has it", test.request, again.Status)
		}
	}
}

func TestServeRange(t *testing.T) {
	whole := images.Serve(&exchange.Request{Method: "GET", Path: samplefile.ImagePath + "a.png"}).Body
	for field, want := range map[string]struct {
		status int
		body   []byte
	}{
		"bytes=0-3":       {206, whole[:4]},
		"bytes=-5":        {206, whole[len(whole)-5:]},
		"bytes=99999999-": {416, nil},
		"lines=1-2":       {200, whole},
	} {
		r := &exchange.Request{Method: "GET", Path: samplefile.ImagePath + "a.png"}
		r.Header.Set("Range", field)
		got := images.Serve(r)
		if _, isCut := got.Header.Get("Content-Range"); got.Status != want.status || !bytes.Equal(got.Body, want.body) ||
			isCut != (want.status != 200) {
			t.Errorf("%s: status %d, %d bytes, %v", field, got.Status, len(got.Body), got.Header)
		}
	}
}

func TestAbsolute(t *testing.T) {
	body := `{"a":"` + samplefile.URL("a", 1, 2) + `"}`
	for host, want := range map[string]string{
		"127.0.0.1:8080":                 "https://127.0.0.1:8080",
		"[::1]:80":                       "https://[::1]:80",
		`x"y`:                            "https://localhost:4010",
		"":                               "https://localhost:4010",
		strings.Repeat("a", 90) + ".com": samplefile.Origin,
	} {
		r := &exchange.Request{Header: exchange.Header{{Name: "Host", Value: host}}}
		got := images.Absolute([]byte(body), r, func() string { return "https://localhost:4010" })
		if want := `{"a":"` + want + `/__coldframe/images/a.png?size=1x2"}`; string(got) != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}

func BenchmarkAbsolute(b *testing.B) { // of a body without pictures
	body := []byte(strings.Repeat(`{"first_name":"Rose","created_at":"2025-01-01T00:00:00Z"},`, 200))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		images.Absolute(body, &exchange.Request{}, nil)
	}
}
