package checks

import "unicode/utf8"

// Refusal returns what the answer to a request says, without numbers, keys, quoted text and values that were sent, and
// the place in the request that it names, as Finding.Where writes it. Either is "" if none.
func Refusal(x *Exchange) (message, about string) {
	if x.Response == nil || !utf8.Valid(x.Response.Body) {
		return "", ""
	}
	in := &input{Exchange: x, operation: x.Case.Operation, body: x.Response.Body[:min(len(x.Response.Body), maxRead)]}
	return generalAnswer(in.body, in.sentTexts(), nil), in.namedPlace("")
}
