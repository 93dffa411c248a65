package resource

import "testing"

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
