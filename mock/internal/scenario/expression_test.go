package scenario

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// An expression may use any amount of time and memory only up to maxSteps:
// the list of the body has 3,000 elements.
func TestExpressionBounds(t *testing.T) {
	body := make([]any, 3000)
	for i := range body {
		body[i] = json.Number("7")
	}
	for _, source := range []string{
		`all(request.body, let x = #; all(request.body, # == x))`,
		`all(request.body, # in request.body && request.body == request.body)`,
		`len(reduce(1..64, #acc + #acc, "abcdefgh")) > 0`,
		`len(reduce(1..64, concat(#acc, #acc), [1])) > 0`,
		`len(toJSON(reduce(1..64, [#acc, #acc], [1]))) > 0`,
		`len(toJSON(reduce(1..64, ({"a": #acc, "b": #acc}), 1))) > 0`,
		`len(1..100000000) > 0`,
		`len(repeat("x", 100000000)) > 0`,
		`len(replace(repeat("x", 100000), "x", repeat("y", 100000))) > 0`,
		`len(join(map(1..10000, "x"), repeat("y", 100000))) > 0`,
	} {
		e, invalid := scope{}.compile(source, asCondition...)
		if invalid != nil {
			t.Errorf("%s: %v", source, invalid)
			continue
		}
		if _, err := e.holds(&Request{Body: body}); err == nil {
			t.Errorf("%s: must fail", source)
		} else if len(err.Error()) > 200 {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// Reading a collection costs steps, reading its length does not.
func TestItemsCostSteps(t *testing.T) {
	item := []byte(`{"text":"` + strings.Repeat("x", 1000) + `"}`)
	r := &Request{state: NewState(), Kept: Kept{Items: func(string) (iter.Seq[[]byte], int, error) {
		return slices.Values(slices.Repeat([][]byte{item}, 100_000)), 100_000, nil
	}}}
	for source, fails := range map[string]bool{
		`any(items("/" + "plants"), .text == "")`: true, `len(items("/" + "plants")) == 100000`: false,
	} {
		e, invalid := scope{live: true}.compile(source, asCondition...)
		if invalid != nil {
			t.Fatal(invalid)
		}
		if holds, err := e.holds(r); holds == fails || (err != nil) != fails {
			t.Errorf("%s: %v %v", source, holds, err)
		}
	}
}

// Values pass through an expression unchanged.
func TestValues(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `"x"`, `0`, `-1`, `9007199254740993`, `9223372036854775807`, `9223372036854775808`,
		`123456789012345678901234567890`, `1.5`, `1e400`, `[1,[2,{"a":3}],"x"]`, `{"a":[],"b":{}}`, `[]`,
	} {
		v, err := jsontext.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		e, invalid := scope{}.compile("request.body")
		if invalid != nil {
			t.Fatal(invalid)
		}
		got, err := e.plain(&Request{Body: v})
		if err != nil {
			t.Fatal(err)
		}
		if s := string(jsontext.Append(nil, got)); s != text {
			t.Errorf("%s became %s", text, s)
		}
	}
}

func TestConditions(t *testing.T) {
	body, err := jsontext.Decode(`{"id": 9007199254740993, "n": 3, "f": 1.10, "tags": ["a", "b"], "items": [{"n": 1}, {"n": 5}], "none": null, "big": 18446744073709551616}`)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]bool{
		`request.body.id == 9007199254740993`:                             true,
		`request.body.id == 9007199254740992`:                             false,
		`request.body.f == 1.1 && request.body.n > 2.5`:                   true,
		`request.body.big == "18446744073709551616"`:                      false,
		`string(request.body.big) == "18446744073709551616"`:              true,
		`"b" in request.body.tags`:                                        true,
		`any(request.body.items, .n > 4)`:                                 true,
		`filter(request.body.items, .n > 4)[0].n == 5`:                    true,
		`count(request.body.items, .n > 0) == 2`:                          true,
		`sum(request.body.items, .n) == 6`:                                true,
		`len(request.body.tags) == 2`:                                     true,
		`request.body.none == nil && request.body.missing == nil`:         true,
		`request.body.missing?.deep == nil`:                               true,
		`request.headers.Accept == "x, y" && "ACCEPT" in request.headers`: true,
		`request.headers?.ACCEPT == "x, y"`:                               true,
		`request.headers["no"] == ""`:                                     true,
		`request.body.tags | join("-") == "a-b"`:                          true,
		`replace("aXbX", "X", "", 1) == "abX"`:                            true,
		`get(request, "method") == "POST"`:                                true,
		`request.method + request.path == "POST/plants"`:                  true,
		`(request.query.limit ?? 10) == 10`:                               true,
		`request.body.n in 1..3 && request.body.n not in [4, 5]`:          true,
		`request.body.tags == ["a", "b"]`:                                 true,
		`all(keys(request.body), # != "x") ? true : false`:                true,
		`sort(map(request.body.items, -.n))[0] == -5`:                     true,
	} {
		e, invalid := scope{}.compile(source, asCondition...)
		if invalid != nil {
			t.Errorf("%s: %v", source, invalid)
			continue
		}
		got, err := e.holds(&Request{Method: "POST", Path: "/plants", Header: exchange.Header{{Name: "Accept", Value: "x"}, {Name: "ACCEPT", Value: "y"}}, Body: body})
		if got != want || err != nil {
			t.Errorf("%s is %v, %v", source, got, err)
		}
	}
}

// What fails at a request says why in JSON's words.
func TestFailures(t *testing.T) {
	body, err := jsontext.Decode(`{"n": 3, "s": "x", "null": null, "o": {}, "l": []}`)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		`request.body.s > 1`:                  "invalid operation: string > number",
		`request.body.null < 1`:               "invalid operation: null < number",
		`request.body.null.x == 1`:            "there is no x in null; write ?.x if null is expected",
		`request.body.n && true`:              "number, not boolean",
		`request.body.n contains "x"`:         "number, not string",
		`any(request.body.null, true)`:        "a value is missing, or has a type that the expression cannot use",
		`request.body.l[3] == 1`:              "index out of range: 3 (array length is 0)",
		`request.body.o - 1 == 1`:             "invalid operation: object - number",
		`request.body.n % 0 == 1`:             "integer divide by zero",
		`filter([1], request.body.n)[0] == 1`: "number, not boolean",
		`request.body.s ? true : false`:       "string, not boolean",
		`len(request.body.n) == 1`:            "invalid argument for len (type number)",
	} {
		e, invalid := scope{}.compile(source, asCondition...)
		if invalid != nil {
			t.Errorf("%s: %v", source, invalid)
			continue
		}
		holds, err := e.holds(&Request{Body: body})
		if holds || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", source, holds, err, want)
		}
	}
}
