package samplefile

import (
	"encoding/binary"
	"math"
)

// wav returns half a second of a soft tone in 8-bit PCM with 8,000 samples a second.
func wav(c *Content) []byte {
	const rate, count = 8000, 4000
	tone := 220 * math.Pow(2, float64(c.number(1, 24))/12)
	b := append([]byte("RIFF"), u32(36+count)...)
	b = append(b, "WAVEfmt "...)
	b = append(b, u32(16)...)
	b = append(b, 1, 0, 1, 0) // PCM, one channel
	b = append(b, u32(rate)...)
	b = append(b, u32(rate)...) // bytes a second
	b = append(b, 1, 0, 8, 0)   // bytes and bits of a sample
	b = append(b, "data"...)
	b = append(b, u32(count)...)
	for i := range count {
		b = append(b, byte(128+40*math.Sin(2*math.Pi*tone*float64(i)/rate)))
	}
	return b
}

func u32(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

// mp3 returns one second of silence: frames of MPEG-1 layer III, 32 kbit/s, 44.1 kHz, mono, with a title (ID3v2.3).
func mp3(c *Content) []byte {
	const frames, frame = 38, 144 * 32000 / 44100
	title := append([]byte{0}, c.title()...) // ISO 8859-1
	size := 10 + len(title)
	b := []byte{'I', 'D', '3', 3, 0, 0, 0, 0, byte(size >> 7 & 0x7F), byte(size & 0x7F)}
	b = append(b, "TIT2"...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(title)))
	b = append(append(b, 0, 0), title...)
	for range frames {
		b = append(append(b, 0xFF, 0xFB, 0x10, 0xC4), make([]byte, frame-4)...)
	}
	return b
}

// ogg returns one second of silence in Opus (RFC 7845): two pages of headers, and one page of 50 packets of 20 ms.
func ogg(c *Content) []byte {
	serial := uint32(c.Key)
	head := append([]byte("OpusHead"), 1, 1, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0) // one channel of 48 kHz
	tags := append([]byte("OpusTags"), u32(len("coldframe"))...)
	tags = append(append(tags, "coldframe"...), u32(1)...)
	comment := "TITLE=" + c.title()
	tags = append(append(tags, u32(len(comment))...), comment...)
	packets := make([][]byte, 50)
	for i := range packets {
		packets[i] = []byte{0xF8, 0xFF, 0xFE} // CELT, 20 ms, silence
	}
	b := oggPage(serial, 0, 2, 0, head)
	b = append(b, oggPage(serial, 1, 0, 0, tags)...)
	return append(b, oggPage(serial, 2, 4, 50*960, packets...)...)
}

// oggPage returns a page of packets (RFC 3533 section 6); together they must have less than 255 segments of 255
// bytes.
func oggPage(serial, number uint32, flags byte, position uint64, packets ...[]byte) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{'O', 'g', 'g', 'S', 0, flags}, position)
	b = binary.LittleEndian.AppendUint32(b, serial)
	b = binary.LittleEndian.AppendUint32(b, number)
	b = append(b, 0, 0, 0, 0, 0) // checksum, number of segments
	var content []byte
	for _, p := range packets {
		for n := len(p); ; n -= 255 {
			b = append(b, byte(min(n, 255)))
			b[26]++
			if n < 255 {
				break
			}
		}
		content = append(content, p...)
	}
	b = append(b, content...)
	sum := uint32(0)
	for _, v := range b { // CRC-32, polynomial 0x04C11DB7, not reflected
		sum ^= uint32(v) << 24
		for range 8 {
			carry := sum >> 31
			sum = sum<<1 ^ carry*0x04C11DB7
		}
	}
	binary.LittleEndian.PutUint32(b[22:], sum)
	return b
}
