package checks

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// tableMalformed judges a body of text/csv: all lines have as many fields as the
// first, and quotes stand around fields or are doubled (RFC 4180 section 2). What
// clients may have sent as a table is left alone.
func tableMalformed(d *judged) []Violation {
	kind, _ := d.Response.Header.Get("Content-Type")
	if bare(kind) != "text/csv" || !d.Succeeded() || d.judge.takesTables || bytes.IndexByte(d.content, 0) >= 0 {
		return nil
	}
	table := bytes.TrimPrefix(d.content, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(table))
	r.Comma, r.Comment, r.ReuseRecord = separator(table), '#', true
	for first := 0; ; {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		message := ""
		switch {
		case errors.Is(err, csv.ErrFieldCount):
			line, _ := r.FieldPos(0)
			message = fmt.Sprintf("line %d has %d fields, and the first has %d (RFC 4180 section 2)", line, len(record), first)
		case err != nil:
			message = err.Error() + " (RFC 4180 section 2)"
		default:
			first = len(record)
			continue
		}
		return one(Violation{Message: message, About: exchange.InBody, Place: d.response.Place, Cause: "table"})
	}
}

// separator gives what separates the fields of the first line: a comma, or what
// programs write in its place where commas are in numbers.
func separator(table []byte) rune {
	line, _, _ := bytes.Cut(table, []byte("\n"))
	if !bytes.ContainsRune(line, ',') {
		for _, other := range ";\t|" {
			if bytes.ContainsRune(line, other) {
				return other
			}
		}
	}
	return ','
}

// takesTables reports whether clients of a contract can send text/csv.
func takesTables(c *spec.Contract) bool {
	return slices.ContainsFunc(c.Operations, func(o *spec.Operation) bool {
		return o.Body != nil && slices.ContainsFunc(o.Body.Content, func(m *spec.MediaType) bool { return m.Range == "text/csv" || m.Type == "*" || m.Range == "text/*" })
	})
}
