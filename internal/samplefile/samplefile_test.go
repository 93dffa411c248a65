package samplefile_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/font/sfnt"
	_ "golang.org/x/image/tiff"
	"golang.org/x/image/vp8"
	_ "golang.org/x/image/webp"

	"github.com/coldframe/coldframe/internal/samplefile"
)

func TestPictures(t *testing.T) {
	for _, extension := range strings.Fields("png jpg jpeg gif webp bmp tiff") {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {7, 3}, {640, 480}, {33, 1600}} {
			k := samplefile.OfExtension(extension)
			c := samplefile.Content{Key: 77, Name: "quiet-harbor", Width: size[0], Height: size[1]}
			data := k.Make(c)
			picture, format, err := image.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s %v: %v", extension, size, err)
			}
			width, height := c.Sides()
			if b := picture.Bounds(); b.Dx() != width || b.Dy() != height || !strings.HasSuffix(k.Type(), format) {
				t.Errorf("%s %v: %v of %s", extension, size, b, format)
			}
			colours := map[bool]bool{}
			for y := range height {
				for x := range width {
					_, g, _, _ := picture.At(x, y).RGBA()
					colours[g>>8 > 160] = true
				}
			}
			if want := size[0] > 100 || size[0] == 0; len(colours) != 2 && want {
				t.Errorf("%s %v: it shows no text", extension, size)
			}
			if !bytes.Equal(data, k.Make(c)) {
				t.Errorf("%s: two files of one content differ", extension)
			}
		}
	}
}

func TestSides(t *testing.T) {
	for _, test := range []struct{ width, height, wantWidth, wantHeight int }{
		{0, 0, 320, 240}, {64, 0, 64, 64}, {0, 9, 9, 9}, {100000, 50000, 1600, 800}, {1, 100000, 1, 1600}, {-1, -5, 320, 240},
	} {
		c := samplefile.Content{Width: test.width, Height: test.height}
		if w, h := c.Sides(); w != test.wantWidth || h != test.wantHeight {
			t.Errorf("%d x %d: %d x %d", test.width, test.height, w, h)
		}
	}
}

