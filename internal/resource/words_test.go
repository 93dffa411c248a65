package resource

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"plantID": "plant id", "per_page": "per page", "page[size]": "page size", "HTTPServer": "http server", "PhoneNumbers": "phone numbers",
		"house-plant": "house plant", "x": "x", "": "", "URLs": "urls", "getGETpet": "get ge tpet", "createdAt2": "created at2",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestSingular(t *testing.T) {
	for word, want := range map[string]string{
		"plants": "plant", "companies": "company", "boxes": "box", "statuses": "status", "cases": "case", "people": "person", "status": "status",
		"news": "news", "address": "address", "addresses": "address", "settings": "settings", "series": "series", "batches": "batch", "ids": "id",
		"movies": "movie", "aliases": "alias", "causes": "cause", "analysis": "analysis",
	} {
		if got := singular(word); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestIsVerb(t *testing.T) {
	for segment, want := range map[string]bool{
		"search": true, "generatePciTemplates": true, "findByStatus": true, "create_with_list": true, "cancel": true, "token": true,
		"plants": false, "searches": false, "check-runs": false, "orders": false, "report-cards": false, "batches": false, "": false,
	} {
		if got := isVerb(segment); got != want {
			t.Errorf("%q: got %t, want %t", segment, got, want)
		}
	}
}

func TestIsVersion(t *testing.T) {
	for text, want := range map[string]bool{"v1": true, "V2": true, "v2.1": true, "2024-01": true, "1.0": true, "2.0": true, "12": false, "video": false, "v": false, "": false} {
		if got := isVersion(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
