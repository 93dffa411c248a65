// Package samplefile returns small valid files of many media types: pictures that show their name and size, documents
// with a title, tables, archives, sound, film and fonts. A file depends only on its Content; sound, film and fonts are
// the same for all.
package samplefile

import (
	"cmp"
	"math"
	"strings"
)

// Content describes a file. The zero value is a file of default size without a name.
type Content struct {
	Key           uint64     // selects colours, tones and numbers
	Name          string     // a word or two that the file shows
	Width, Height int        // of a picture in pixels; 0: default, see Sides
	Table         [][]string // rows of a table, including the header; nil: default rows
}

// Kind is a media type with its generator.
type Kind struct {
	types     string // in lower case, the preferred one first
	Extension string
	Download  bool // browsers should save it rather than show it
	make      func(*Content) []byte
}

// kinds does not include AVIF, which would need an encoder.
var kinds = []*Kind{
	{"image/png image/apng", "png", false, drawn(encodePNG)},
	{"image/jpeg image/jpg image/pjpeg", "jpg", false, drawn(encodeJPEG)},
	{"image/gif", "gif", false, drawn(encodeGIF)},
	{"image/webp", "webp", false, drawn(encodeWebP)},
	{"image/bmp image/x-ms-bmp", "bmp", false, drawn(encodeBMP)},
	{"image/tiff", "tiff", false, drawn(encodeTIFF)},
	{"image/x-icon image/vnd.microsoft.icon", "ico", false, icon},
	{"image/svg+xml", "svg", false, svg},
	{"application/pdf", "pdf", false, pdf},
	{"text/html", "html", false, html},
	{"text/plain", "txt", false, plainText},
	{"text/markdown", "md", false, markdown},
	{"text/csv application/csv", "csv", true, csvTable},
	{"text/tab-separated-values", "tsv", true, tsvTable},
	{"text/calendar", "ics", true, calendar},
	{"text/vcard text/x-vcard", "vcf", true, vcard},
	{"application/zip application/x-zip-compressed", "zip", true, zipped},
	{"application/gzip application/x-gzip", "gz", true, gzipped},
	{"application/x-tar", "tar", true, tarred},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", true, docx},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/vnd.ms-excel", "xlsx", true, xlsx},
	{"audio/wav audio/x-wav audio/wave audio/vnd.wave", "wav", false, recorded("sample.wav")},
	{"audio/mpeg audio/mp3", "mp3", false, recorded("sample.mp3")},
	{"audio/ogg audio/opus application/ogg", "ogg", false, recorded("sample.ogg")},
	{"video/mp4", "mp4", false, recorded("sample.mp4")},
	{"video/webm", "webm", false, recorded("sample.webm")},
	{"font/ttf font/sfnt application/x-font-ttf application/font-sfnt", "ttf", true, recorded("sample.ttf")},
	{"font/woff application/font-woff application/x-font-woff", "woff", true, recorded("sample.woff")},
	{"font/woff2 application/font-woff2", "woff2", true, recorded("sample.woff2")},
	{"application/octet-stream binary/octet-stream", "bin", true, octets},
}

var (
	byType      = map[string]*Kind{}
	byExtension = map[string]*Kind{"jpeg": kinds[1]}
)

func init() {
	for _, k := range kinds {
		for name := range strings.FieldsSeq(k.types) {
			byType[name] = k
		}
		byExtension[k.Extension] = k
	}
}

// OfType returns the kind of a media type without parameters, nil if it is not supported.
func OfType(mediaType string) *Kind { return byType[strings.ToLower(mediaType)] }

// OfExtension returns the kind for a file extension without a dot; nil for an unknown one.
func OfExtension(extension string) *Kind { return byExtension[strings.ToLower(extension)] }

// Type returns the preferred media type.
func (k *Kind) Type() string {
	name, _, _ := strings.Cut(k.types, " ")
	return name
}

// IsPicture reports whether the files have a width and a height.
func (k *Kind) IsPicture() bool { return strings.HasPrefix(k.types, "image/") }

// Make returns a file.
func (k *Kind) Make(c Content) []byte {
	c.Name = cmp.Or(c.Name, "sample")
	return k.make(&c)
}

// maxSide limits the sides of a picture in pixels: the largest picture takes 2.5 MB while it is drawn.
const maxSide = 1600

// Sides returns the width and the height of a picture: 320 by 240 by default, a square if one side is set, otherwise
// the given proportion within limits.
func (c *Content) Sides() (width, height int) {
	width, height = c.Width, c.Height
	switch {
	case width <= 0 && height <= 0:
		return 320, 240
	case width <= 0:
		width = height
	case height <= 0:
		height = width
	}
	if larger := max(width, height); larger > maxSide {
		shrink := float64(maxSide) / float64(larger)
		width, height = int(math.Round(float64(width)*shrink)), int(math.Round(float64(height)*shrink))
	}
	return max(width, 1), max(height, 1)
}

// number returns a number from 0 to n-1, which differs for each place of a file.
func (c *Content) number(place, n int) int {
	h := (c.Key + uint64(place)*0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9 // as in splitmix64
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return int((h ^ h>>31) % uint64(n))
}

// title returns the name as a title: "plant-list" is "Plant list".
func (c *Content) title() string {
	text := strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r < ' ':
			return ' '
		case r > '~':
			return '?' // fonts and metadata are ASCII only
		}
		return r
	}, c.Name))
	if text == "" {
		return "Sample"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