// checks are how files of other kinds are read.
var checks = map[string]func([]byte) error{
	"svg": func(b []byte) error { return isXML(b, "svg") },
	"ico": func(b []byte) error {
		_, _, err := image.Decode(bytes.NewReader(b[22:]))
		return err
	},
	"pdf": isPDF,
	"html": func(b []byte) error {
		return contains(b, "<!DOCTYPE html>", "<h1>Quiet &lt;harbor&gt;</h1>")
	},
	"txt": func(b []byte) error { return contains(b, "Quiet <harbor>\n") },
	"md":  func(b []byte) error { return contains(b, "# Quiet <harbor>\n") },
	"csv": func(b []byte) error { return isTable(b, ',') },
	"tsv": func(b []byte) error { return isTable(b, '\t') },
	"ics": func(b []byte) error {
		return contains(b, "BEGIN:VCALENDAR\r\n", "SUMMARY:Quiet <harbor>\r\n", "END:VCALENDAR\r\n")
	},
	"vcf":  func(b []byte) error { return contains(b, "BEGIN:VCARD\r\n", "FN:Quiet <harbor>\r\n") },
	"zip":  func(b []byte) error { return isZip(b, "data.csv") },
	"docx": func(b []byte) error { return isZip(b, "word/document.xml") },
	"xlsx": func(b []byte) error { return isZip(b, "xl/worksheets/sheet1.xml") },
	"gz": func(b []byte) error {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return isTable(data, ',')
	},
	"tar": func(b []byte) error {
		r := tar.NewReader(bytes.NewReader(b))
		for {
			if _, err := r.Next(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	},
	"wav": func(b []byte) error {
		if int(binary.LittleEndian.Uint32(b[4:]))+8 != len(b) || int(binary.LittleEndian.Uint32(b[40:]))+44 != len(b) {
			return fmt.Errorf("lengths")
		}
		return nil
	},
	"mp3": func(b []byte) error {
		b = b[10+int(b[8])<<7+int(b[9]):]
		if len(b) != 38*104 || !bytes.HasPrefix(b[37*104:], []byte{0xFF, 0xFB}) {
			return fmt.Errorf("%d bytes of frames", len(b))
		}
		return nil
	},
	"ogg": func(b []byte) error {
		for page := 0; len(b) > 0; page++ {
			if !bytes.HasPrefix(b, []byte("OggS")) || int(b[18]) != page {
				return fmt.Errorf("page %d", page)
			}
			size := 27 + int(b[26])
			for _, n := range b[27:size] {
				size += int(n)
			}
			b = b[size:]
		}
		return nil
	},
	"mp4":   isBoxes,
	"webm":  isWebM,
	"ttf":   isFont,
	"woff":  isWOFF,
	"woff2": isWOFF2,
	"bin":   func(b []byte) error { return contains(b, "Quiet <harbor>") },
}

func TestFiles(t *testing.T) {
	for extension, check := range checks {
		k := samplefile.OfExtension(extension)
		if k == nil || samplefile.OfType(k.Type()) != k {
			t.Fatalf("%s: it has no kind", extension)
		}
		c := samplefile.Content{Key: 5, Name: "quiet <harbor>"}
		data := k.Make(c)
		if err := check(data); err != nil {
			t.Errorf("%s: %v", extension, err)
		}
		if !bytes.Equal(data, k.Make(c)) {
			t.Errorf("%s: two files of one content differ", extension)
		}
	}
	if samplefile.OfType("image/avif") != nil || samplefile.OfExtension("") != nil {
		t.Error("there is a kind that cannot be made")
	}
}

func contains(b []byte, parts ...string) error {
	for _, part := range parts {
		if !bytes.Contains(b, []byte(part)) {
			return fmt.Errorf("%q is not in %q", part, b)
		}
	}
	return nil
}

func isXML(b []byte, name string) error {
	var root struct{ XMLName xml.Name }
	if err := xml.Unmarshal(b, &root); err != nil || root.XMLName.Local != name {
		return fmt.Errorf("<%s>, %v", root.XMLName.Local, err)
	}
	return nil
}

func isTable(b []byte, comma rune) error {
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = comma
	rows, err := r.ReadAll()
	if err == nil && (len(rows) < 3 || len(rows[0]) < 3) {
		err = fmt.Errorf("%d rows", len(rows))
	}
	return err
}

func isZip(b []byte, name string) error {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if strings.HasSuffix(f.Name, ".xml") || strings.HasSuffix(f.Name, ".rels") {
			if err := xml.Unmarshal(data, new(struct{ XMLName xml.Name })); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	_, err = z.Open(name)
	return err
}

// isPDF follows the table of objects.
func isPDF(b []byte) error {
	at := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(b)
	if at == nil {
		return fmt.Errorf("no table in %q", b)
	}
	start, _ := strconv.Atoi(string(at[1]))
	for i, line := range strings.Split(string(b[start:]), "\n")[3:9] {
		offset, err := strconv.Atoi(line[:10])
		if err != nil || !bytes.HasPrefix(b[offset:], fmt.Appendf(nil, "%d 0 obj\n", i+1)) {
			return fmt.Errorf("object %d is not at %q", i+1, line)
		}
	}
	return contains(b, "(Quiet <harbor>) Tj")
}

// isBoxes reads the boxes of an MP4 file, and finds the picture where the table of samples says.
func isBoxes(b []byte) error {
	found := map[string][]byte{}
	var read func([]byte) error
	read = func(b []byte) error {
		for len(b) > 0 {
			size := int(binary.BigEndian.Uint32(b))
			if size < 8 || size > len(b) {
				return fmt.Errorf("a box of %d bytes in %d", size, len(b))
			}
			name := string(b[4:8])
			found[name] = b[8:size]
			if strings.Contains("moov trak mdia minf dinf stbl", name) {
				if err := read(b[8:size]); err != nil {
					return err
				}
			}
			b = b[size:]
		}
		return nil
	}
	if err := read(b); err != nil {
		return err
	}
	at := binary.BigEndian.Uint32(found["stco"][8:])
	if found["ftyp"] == nil || len(found["tkhd"]) != 84 || len(found["mvhd"]) != 100 || b[at+4] != 0x65 {
		return fmt.Errorf("boxes are missing or of other lengths: %d, %d", len(found["tkhd"]), len(found["mvhd"]))
	}
	return nil
}

// isWebM reads the elements, and decodes the picture in the block.
func isWebM(b []byte) error {
	found := map[uint32][]byte{}
	var read func([]byte) error
	read = func(b []byte) error {
		for len(b) > 0 {
			n := bits.LeadingZeros8(b[0]) + 1
			if len(b) < n+4 {
				return fmt.Errorf("an element of %d bytes", len(b))
			}
			id := binary.BigEndian.Uint32(append(make([]byte, 4-n), b[:n]...))
			size := int(binary.BigEndian.Uint32(b[n:]) & 0x0FFFFFFF)
			if b = b[n+4:]; size > len(b) {
				return fmt.Errorf("%X has %d bytes of %d", id, size, len(b))
			}
			found[id] = b[:size]
			if slices.Contains([]uint32{0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0x1F43B675, 0xA0}, id) {
				if err := read(b[:size]); err != nil {
					return err
				}
			}
			b = b[size:]
		}
		return nil
	}
	if err := read(b); err != nil {
		return err
	}
	block := found[0xA1]
	if string(found[0x4282]) != "webm" || string(found[0x86]) != "V_VP8" || len(block) < 4 {
		return fmt.Errorf("elements are missing: %v", found)
	}
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(block[4:]), len(block)-4)
	header, err := d.DecodeFrameHeader()
	if err != nil || header.Width != int(binary.BigEndian.Uint16(found[0xB0])) ||
		header.Height != int(binary.BigEndian.Uint16(found[0xBA])) {
		return fmt.Errorf("%+v, %v", header, err)
	}
	_, err = d.DecodeFrame()
	return err
}

// isFont reads the tables, and the outlines of a space and of a letter.
func isFont(b []byte) error {
	font, err := sfnt.Parse(b)
	if err != nil {
		return err
	}
	var buffer sfnt.Buffer
	name, err := font.Name(&buffer, sfnt.NameIDFamily)
	if err != nil || name != "Sample" {
		return fmt.Errorf("the name %q, %v", name, err)
	}
	for _, r := range " A~é" {
		glyph, err := font.GlyphIndex(&buffer, r)
		if err != nil {
			return err
		}
		segments, err := font.LoadGlyph(&buffer, glyph, 1000<<6, nil)
		if isEmpty := len(segments) == 0; err != nil || isEmpty != (r == ' ') || (glyph == 0) != (r == 'é') {
			return fmt.Errorf("%c is glyph %d of %d segments, %v", r, glyph, len(segments), err)
		}
	}
	sum := uint32(0)
	for i := 0; i < len(b); i += 4 {
		sum += binary.BigEndian.Uint32(b[i:])
	}
	if sum != 0xB1B0AFBA {
		return fmt.Errorf("the checksum is %X", sum)
	}
	return nil
}

// isWOFF unwraps a font, and compares it with the one that is not wrapped.
func isWOFF(b []byte) error {
	if string(b[:4]) != "wOFF" || int(binary.BigEndian.Uint32(b[8:])) != len(b) {
		return fmt.Errorf("%q of %d bytes", b[:12], len(b))
	}
	plain := samplefile.OfExtension("ttf").Make(samplefile.Content{})
	for n := range int(binary.BigEndian.Uint16(b[12:])) {
		wrapped, entry := b[44+20*n:], plain[12+16*n:]
		at, size := binary.BigEndian.Uint32(wrapped[4:]), binary.BigEndian.Uint32(wrapped[12:])
		from := binary.BigEndian.Uint32(entry[8:])
		if !bytes.Equal(wrapped[:4], entry[:4]) || !bytes.Equal(wrapped[16:20], entry[4:8]) || at%4 != 0 ||
			!bytes.Equal(b[at:at+size], plain[from:from+size]) {
			return fmt.Errorf("table %d is another than that of the font", n)
		}
	}
	return nil
}

// isWOFF2 reads the lengths of the tables and of the stream that has them as they are.
func isWOFF2(b []byte) error {
	if string(b[:4]) != "wOF2" || int(binary.BigEndian.Uint32(b[8:])) != len(b) || len(b)%4 != 0 {
		return fmt.Errorf("%q of %d bytes", b[:12], len(b))
	}
	stream, at, sum := int(binary.BigEndian.Uint32(b[20:])), 48, 0
	for range binary.BigEndian.Uint16(b[12:]) {
		size := int(b[at+1] & 0x7F)
		if b[at+1]&0x80 != 0 {
			at++
			size = size<<7 | int(b[at+1])
		}
		at += 2
		sum += size
	}
	bitsOf := uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16
	if length := int(bitsOf>>4&0xFFFF) + 1; length != sum || stream != sum+4 || bitsOf>>20 != 1 || b[at+stream-1] != 3 {
		return fmt.Errorf("tables of %d bytes, a stream of %d with %d", sum, stream, length)
	}
	return nil
}

func BenchmarkPNG(b *testing.B) {
	for b.Loop() {
		samplefile.OfExtension("png").Make(samplefile.Content{Key: 1, Name: "quiet harbor", Width: 640, Height: 480})
	}
}
