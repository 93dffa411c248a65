package checks

import (
	"bytes"
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/words"
)

// Rules of what makes violations of several operations, or of several places, one fault: rows of the table have one.
// They set Violation.Across, and Cause if the answer distinguishes causes.

// Conforming ends the cause of a server error without a text in answer to a request that conforms. It is another fault
// than the fault of other requests if the smallest of both vary two places.
const Conforming = " where it conforms"

// byText has one fault for each text with which requests are answered. An answer without a text of its own tells
// nothing, so that the place decides; of server errors also whether the request conforms, if others that do are
// accepted: see Conforming.
func byText(in *input, v *Violation) {
	text := in.answerText()
	if text == "" && in.Status() >= 500 && in.Plain && in.Case.Expected == cases.Accepted {
		v.Textless, v.Cause = v.Cause, v.Cause+Conforming
	}
	if in.Status() >= 500 && (isRefusal(text) || text == "" && in.hasPhraseOfRefusal()) {
		text = "a refusal"
	} else if refusal := anyRefusal().FindStringSubmatch(text); refusal != nil {
		text = strings.TrimPrefix(text, refusal[1]) // what is in front names the operation or the place
	}
	if text == "" || v.About == inCredentials {
		return
	}
	v.Textless, v.Across = cmp.Or(v.Textless, v.Cause), strconv.Itoa(in.Status())+" "+text
	if v.Shared != "" { // what the document says of one place is contradicted
		v.Across += "\n" + v.Cause
	}
	v.Cause = v.Across
}

// isRefusal reports whether a text is one by which a known decoder or validator refuses a request. A backend that
// answers 5xx with it lacks what makes another status of it, in one place for all.
func isRefusal(text string) bool {
	return anyRefusal().MatchString(text)
}

// anyRefusal matches texts in generalised form: see answerText.
var anyRefusal = sync.OnceValue(func() *regexp.Regexp {
	var texts []string
	for row := range words.Refusals.Rows() {
		texts = append(texts, row[0])
	}
	return regexp.MustCompile(`(?i)^(.*[;:] )?(` + strings.Join(texts, "|") + `)`)
})

// hasPhraseOfRefusal reports whether an answer has the phrase of a 4xx for its text.
func (in *input) hasPhraseOfRefusal() bool {
	for status := 400; status < 500; status++ {
		if phrase := http.StatusText(status); phrase != "" && bytes.Contains(in.body, []byte(phrase)) {
			return true
		}
	}
	return false
}

// byStatus has one fault for each status of an error: what answers with it is most often in front of the operations,
// and what is missing in the document is the same.
func byStatus(in *input, v *Violation) {
	if in.Status() >= 400 {
		v.Across = strconv.Itoa(in.Status())
	}
}

// byMediaType has one fault for each type of error bodies.
func byMediaType(in *input, v *Violation) {
	if contentType, _ := in.Response.Header.Get("Content-Type"); in.Status() >= 400 {
		v.Across = strconv.Itoa(in.Status()/100) + " " + withoutParameters(contentType)
	}
}

// byShape has one fault for what is wrong with error bodies of one shape, whichever response they are documented as.
func byShape(in *input, v *Violation) {
	if in.Status() >= 400 {
		v.Across = v.Cause + "\n" + in.shape()
	}
}

// byCause has one fault for all operations.
func byCause(_ *input, v *Violation) { v.Across = v.Cause }

// byMethod has one fault for what is wrong with all answers to undocumented methods, and for methods that are a
// server's own.
func byMethod(in *input, v *Violation) {
	if slices.Contains([]string{"400", "allow", "TRACE", "OPTIONS", "HEAD", "CONNECT"}, v.Cause) {
		v.Across = v.Cause
	}
}

// shape returns the names of the members of the answer, or the kind of a value that is not an object.
func (in *input) shape() string {
	value, err := jsontext.Decode(string(in.body))
	if err != nil {
		return "none"
	}
	var names []string
	for tokens, part := range jsonvalue.Walk(value) {
		kind := ""
		switch part.(type) {
		case map[string]any:
			kind = "{}"
		case []any:
			kind = "[]"
		}
		name := General("/"+strings.Join(tokens, "/")) + kind
		if len(tokens) <= 1 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// leniencies are violations that decoders accept or refuse in all places alike.
var leniencies = map[string]bool{
	jsontext.CodeSyntax: true, jsontext.CodeTrailing: true, jsontext.CodeDuplicate: true, jsontext.CodeUTF8: true,
	jsontext.CodeSurrogate: true, jsontext.CodeDepth: true, jsontext.CodeNumberTooBig: true,
	decode.CodePercentEncoding: true, decode.CodeMediaType: true, decode.CodeContentType: true, decode.CodeCharset: true,
	decode.CodeContentEncoding: true, decode.CodeCompression: true, decode.CodeForm: true, decode.CodeMissingBody: true, decode.CodeMultipart: true, decode.CodeXML: true,
	decode.CodeRepeatedParameter: true, decode.CodeMalformedParameter: true,
	"additional-properties": true, "unevaluated-properties": true, "property-names": true,
}

var (
	wrongType   = lazyregexp.New(`got (\w+), want (?:null or )?(\w+)`)
	wrongFormat = lazyregexp.New(`is not a valid (.+)$`)
)

// byLeniency has one fault for each kind of violation that a decoder takes, whatever the place: null, values of
// another type, texts of any format, undeclared properties, no body, and what is wrong with the text before it is
// decoded; and one for each constraint of a header field.
func byLeniency(in *input, v *Violation) {
	f := in.Case.Violation
	if f == nil || in.Case.Expected != cases.Refused {
		return
	}
	kind := ""
	switch match := wrongType.Get().FindStringSubmatch(f.Message); {
	case f.In == exchange.InHeader && f.Name != "" && !leniencies[f.Code]: // one piece of code reads it for all
		kind = f.Name + " " + f.Code
	case leniencies[f.Code]:
		kind = f.Code
	case match != nil && match[1] == "null" && (f.In != exchange.InBody || f.Pointer != ""): // else no body of that type
		kind = "null"
		v.Cause += " null"
	case match != nil && (match[2] == "object" || match[2] == "array"):
		kind = "type " + match[2]
	case match != nil:
		kind = "type"
	case f.Code == codeFormat:
		if format := wrongFormat.Get().FindStringSubmatch(f.Message); format != nil {
			kind = "format " + format[1]
		}
	}
	if kind != "" {
		v.Across = kind + " in " + partOfRequest(f.In)
	}
}

// partOfRequest puts what is read by one decoder together.
func partOfRequest(in string) string {
	if in == exchange.InBody || in == exchange.InHeader {
		return in
	}
	return "parameters"
}
