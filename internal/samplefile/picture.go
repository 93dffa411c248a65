package samplefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/tiff"
)

// colors returns a picture's muted background colour, which depends on the key, and its text colour.
func (c *Content) colors() (background, text color.RGBA) {
	r, g, b := 40+c.number(1, 100), 40+c.number(2, 80), 40+c.number(3, 100)
	return color.RGBA{uint8(r), uint8(g), uint8(b), 255}, color.RGBA{250, 250, 250, 255}
}

// lines returns the text on a picture: name and size, or the initials if there is too little room.
func (c *Content) lines() []string {
	width, height := c.Sides()
	words := strings.Fields(c.title())
	initials := ""
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
		if i < 2 {
			initials += words[i][:1]
		}
	}
	lines := []string{strings.Join(words, " "), fmt.Sprintf("%d x %d", width, height)}
	if longest := max(len(lines[0]), len(lines[1])); longest*letterWidth > width*4/5 || 2*letterHeight > height*4/5 {
		return []string{initials}
	}
	return lines
}

const letterWidth, letterHeight = 7, 13 // in pixels, of basicfont

func drawn(encode func(*bytes.Buffer, *image.Paletted) error) func(*Content) []byte {
	return func(c *Content) []byte {
		var b bytes.Buffer
		if err := encode(&b, picture(c)); err != nil {
			panic(err) // cannot happen within limits and in memory
		}
		return b.Bytes()
	}
}

const index = 1 // palette index of text

// picture draws the lines in the centre, as large as possible.
func picture(c *Content) *image.Paletted {
	width, height := c.Sides()
	background, foreground := c.colors()
	p := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{background, foreground})
	face := basicfont.Face7x13
	lines := c.lines()
	longest := max(len(lines[0]), len(lines[len(lines)-1]))
	text := image.NewAlpha(image.Rect(0, 0, longest*face.Advance, len(lines)*face.Height))
	for i, line := range lines {
		left := (longest - len(line)) * face.Advance / 2
		d := font.Drawer{Dst: text, Src: image.Opaque, Face: face, Dot: fixed.P(left, i*face.Height+face.Ascent)}
		d.DrawString(line)
	}
	scale := min(width*4/5/text.Rect.Dx(), height*4/5/text.Rect.Dy())
	if scale == 0 {
		return p // too little room
	}
	left, top := (width-scale*text.Rect.Dx())/2, (height-scale*text.Rect.Dy())/2
	for y := range text.Rect.Dy() * scale {
		row := p.Pix[(top+y)*p.Stride+left:]
		for x := range text.Rect.Dx() * scale {
			if text.AlphaAt(x/scale, y/scale).A > 0 {
				row[x] = index
			}
		}
	}
	return p
}

// Dimensions returns the width and the height of a PNG, JPEG or GIF; 0 for other files.
func Dimensions(file []byte) (width, height int) {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return 0, 0
	}
	return config.Width, config.Height
}

func encodePNG(b *bytes.Buffer, p *image.Paletted) error { return png.Encode(b, p) }
func encodeBMP(b *bytes.Buffer, p *image.Paletted) error { return bmp.Encode(b, p) }
func encodeGIF(b *bytes.Buffer, p *image.Paletted) error { return gif.Encode(b, p, nil) }

func encodeTIFF(b *bytes.Buffer, p *image.Paletted) error {
	return tiff.Encode(b, p, &tiff.Options{Compression: tiff.Deflate})
}

func encodeJPEG(b *bytes.Buffer, p *image.Paletted) error {
	full := image.NewRGBA(p.Rect)
	draw.Draw(full, p.Rect, p, image.Point{}, draw.Src)
	return jpeg.Encode(b, full, nil)
}

// icon returns a square PNG in an ICO directory, which Windows supports since Vista.
func icon(c *Content) []byte {
	width, height := c.Sides()
	square := *c
	square.Width = min(width, height, 256)
	if c.Width == 0 && c.Height == 0 {
		square.Width = 32
	}
	square.Height = square.Width
	picture := drawn(encodePNG)(&square)
	b := []byte{0, 0, 1, 0, 1, 0, byte(square.Width), byte(square.Width), 0, 0, 1, 0, 32, 0} // 256 is encoded as 0
	b = binary.LittleEndian.AppendUint32(b, uint32(len(picture)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)+4))
	return append(b, picture...)
}

func svg(c *Content) []byte {
	width, height := c.Sides()
	background, text := c.colors()
	lines := c.lines()
	hex := func(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	size := max(1, min(height/5, width*4/5/max(len(lines[0]), len(lines[len(lines)-1]))*5/3))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %d">`, width, height, height)
	fmt.Fprintf(&b, `<title>%s</title><rect width="100%%" height="100%%" fill="%s"/>`, escaped(lines[0]), hex(background))
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="50%%" y="%d%%" font-family="sans-serif" font-size="%d" text-anchor="middle" fill="%s">%s</text>`,
			45+20*i, size, hex(text), escaped(line))
	}
	return []byte(b.String() + "</svg>\n")
}
