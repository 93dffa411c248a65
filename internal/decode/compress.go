package decode

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/exchange"
)

// maxEncodings limits the encodings of one body.
const maxEncodings = 3

// maxWindow limits the memory of a zstd decoder, in bytes: what decoders must support (RFC 8878 section 3.1.1.1.2).
const maxWindow = 8 << 20

// Decompress undoes the encodings in a field Content-Encoding (RFC 9110 section 8.4), the last one first: gzip,
// deflate, br and zstd (RFC 8878). If the body exceeds limit bytes at any step, or share has no room for it, the result
// is a finding.
func Decompress(encoding string, body []byte, limit int, share *bodies.Share) ([]byte, *exchange.Finding) {
	names := strings.Split(encoding, ",")
	if len(names) > maxEncodings {
		return nil, encodingFinding(CodeContentEncoding, "more than 3 encodings")
	}
	for i := len(names) - 1; i >= 0; i-- {
		name := strings.ToLower(strings.Trim(names[i], " \t"))
		var r io.Reader
		var err error
		switch name {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			r, err = gzip.NewReader(bytes.NewReader(body))
		case "deflate":
			r, err = inflate(body)
		case "br":
			r = brotli.NewReader(bytes.NewReader(body))
		case "zstd":
			var d *zstd.Decoder
			if d, err = zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderMaxWindow(maxWindow)); err == nil {
				defer d.Close()
				r = d
			}
		default:
			return nil, encodingFinding(CodeContentEncoding, quote("%s is not read, want gzip, deflate, br or zstd", name))
		}
		if err == nil && len(body) == 0 { // brotli takes an empty body for an end
			err = io.ErrUnexpectedEOF
		}
		var plain []byte
		if err == nil {
			plain, err = share.Read(r, -1, limit)
		}
		switch {
		case errors.Is(err, bodies.ErrTooLarge):
			return nil, &exchange.Finding{
				Code: CodeBodyTooLarge, Message: fmt.Sprintf("decompressed body is over %d bytes", limit), In: exchange.InBody,
			}
		case errors.Is(err, bodies.ErrNoRoom):
			return nil, &exchange.Finding{Code: CodeOverloaded, Message: err.Error(), In: exchange.InBody}
		case err != nil:
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, encodingFinding(CodeCompression, fmt.Sprintf("body is not %s: %v", name, err))
		}
		body = plain
	}
	return body, nil
}

// inflate reads deflate as defined, in zlib's wrapping, and without it, as some clients send it (RFC 9110 section
// 8.4.1.2).
func inflate(body []byte) (io.Reader, error) {
	r := bufio.NewReader(bytes.NewReader(body))
	head, err := r.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

func encodingFinding(code, message string) *exchange.Finding {
	return &exchange.Finding{Code: code, Message: message, In: exchange.InHeader, Name: "Content-Encoding"}
}
