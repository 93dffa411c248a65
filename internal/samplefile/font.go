package samplefile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf16"
)

// The font shows each printable ASCII character as a box, whose width depends on the key. All lengths are in
// thousandths of the em (OpenType 1.9.1).
const (
	boxHeight = 700
	ascender  = 800
	descender = -200
	firstRune = ' '
	lastRune  = '~'
	glyphs    = 3 // .notdef, space, box
)

// table is one table of a font.
type table struct {
	tag  string
	data []byte
}

// halves returns 16-bit numbers.
func halves(values ...int) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}

// fontTables returns the required tables of a font with outlines, sorted by tag.
func fontTables(c *Content) []table {
	width := 300 + 50*c.number(1, 8)
	advance := width + 200
	outline := slices.Concat(halves(1, 100, 0, 100+width, boxHeight, 3, 0), []byte{1, 1, 1, 1}, // points on the curve
		halves(100, 0, width, 0), halves(0, boxHeight, 0, -boxHeight), []byte{0, 0})
	size := len(outline)
	return []table{
		{"OS/2", slices.Concat(halves(4, advance, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0),
			make([]byte, 10), words(1, 0, 0, 0), []byte("NONE"), halves(0x40, firstRune, lastRune, ascender, descender, 0,
				ascender, -descender), words(1, 0), halves(500, boxHeight, 0, firstRune, 0))},
		{"cmap", characters()},
		{"glyf", slices.Concat(outline, outline)},
		{"head", slices.Concat(words(0x10000, 0x10000, 0, 0x5F0F3CF5), halves(3, 1000), make([]byte, 16),
			halves(100, 0, 100+width, boxHeight, 0, 8, 2, 0, 0))},
		{"hhea", slices.Concat(words(0x10000), halves(ascender, descender, 0, advance, 0, 100, 100+width, 1, 0, 0,
			0, 0, 0, 0, 0, glyphs))},
		{"hmtx", halves(advance, 100, advance, 0, advance, 100)},
		{"loca", halves(0, size/2, size/2, size)}, // in words of two bytes
		{"maxp", slices.Concat(words(0x10000), halves(glyphs, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0))},
		{"name", names(c.title())},
		{"post", slices.Concat(words(0x30000, 0), halves(-100, 50), words(1, 0, 0, 0, 0))},
	}
}

// characters maps all characters to glyphs: a table of format 4 with one segment, and the end segment.
func characters() []byte {
	ids := []int{1}
	for range lastRune - firstRune {
		ids = append(ids, 2)
	}
	segments := slices.Concat(halves(4, 4, 1, 0, lastRune, 0xFFFF, 0, firstRune, 0xFFFF, 0, 1, 4, 0), halves(ids...))
	return slices.Concat(halves(0, 1, 3, 1), words(12), halves(4, 6+len(segments), 0), segments)
}

// names returns the table of names, in English, for platform 3.
func names(family string) []byte {
	var records, texts []byte
	for id, name := range []string{1: family, 2: "Regular", 3: family + " 1.0", 4: family, 5: "Version 1.0", 6: "Sample"} {
		if name == "" {
			continue
		}
		text := []byte{}
		for _, unit := range utf16.Encode([]rune(name)) {
			text = binary.BigEndian.AppendUint16(text, unit)
		}
		records = append(records, halves(3, 1, 0x409, id, len(text), len(texts))...)
		texts = append(texts, text...)
	}
	return slices.Concat(halves(0, len(records)/12, 6+len(records)), records, texts)
}

func checksum(b []byte) (sum uint32) {
	for b = padded(b); len(b) > 0; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	return sum
}

func padded(b []byte) []byte { return append(slices.Clip(b), make([]byte, -len(b)&3)...) }

// ttf returns the uncompressed font.
func ttf(c *Content) []byte { return sfnt(fontTables(c)) }

// sfnt joins tables to a font, and completes the table head, which has a checksum of the whole font.
func sfnt(tables []table) []byte {
	// 8 is the largest power of two below the number of tables.
	directory := slices.Concat(words(0x10000), halves(len(tables), 128, 3, 16*len(tables)-128))
	var data []byte
	at := len(directory) + 16*len(tables)
	head := 0
	for _, t := range tables {
		if t.tag == "head" {
			head = at + len(data)
		}
		directory = append(directory, t.tag...)
		directory = append(directory, words(int(checksum(t.data)), at+len(data), len(t.data))...)
		data = append(data, padded(t.data)...)
	}
	file := append(directory, data...)
	adjustment := words(int(0xB1B0AFBA - checksum(file)))
	copy(file[head+8:], adjustment)
	for _, t := range tables {
		if t.tag == "head" {
			copy(t.data[8:], adjustment)
		}
	}
	return file
}

// woff wraps the font without compression (WOFF 1.0 section 4).
func woff(c *Content) []byte {
	tables := fontTables(c)
	whole := sfnt(tables)
	at := 44 + 20*len(tables)
	var directory, data []byte
	for _, t := range tables {
		directory = append(directory, t.tag...)
		sum := checksum(t.data)
		if t.tag == "head" { // before it was completed
			sum = checksum(slices.Concat(t.data[:8], make([]byte, 4), t.data[12:]))
		}
		directory = append(directory, words(at+len(data), len(t.data), len(t.data), int(sum))...)
		data = append(data, padded(t.data)...)
	}
	header := slices.Concat([]byte("wOFF"), words(0x10000, at+len(data)), halves(len(tables), 0), words(len(whole)),
		halves(1, 0), make([]byte, 20))
	return slices.Concat(header, directory, data)
}

// woff2Tags are the numbers of tags (WOFF 2.0 section 4.1) in file order, in which loca follows glyf.
var woff2Tags = []struct {
	tag   string
	flags byte
}{
	{"OS/2", 6}, {"cmap", 0}, {"glyf", 10 | 3<<6}, {"loca", 11 | 3<<6}, // transform version 3 means untransformed
	{"head", 1}, {"hhea", 2}, {"hmtx", 3}, {"maxp", 4}, {"name", 5}, {"post", 7},
}

// woff2 wraps the font in an uncompressed Brotli stream (RFC 7932 section 9.2).
func woff2(c *Content) []byte {
	tables := fontTables(c)
	whole := sfnt(tables)
	var directory, data []byte
	for _, known := range woff2Tags {
		t := tables[slices.IndexFunc(tables, func(t table) bool { return t.tag == known.tag })]
		directory = append(directory, known.flags)
		if n := len(t.data); n >= 128 {
			directory = append(directory, byte(n>>7)|0x80, byte(n&0x7F)) // UIntBase128, below 2^14
		} else {
			directory = append(directory, byte(n))
		}
		data = append(data, t.data...)
	}
	w := &bitWriter{}
	w.write(0, 4) // a window of 64 KiB; not the last meta-block; a length of four nibbles
	w.write(uint32(len(data)-1), 16)
	w.write(1, 1) // uncompressed
	w.write(0, 3) // padding to a whole byte
	stream := append(append(w.bytes, data...), 3)
	length := 48 + len(directory) + len(stream)
	header := slices.Concat([]byte("wOF2"), words(0x10000, length+(-length&3)), halves(len(tables), 0),
		words(len(whole), len(stream)), halves(1, 0), make([]byte, 20))
	return padded(bytes.Join([][]byte{header, directory, stream}, nil))
}
