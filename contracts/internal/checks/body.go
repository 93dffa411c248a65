package checks

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// mediaTypeDocumented checks Content-Type. The schema of a body without it is still checked.
func mediaTypeDocumented(in *input) []Violation {
	all := in.part(inContentType)
	if len(all) > 0 || in.documented == nil || len(in.documented.Content) == 0 || len(in.body) == 0 || in.hasNoBody() {
		return all
	}
	if _, sent := in.Response.Header.Get("Content-Type"); sent || in.recorded.HeadUnknown {
		return nil
	}
	media := in.documented.Content[0]
	return asWarning(true, at(media.Place, "header.Content-Type", fmt.Sprint(in.Status()/100, " none"),
		"the body has no Content-Type, want %s", media.Range))
}

// mediaTypeAccepted checks the choice among several documented types. A server
// that has none of the accepted ones may send any.
func mediaTypeAccepted(in *input) []Violation {
	accept, requested := in.Request.Header.Get("Accept")
	contentType, sent := in.Response.Header.Get("Content-Type")
	if !requested || !sent || !in.Succeeded() || in.documented == nil || len(in.body) == 0 ||
		len(in.part(inContentType)) > 0 || accepts(accept, contentType) {
		return nil
	}
	for _, media := range in.documented.Content {
		if !strings.Contains(media.Range, "*") && accepts(accept, media.Range) {
			return at(media.Place, "header.Content-Type", media.Range, "%s was asked for with Accept: %s, and %s came",
				media.Range, accept, contentType)
		}
	}
	return nil
}

// accepts reports whether Accept admits a media type. Of several items that
// match, the most specific counts; weight 0 excludes, other weights are alike.
func accepts(accept, mediaType string) bool {
	name := withoutParameters(mediaType)
	top, _, _ := strings.Cut(name, "/")
	best, accepted := -1, false
	for item := range strings.SplitSeq(accept, ",") {
		listed, parameters, _ := mime.ParseMediaType(item)
		if specific := slices.Index([]string{"*/*", top + "/*", name}, listed); specific > best {
			q, weighted := parameters["q"]
			best, accepted = specific, !weighted || strings.Trim(q, "0.") != ""
		}
	}
	return accepted
}

