package samplefile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The film has one picture of 128 by 96 pixels in H.264, baseline profile (ITU-T H.264 sections 7.3.2 and 7.3.3).
var (
	sequenceSet  = []byte{0x67, 0x42, 0x00, 0x0A, 0xF8, 0x41, 0xA2}
	pictureSet   = []byte{0x68, 0xCE, 0x38, 0x80}
	sliceHeader  = []byte{0x65, 0x88, 0x84, 0x08, 0x68} // includes the header of the first macroblock
	blockHeader  = []byte{0x0D, 0x00}                   // I_PCM: uncompressed samples follow
	filmWidth    = 128
	filmHeight   = 96
	filmDuration = 1000 // ms
)

// frame returns the picture, in the key's colour. No sample is below 16, so that it contains no start code.
func frame(c *Content) []byte {
	b := slices.Clone(sliceHeader)
	y, cb, cr := byte(60+c.number(1, 150)), byte(60+c.number(2, 140)), byte(60+c.number(3, 140))
	for i := range filmWidth / 16 * filmHeight / 16 {
		if i > 0 {
			b = append(b, blockHeader...)
		}
		b = append(b, bytes.Repeat([]byte{y}, 256)...)
		b = append(b, bytes.Repeat([]byte{cb}, 64)...)
		b = append(b, bytes.Repeat([]byte{cr}, 64)...)
	}
	return append(b, 0x80)
}

// box returns a box of ISO/IEC 14496-12 with its content.
func box(name string, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	b := binary.BigEndian.AppendUint32(nil, uint32(8+len(content)))
	return append(append(b, name...), content...)
}

// words returns 32-bit numbers.
func words(values ...int) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return b
}

var matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000) // identity

// mp4 returns a film of one second.
func mp4(c *Content) []byte {
	picture := frame(c)
	sample := append(words(len(picture)), picture...)
	begin := box("ftyp", []byte("isom"), words(512), []byte("isomavc1mp41"))
	at := len(begin) + 8
	configuration := slices.Concat([]byte{1, 0x42, 0x00, 0x0A, 0xFF, 0xE1, 0, byte(len(sequenceSet))}, sequenceSet,
		[]byte{1, 0, byte(len(pictureSet))}, pictureSet)
	size := []byte{0, byte(filmWidth), 0, byte(filmHeight)}
	entry := box("avc1", words(0, 1), make([]byte, 16), size, words(0x480000, 0x480000, 0), []byte{0, 1}, make([]byte, 32),
		[]byte{0, 24, 0xFF, 0xFF}, box("avcC", configuration))
	table := box("stbl", box("stsd", words(0, 1), entry), box("stts", words(0, 1, 1, filmDuration)),
		box("stsc", words(0, 1, 1, 1, 1)), box("stsz", words(0, len(sample), 1)), box("stco", words(0, 1, at)))
	media := box("mdia", box("mdhd", words(0, 0, 0, 1000, filmDuration, 0x55C40000)),
		box("hdlr", words(0, 0), []byte("vide"), words(0, 0, 0), []byte("video\x00")),
		box("minf", box("vmhd", words(1, 0, 0)), box("dinf", box("dref", words(0, 1), box("url ", words(1)))), table))
	track := box("trak", box("tkhd", words(7, 0, 0, 1, 0, filmDuration, 0, 0, 0, 0), matrix,
		words(filmWidth<<16, filmHeight<<16)), media)
	movie := box("moov", box("mvhd", words(0, 0, 0, 1000, filmDuration, 0x10000, 0x01000000, 0, 0), matrix,
		words(0, 0, 0, 0, 0, 0, 2)), track)
	return slices.Concat(begin, box("mdat", sample), movie)
}
