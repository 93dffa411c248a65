package naming

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"plantID": "plant id", "per_page": "per page", "page[size]": "page size", "HTTPServer": "http server", "PhoneNumbers": "phone numbers",
		"house-plant": "house plant", "x": "x", "": "", "URLs": "urls", "getGETpet": "get ge tpet", "createdAt2": "created at2",
		"line1Text": "line1 text", "oauth2_token": "oauth2 token",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestSingular(t *testing.T) {
	for word, want := range map[string]string{
		"plants": "plant", "companies": "company", "boxes": "box", "statuses": "status", "cases": "case", "people": "person", "status": "status",
		"news": "news", "address": "address", "addresses": "address", "settings": "settings", "series": "series", "batches": "batch", "ids": "id",
		"movies": "movie", "aliases": "alias", "causes": "cause", "analysis": "analysis", "ties": "tie", "gas": "gas",
	} {
		if got := Singular(word); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
