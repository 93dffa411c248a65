package checks

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// mediaType judges what Content-Type says. A body without it is read as what is
// documented, so that what it holds is judged all the same.
func mediaType(d *judged) []Violation {
	verdicts := d.of("content")
	if len(verdicts) > 0 || d.response == nil || len(d.response.Content) == 0 || len(d.content) == 0 || bodiless(d.Request.Method, d.Status()) {
		return verdicts
	}
	if _, said := d.Response.Header.Get("Content-Type"); said || d.Recorded != nil && d.Recorded.HeadUnknown {
		return nil
	}
	return one(Violation{
		Message: "the body has no Content-Type, want " + d.response.Content[0].Range, About: "header.Content-Type",
		Place: d.response.Content[0].Place, Cause: fmt.Sprint(d.Status()/100, " none"),
	})
}

// acceptable judges what was chosen of several documented types. A server that
// has none of the accepted ones may answer with any.
func acceptable(d *judged) []Violation {
	accept, asked := d.Request.Header.Get("Accept")
	kind, said := d.Response.Header.Get("Content-Type")
	if !asked || !said || !d.Succeeded() || d.response == nil || len(d.content) == 0 || len(d.of("content")) > 0 || accepts(accept, kind) {
		return nil
	}
	for _, media := range d.response.Content {
		if !strings.Contains(media.Range, "*") && accepts(accept, media.Range) {
			return one(Violation{
				Message: fmt.Sprintf("%s was asked for with Accept: %s, and %s came", media.Range, accept, kind), About: "header.Content-Type",
				Place: media.Place, Cause: media.Range,
			})
		}
	}
	return nil
}

// accepts reports whether a field Accept takes a media type. What it weighs 0 is
// not taken; all other weights are alike.
func accepts(accept, mediaType string) bool {
	kind := bare(mediaType)
	top, _, _ := strings.Cut(kind, "/")
	best, taken := 0, false
	for item := range strings.SplitSeq(accept, ",") {
		name := bare(item)
		rank := 0
		switch name {
		case kind:
			rank = 3
		case top + "/*":
			rank = 2
		case "*/*":
			rank = 1
		}
		if rank > best {
			best, taken = rank, !weightless(item)
		}
	}
	return taken
}

// bare gives a media type without its parameters.
func bare(mediaType string) string {
	name, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// weightless reports whether an item of Accept has the weight 0.
func weightless(item string) bool {
	_, parameters, _ := strings.Cut(item, ";")
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			return strings.Trim(value, "0.") == ""
		}
	}
	return false
}

func encodingTrue(d *judged) []Violation {
	if d.encoding == nil {
		return nil
	}
	return one(Violation{Message: d.encoding.Message, About: "header.Content-Encoding", Place: d.operation.Place, Cause: d.encoding.Code})
}

// bodyValid judges the body. JSON is well formed also where the document says
// nothing of it.
func bodyValid(d *judged) []Violation {
	switch {
	case d.Response == nil || d.encoding != nil || d.Recorded != nil && d.Recorded.BodyUnknown:
		return nil
	case d.response != nil && len(d.response.Content) > 0:
		verdicts := d.of(exchange.InBody)
		if len(d.content) == 0 && len(verdicts) > 0 && !bodiless(d.Request.Method, d.Status()) {
			return one(Violation{Message: "there is no body, want " + d.response.Content[0].Range, About: exchange.InBody, Place: d.response.Place, Cause: fmt.Sprint(d.Status()/100, " none")})
		}
		if len(verdicts) == 0 {
			return tableMalformed(d)
		}
		return verdicts
	case d.response == nil && !d.unforeseen():
		return nil // which is said already
	}
	if verdicts := d.of(exchange.InBody); len(verdicts) > 0 || len(d.content) == 0 {
		return verdicts
	}
	kind, _ := d.Response.Header.Get("Content-Type")
	if name := bare(kind); name != "application/json" && !strings.HasSuffix(name, "+json") {
		return nil
	}
	if _, err := jsontext.Decode(string(d.content)); err != nil {
		return one(Violation{Message: err.Error(), About: exchange.InBody, Place: d.operation.Place, Cause: fmt.Sprint(d.Status()/100, " malformed")})
	}
	return nil
}

// bodyDocumented judges a body of which the document says nothing.
func bodyDocumented(d *judged) []Violation {
	if d.response == nil || len(d.response.Content) > 0 || len(d.content) == 0 || bodiless(d.Request.Method, d.Status()) {
		return nil
	}
	return one(Violation{
		Message: fmt.Sprintf("the document has no body for %d, and %d bytes came", d.Status(), len(d.content)), About: exchange.InBody,
		Place: d.response.Place, Cause: fmt.Sprint(d.Status()),
	})
}
