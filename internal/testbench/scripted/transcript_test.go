package scripted

import "testing"

func TestRelevant(t *testing.T) {
	const transcript = "GET /a -> 200\nPUT /a -> 200\nGET /a -> 200\n! one\nGET /b -> 404\n! two\n"
	for want, got := range map[string]string{
		"PUT /a -> 200\n! one\n! two\n":                   "PUT /a -> 200\n! one\n! two\n",
		"GET /a -> 200\n! one\n! two\nGET /b -> 404\n":    "GET /a -> 200\n! one\n! two\n",
		"PUT /a -> 200\nGET /a -> 200\n! 1\n! 2\n":        "PUT /a -> 200\nGET /a -> 200\n! one\n! two\n",
		"GET /a -> 200\n! one\nGET /b -> 404\n! two\n":    "GET /a -> 200\n! one\nGET /b -> 404\n! two\n",
		"DELETE /a -> 204\nGET /a -> 200\n! one\n! two\n": "! one\n! two\n",
	} {
		if g := relevant(transcript, want); g != got {
			t.Errorf("of %q remains %q, want %q", want, g, got)
		}
	}
}
