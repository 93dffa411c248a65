package samplefile

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}

const paragraph = "This document was made by a mock server. It stands for the file that the API will give."

func plainText(c *Content) []byte { return []byte(c.title() + "\n\n" + paragraph + "\n") }

func markdown(c *Content) []byte { return []byte("# " + c.title() + "\n\n" + paragraph + "\n") }

func html(c *Content) []byte {
	title := escaped(c.title())
	return []byte("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + title +
		"</title></head>\n<body>\n<h1>" + title + "</h1>\n<p>" + paragraph + "</p>\n</body>\n</html>\n")
}

// pdf returns an A4 page with the title, in a font that every reader has (ISO 32000-1 section 7.5).
func pdf(c *Content) []byte {
	literal := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`)
	title := literal.Replace(c.title())
	page := "BT /F1 24 Tf 72 740 Td (" + title + ") Tj ET\nBT /F1 11 Tf 72 700 Td (" + paragraph + ") Tj ET\n"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		"<< /Length " + strconv.Itoa(len(page)) + " >>\nstream\n" + page + "endstream",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Title (" + title + ") >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n")
	table := "0000000000 65535 f \n"
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start, size := b.Len(), len(objects)+1
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<< /Size %[1]d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%[3]d\n%%%%EOF\n",
		size, table, start)
	return b.Bytes()
}

// rows returns the table, or a default one.
func (c *Content) rows() [][]string {
	if len(c.Table) > 0 {
		return c.Table
	}
	rows := [][]string{{"id", "name", "quantity", "price", "date"}}
	for i := range 5 {
		rows = append(rows, []string{
			strconv.Itoa(i + 1), c.title() + " " + strconv.Itoa(i+1), strconv.Itoa(1 + c.number(10+i, 20)),
			fmt.Sprintf("%d.%02d", 1+c.number(20+i, 90), c.number(30+i, 100)),
			fmt.Sprintf("2025-%02d-%02d", 1+i, 1+c.number(40+i, 28)),
		})
	}
	return rows
}

func csvTable(c *Content) []byte { return separated(c, ',') }

func tsvTable(c *Content) []byte { return separated(c, '\t') }

func separated(c *Content, by rune) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = by
	_ = w.WriteAll(c.rows()) // a bytes.Buffer does not fail
	return b.Bytes()
}

// calendar returns an event of one hour (RFC 5545).
func calendar(c *Content) []byte {
	day := fmt.Sprintf("2025%02d%02d", 1+c.number(1, 12), 1+c.number(2, 28))
	return fmt.Appendf(nil, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//coldframe//mock//EN\r\nBEGIN:VEVENT\r\n"+
		"UID:%x@example.com\r\nDTSTAMP:%[2]sT080000Z\r\nDTSTART:%[2]sT090000Z\r\nDTEND:%[2]sT100000Z\r\nSUMMARY:%[3]s\r\n"+
		"END:VEVENT\r\nEND:VCALENDAR\r\n", c.Key, day, iCalendarText.Replace(c.title()))
}

// iCalendarText escapes text in calendars and cards (RFC 5545 section 3.3.11, RFC 6350 section 3.4).
var iCalendarText = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`)

func vcard(c *Content) []byte {
	name := iCalendarText.Replace(c.title())
	return []byte("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:" + name + "\r\nEMAIL:info@example.com\r\nEND:VCARD\r\n")
}

// octets returns bytes without a media type: a header that says so, and 256 bytes of all values.
func octets(c *Content) []byte {
	b := []byte("coldframe sample: " + c.title() + "\n")
	for i := range 256 {
		b = append(b, byte(i)^byte(c.Key))
	}
	return b
}
