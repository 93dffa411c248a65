package decode

import (
	"strings"
	"testing"
)

func TestFileOf(t *testing.T) {
	part := func(header, text string) string { return "--b\r\n" + header + "\r\n\r\n" + text + "\r\n" }
	const disposition = "Content-Disposition: form-data; name=\"x\""
	text, png := part(disposition, "front"), part(disposition+"; filename=\"a.png\"\r\nContent-Type: image/png", "\x89PNG\r\n")
	for name, test := range map[string]struct{ contentType, body, want string }{
		"whole":               {"Image/PNG; q=1", "\x89PNG", "image/png \x89PNG"},
		"no media type":       {"", "x", ""},
		"one part":            {`multipart/form-data; boundary="b"`, text + png + "--b--\r\n", "image/png \x89PNG\r\n"},
		"two files":           {"multipart/form-data; boundary=b", png + png + "--b--", ""},
		"none":                {"multipart/form-data; boundary=b", text + "--b--", ""},
		"JSON is no file":     {"multipart/form-data; boundary=b", part(disposition+"\r\nContent-Type: application/json", "{}") + "--b--", ""},
		"text with a name is": {"multipart/form-data; boundary=b", part(disposition+"; filename=a.txt\r\nContent-Type: text/plain", "hi") + "--b--", "text/plain hi"},
		"cut off":             {"multipart/form-data; boundary=b", strings.TrimSuffix(png, "\r\n"), ""},
		"no boundary":         {"multipart/form-data", png + "--b--", ""},
	} {
		got := ""
		if f := FileOf(test.contentType, []byte(test.body)); f != nil {
			got = f.Type + " " + string(f.Data)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func FuzzFileOf(f *testing.F) {
	f.Add("multipart/form-data; boundary=b", "--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--")
	f.Add("image/png", "x")
	f.Add("multipart/mixed; boundary=\"\"", "----")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		if found := FileOf(contentType, []byte(body)); found != nil && (!strings.Contains(body, string(found.Data)) || !strings.Contains(found.Type, "/")) {
			t.Errorf("%q is not in %q, or %q is no media type", found.Data, body, found.Type)
		}
	})
}
