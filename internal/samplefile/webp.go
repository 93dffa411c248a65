package samplefile

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// encodeWebP writes a picture of two colours in the lossless format (RFC 9649 section 3), without transforms and with
// prefix codes of one or two symbols, so that each channel in which the colours differ takes one bit a pixel.
func encodeWebP(b *bytes.Buffer, p *image.Paletted) error {
	w := &bitWriter{}
	w.write(0x2F, 8) // signature
	w.write(uint32(p.Rect.Dx()-1), 14)
	w.write(uint32(p.Rect.Dy()-1), 14)
	w.write(0, 1) // no alpha
	w.write(0, 3) // version
	w.write(0, 1) // no transform
	w.write(0, 1) // no color cache
	w.write(0, 1) // one group of prefix codes
	first, second := p.Palette[0].(color.RGBA), p.Palette[1].(color.RGBA)
	channels := [...][2]uint8{{first.G, second.G}, {first.R, second.R}, {first.B, second.B}, {255, 255}, {0, 0}}
	for _, c := range channels { // the last is for distances, which are not used
		w.code(c[0], c[1])
	}
	for _, pixel := range p.Pix {
		for _, c := range channels {
			if c[0] != c[1] {
				bit := uint32(0)
				if c[pixel] > c[1-pixel] {
					bit = 1
				}
				w.write(bit, 1)
			}
		}
	}
	data := append(w.bytes, byte(w.pending))
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	b.WriteString("RIFF")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(4+8+len(data))))
	b.WriteString("WEBPVP8L")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
	b.Write(data)
	return nil
}

// bitWriter writes numbers, the lowest bit first.
type bitWriter struct {
	bytes   []byte
	pending uint32
	count   int // number of pending bits, below 8
}

func (w *bitWriter) write(value uint32, bits int) {
	w.pending |= value << w.count
	for w.count += bits; w.count >= 8; w.count -= 8 {
		w.bytes = append(w.bytes, byte(w.pending))
		w.pending >>= 8
	}
}

// code writes a simple prefix code (section 3.7.2.1.1) of one symbol, or two in ascending order.
func (w *bitWriter) code(a, b uint8) {
	w.write(1, 1)
	isTwo := uint32(0)
	if a != b {
		isTwo = 1
	}
	w.write(isTwo, 1)
	w.write(1, 1) // the first symbol has 8 bits
	w.write(uint32(min(a, b)), 8)
	if isTwo == 1 {
		w.write(uint32(max(a, b)), 8)
	}
}
