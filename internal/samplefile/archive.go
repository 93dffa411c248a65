package samplefile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"time"
)

// modified is the modification time of files in archives: ZIP has no times before 1980.
var modified = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

type member struct {
	name string
	data []byte
}

// members are the files in archives.
func members(c *Content) []member {
	return []member{{"readme.txt", plainText(c)}, {"data.csv", csvTable(c)}}
}

func zipped(c *Content) []byte { return zipOf(members(c)) }

// zipOf returns an archive. Writing to memory does not fail.
func zipOf(members []member) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		if f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: modified}); err == nil {
			_, _ = f.Write(m.data)
		}
	}
	_ = w.Close()
	return b.Bytes()
}

func gzipped(c *Content) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.ModTime = "data.csv", modified
	_, _ = w.Write(csvTable(c))
	_ = w.Close()
	return b.Bytes()
}

func tarred(c *Content) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members(c) {
		_ = w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.data)), Mode: 0o644, ModTime: modified})
		_, _ = w.Write(m.data)
	}
	_ = w.Close()
	return b.Bytes()
}

const (
	declaration   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	relationships = "http://schemas.openxmlformats.org/package/2006/relationships"
	office        = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// officeFile returns an Office Open XML file (ECMA-376 part 2): the parts that every such file has, and a main part.
func officeFile(main, mainType string, parts ...member) []byte {
	types := `<Override PartName="/` + main + `" ContentType="application/vnd.openxmlformats-officedocument.` + mainType + `.main+xml"/>`
	if mainType == "spreadsheetml.sheet" {
		types += `<Override PartName="/xl/worksheets/sheet1.xml" ` +
			`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`
	}
	return zipOf(append([]member{
		{"[Content_Types].xml", []byte(declaration + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` + types + `</Types>`)},
		{"_rels/.rels", relationship("officeDocument", main)},
	}, parts...))
}

func relationship(kind, target string) []byte {
	return []byte(declaration + `<Relationships xmlns="` + relationships + `"><Relationship Id="rId1" Type="` + office + "/" + kind +
		`" Target="` + target + `"/></Relationships>`)
}

func docx(c *Content) []byte {
	body := ""
	for _, text := range []string{c.title(), paragraph} {
		body += "<w:p><w:r><w:t>" + escaped(text) + "</w:t></w:r></w:p>"
	}
	return officeFile("word/document.xml", "wordprocessingml.document", member{"word/document.xml", []byte(declaration +
		`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`)})
}

func xlsx(c *Content) []byte {
	const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	var cells strings.Builder
	for i, row := range c.rows() {
		fmt.Fprintf(&cells, `<row r="%d">`, i+1)
		for _, text := range row {
			cells.WriteString(`<c t="inlineStr"><is><t>` + escaped(text) + `</t></is></c>`)
		}
		cells.WriteString("</row>")
	}
	return officeFile("xl/workbook.xml", "spreadsheetml.sheet",
		member{"xl/workbook.xml", []byte(declaration + `<workbook xmlns="` + main + `" xmlns:r="` + office +
			`"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`)},
		member{"xl/_rels/workbook.xml.rels", relationship("worksheet", "worksheets/sheet1.xml")},
		member{"xl/worksheets/sheet1.xml", []byte(declaration + `<worksheet xmlns="` + main + `"><sheetData>` + cells.String() +
			`</sheetData></worksheet>`)})
}
