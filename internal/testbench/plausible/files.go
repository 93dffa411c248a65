package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"strings"
)

// isFileType reports whether a media type is one of files, which people open.
func isFileType(mediaType string) bool {
	for _, begin := range []string{"image/", "audio/", "video/", "application/pdf", "application/zip", "text/csv"} {
		if strings.HasPrefix(mediaType, begin) {
			return true
		}
	}
	return false
}

// isFile reports whether bytes are a file that programs open.
func isFile(mediaType string, b []byte) bool {
	has := func(begin string) bool { return bytes.HasPrefix(b, []byte(begin)) }
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/*", "image/jpg":
		picture, _, err := image.Decode(bytes.NewReader(b))
		return err == nil && picture.Bounds().Dx() > 7
	case "image/svg+xml":
		var root struct{ XMLName xml.Name }
		return xml.Unmarshal(b, &root) == nil && root.XMLName.Local == "svg"
	case "image/webp":
		return has("RIFF") && bytes.Contains(b[:min(len(b), 16)], []byte("WEBPVP8"))
	case "application/pdf":
		return has("%PDF-1.") && bytes.Contains(b, []byte("startxref")) && bytes.Contains(b, []byte("%%EOF"))
	case "application/zip":
		_, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		return err == nil
	case "text/csv":
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		return err == nil && len(rows) > 1 && len(rows[0]) > 1
	case "audio/wav", "audio/x-wav", "audio/wave":
		return has("RIFF") && len(b) > 44
	case "audio/mpeg", "audio/mp3":
		return has("ID3") || len(b) > 4 && b[0] == 0xFF && b[1]&0xE0 == 0xE0
	case "audio/ogg", "video/ogg":
		return has("OggS")
	case "video/mp4", "audio/mp4":
		return len(b) > 12 && string(b[4:8]) == "ftyp"
	case "video/webm", "audio/webm":
		return has("\x1A\x45\xDF\xA3")
	}
	return len(b) > 32
}
