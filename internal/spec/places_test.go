package spec

import (
	"context"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("é", 200)
	text := "openapi: 3.1.0\r\ninfo: {title: " + long + ", version: '1'}\n\npaths: {}"
	c, err := Load(context.Background(), "a.yaml", Options{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file         string
		line, column int
		want         string
	}{
		{"a.yaml", 1, 10, "openapi: 3.1.0"},
		{"a.yaml", 2, 8, "title: " + strings.Repeat("é", 76) + "…"},
		{"a.yaml", 2, 210, strings.Repeat("é", 5) + ", version: '1'}"},
		{"a.yaml", 3, 1, ""},
		{"a.yaml", 4, 8, "paths: {}"},
		{"a.yaml", 5, 1, ""},
		{"a.yaml", 0, 0, ""},
		{"b.yaml", 1, 1, ""},
	}
	for _, test := range tests {
		if got := c.Excerpt(exchange.Place{File: test.file, Line: test.line, Column: test.column}); got != test.want {
			t.Errorf("%s:%d:%d: got %q, want %q", test.file, test.line, test.column, got, test.want)
		}
	}
}