func withoutParameters(mediaType string) string {
	name, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

func encodingValid(in *input) []Violation {
	if in.undecoded == nil {
		return nil
	}
	return in.violation("header.Content-Encoding", in.undecoded.Code, "%s", in.undecoded.Message)
}

// bodyValid checks the body against its schema. JSON must be well formed even if it is not documented.
func bodyValid(in *input) []Violation {
	if in.undecoded != nil || in.recorded.BodyUnknown || in.documented == nil && !in.isUndocumentedRefusal() {
		return nil
	}
	all, class := in.part(exchange.InBody), in.Status()/100
	if in.documented != nil && len(in.documented.Content) > 0 {
		switch {
		case len(all) == 0:
			return csvMalformed(in)
		case all[0].Finding != nil && all[0].Finding.Code == jsontext.CodeTrailing && in.isStream():
			return asWarning(true, all)
		case len(in.body) == 0 && !in.hasNoBody():
			return asWarning(in.isOfHTTP(), at(in.documented.Place, exchange.InBody, fmt.Sprint(class, " none"),
				"there is no body, want %s", in.documented.Content[0].Range))
		}
		return all
	}
	if len(all) > 0 || len(in.body) == 0 || !in.isJSON() {
		return all
	}
	if _, err := jsontext.Decode(string(in.body)); err != nil {
		return in.violation(exchange.InBody, fmt.Sprint(class, " malformed"), "%s", err.Error())
	}
	return nil
}

// isStream reports whether a body is one JSON object after another, each on a line of its own, which OpenAPI before 3.2
// cannot describe.
func (in *input) isStream() bool {
	lines := bytes.Split(bytes.TrimSpace(in.body), []byte("\n"))
	return in.Succeeded() && !slices.ContainsFunc(lines, func(line []byte) bool {
		_, err := jsontext.Decode(string(line))
		return err != nil || line[0] != '{'
	})
}

func (in *input) isJSON() bool {
	contentType, _ := in.Response.Header.Get("Content-Type")
	return isJSONType(contentType)
}

func isJSONType(contentType string) bool {
	name := withoutParameters(contentType)
	return name == "application/json" || strings.HasSuffix(name, "+json")
}

func bodyDocumented(in *input) []Violation {
	if in.documented == nil || len(in.documented.Content) > 0 || len(in.body) == 0 || in.hasNoBody() {
		return nil
	}
	return at(in.documented.Place, exchange.InBody, strconv.Itoa(in.Status()),
		"the document has no body for %d, and %d bytes came", in.Status(), len(in.body))
}

// csvMalformed checks text/csv: all lines have as many fields as the first, and quotes enclose fields or are
// doubled (RFC 4180 section 2). Tables that clients may have sent are not checked.
func csvMalformed(in *input) []Violation {
	contentType, _ := in.Response.Header.Get("Content-Type")
	if withoutParameters(contentType) != "text/csv" || !in.Succeeded() || in.checker.takesCSV ||
		bytes.IndexByte(in.body, 0) >= 0 {
		return nil
	}
	table := bytes.TrimPrefix(in.body, []byte("\ufeff"))
	r := csv.NewReader(bytes.NewReader(table))
	r.Comma, r.Comment, r.ReuseRecord = separator(table), '#', true
	for first := 0; ; {
		record, err := r.Read()
		message := ""
		switch {
		case err == io.EOF:
			return nil
		case err == nil:
			first = len(record)
			continue
		case errors.Is(err, csv.ErrFieldCount):
			line, _ := r.FieldPos(0)
			message = fmt.Sprintf("line %d has %d fields, and the first has %d", line, len(record), first)
		default:
			message = err.Error()
		}
		return asWarning(true, at(in.documented.Place, exchange.InBody, "table", "%s (RFC 4180 section 2)", message))
	}
}

// separator returns what separates the fields of the first line: a comma, or the
// usual substitutes where commas are in numbers.
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

func takesCSV(c *spec.Contract) bool {
	return slices.ContainsFunc(c.Operations, func(o *spec.Operation) bool {
		return o.Body != nil && slices.ContainsFunc(o.Body.Content, func(m *spec.MediaType) bool {
			return m.Range == "text/csv" || m.Type == "*" || m.Range == "text/*"
		})
	})
}

// writeOnlyResponses returns the responses whose schemas have writeOnly
// properties, with the decoders of their bodies.
func writeOnlyResponses(c *spec.Contract) map[*spec.Response]*decode.Content {
	all := map[*spec.Response]*decode.Content{}
	for _, o := range c.Operations {
		for _, r := range o.Responses {
			for _, media := range r.Content {
				if media.Schema != nil && hasWriteOnly(media.Schema.Keywords, map[*schema.Keywords]bool{}) {
					all[r] = decode.NewContent(r.Content)
				}
			}
		}
	}
	return all
}

func hasWriteOnly(k *schema.Keywords, seen map[*schema.Keywords]bool) bool {
	if k == nil || seen[k] {
		return false
	}
	seen[k] = true
	return k.WriteOnly || hasWriteOnly(k.Ref, seen) ||
		slices.ContainsFunc(schema.Subschemas(k, nil), func(part *schema.Keywords) bool { return hasWriteOnly(part, seen) })
}

func writeOnlyHidden(in *input) []Violation {
	content := in.checker.writeOnly[in.documented]
	if content == nil || in.undecoded != nil || len(in.body) == 0 || in.recorded.BodyUnknown {
		return nil
	}
	value, media, findings := content.Decode(in.Response.Header, in.body)
	if media == nil || media.Schema == nil || len(findings) > 0 {
		return nil
	}
	var all []Violation
	reported := map[string]bool{}
	eachWriteOnly(media.Schema.Keywords, value, "", 0, func(pointer string, k *schema.Keywords) {
		f := exchange.Finding{In: exchange.InBody, Pointer: pointer}
		cause := fmt.Sprint(in.Status()/100, " ", General(pointer))
		if !reported[cause] {
			reported[cause] = true
			shown := at(media.Schema.Node(k).Place(), f.Where(), cause, "is writeOnly, and is shown")
			shown[0].Shared = lastName(pointer)
			at, _ := jsonvalue.At(value, strings.Split(pointer, "/")[1:])
			all = append(all, asWarning(isMasked(at), shown)...)
		}
	})
	return all
}

// maxDepth is how deep values are searched.
const maxDepth = 64

// eachWriteOnly reports the writeOnly properties that a value has. Null shows nothing.
func eachWriteOnly(k *schema.Keywords, value any, pointer string, depth int, report func(string, *schema.Keywords)) {
	if k == nil || depth > maxDepth {
		return
	}
	for part := range schema.Matching(k, value) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				at := pointer + "/" + exchange.EscapePointer(name)
				property := part.Properties[name]
				if property == nil {
					property, _ = part.AdditionalProperties.(*schema.Keywords)
				}
				switch {
				case property == nil || v[name] == nil:
				case schema.WriteOnly(property):
					report(at, property)
				default:
					eachWriteOnly(property, v[name], at, depth+1, report)
				}
			}
		case []any:
			for i, item := range v {
				eachWriteOnly(schema.Item(part, i), item, pointer+"/"+strconv.Itoa(i), depth+1, report)
			}
		default:
			return
		}
	}
}

// isMasked reports whether a text shows nothing of what it stands for.
func isMasked(value any) bool {
	text, ok := value.(string)
	return ok && (strings.Trim(text, "*•●xX.#-") == "" || strings.EqualFold(strings.Trim(text, "[]<>()"), "redacted"))
}
