package decode

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/coldframe/coldframe/internal/bodies"
)

// compressors make what Decompress undoes.
var compressors = map[string]func(io.Writer) io.WriteCloser{
	"gzip":        func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"deflate":     func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"deflate raw": func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f },
	"br":          func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zstd":        func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
}

func compress(t testing.TB, name string, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := compressors[name](&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecompress(t *testing.T) {
	plain := []byte(strings.Repeat("plant ", 100))
	zipped := compress(t, "gzip", plain)
	bomb := compress(t, "gzip", make([]byte, 10<<20))
	for _, test := range []struct {
		name, encoding string
		body           []byte
		code           string
	}{
		{"none", "", plain, ""},
		{"identity", "identity", plain, ""},
		{"gzip", "gzip", zipped, ""},
		{"upper case", "GZIP", zipped, ""},
		{"x-gzip", "x-gzip", zipped, ""},
		{"deflate", "deflate", compress(t, "deflate", plain), ""},
		{"deflate without zlib", "deflate", compress(t, "deflate raw", plain), ""},
		{"br", "br", compress(t, "br", plain), ""},
		{"two", "br, gzip", compress(t, "gzip", compress(t, "br", plain)), ""},
		{"four", "gzip, gzip, gzip, gzip", zipped, CodeContentEncoding},
		{"zstd", "zstd", compress(t, "zstd", plain), ""},
		{"unknown", "compress", plain, CodeContentEncoding},
		{"not gzip", "gzip", plain, CodeCompression},
		{"not br", "br", []byte("\xff\xff\xff\xff"), CodeCompression},
		{"not deflate", "deflate", []byte("\xff\xff\xff\xff"), CodeCompression},
		{"empty gzip", "gzip", nil, CodeCompression},
		{"empty br", "br", nil, CodeCompression},
		{"not zstd", "zstd", plain, CodeCompression},
		{"empty zstd", "zstd", nil, CodeCompression},
		{"zstd cut off", "zstd", compress(t, "zstd", plain)[:12], CodeCompression},
		{"zstd bomb", "zstd", compress(t, "zstd", make([]byte, 10<<20)), CodeBodyTooLarge},
		{"cut off", "gzip", zipped[:len(zipped)-6], CodeCompression},
		{"br cut off", "br", compress(t, "br", plain)[:8], CodeCompression},
		{"deflate cut off", "deflate", compress(t, "deflate", plain)[:8], CodeCompression},
		{"bomb", "gzip", bomb, CodeBodyTooLarge},
		{"bomb within", "br, gzip", bomb, CodeBodyTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, finding := Decompress(test.encoding, test.body, 1000, new(bodies.Share))
			switch {
			case test.code == "" && (finding != nil || !bytes.Equal(got, plain)):
				t.Fatalf("got %q, %v", got, finding)
			case test.code != "" && (finding == nil || finding.Code != test.code):
				t.Fatalf("got %q, %v", got, finding)
			}
		})
	}
}
