package checks

import (
	"strings"
	"testing"
)

// TestAnswerText checks that answers with one cause have one text, and those that say no more than their status none.
func TestAnswerText(t *testing.T) {
	own := map[string]bool{"name": true, "where.or": true, "silence": true, "silences": true}
	sent := []string{"Fine Harbor 7xk2p", "Internal", "lantern", "Inte", "🌱🪴", "zzq", "a"}
	for want, answers := range map[string][]string{
		"bad matcher format":                                 {`"bad matcher format: zzq"`, `"bad matcher format: "`, `"bad matcher format: a"`, `"bad matcher format: lantern"`},
		"code #GAC; … in body is required":                   {`{"code": 602, "message": "silence in body is required"}`},
		"UNKNOWN_PLACE; Unknown … in":                        {`{"code": "UNKNOWN_PLACE", "message": "Unknown field \"anter\" in where.or"}`, `{"code": "UNKNOWN_PLACE", "message": "Unknown field \"\udf31\ud83e\" in where.or"}`},
		"duplicate key value violates unique constraint":     {`{"message":"duplicate key value violates unique constraint \"a_key\"", "requestId": "f81d4fae-7dec", "time": "12:30", "path": "/silences"}`},
		"Error; Cannot route":                                {"<!DOCTYPE html>\n<html><head><title>Error</title><style>p{}</style></head><body><pre>Cannot route POST /silences/7</pre></body></html>"},
		"SyntaxError Unexpected token … in JSON at position": {"<html><title>Error</title><body><pre>SyntaxError: Unexpected token &#39;x&#39; in JSON at position 12<br> &nbsp; &nbsp;at JSON.parse (&lt;anonymous&gt;)</pre></body></html>", "SyntaxError: Unexpected token \"b\" in JSON at position 3\n    at parse (/app/x.js:3:5)"},
		"invalid input syntax for type":                      {`{"message":"invalid input syntax for type integer: \"NaN\""}`, `{"message":"invalid input syntax for type timestamp: \"\""}`, `{"message":"invalid input syntax for type double precision: \"b\""}`},
		"Internal Server Error; Cannot read properties":      {`{"error":"Internal Server Error","message":"Cannot read properties"}`},
		"KeyError":                         {"Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'name'\n"},
		"start must be before end":         {`"start must be before end; start must be before end"`, `"start must be before end"`},
		"SQLSTATE CCAAD":                   {`{"code":"22003","error":"Internal Server Error","message":"value \"2147483648\" is out of range for type integer"}`, `{"sqlState":"22003","message":"\"1e+100\" is out of range for type real"}`},
		"SQLSTATE CCPAC":                   {`{"code":"22P02","message":"invalid input syntax for type bigint: \"b\""}`, `{"code":"22007","message":"invalid input syntax for type timestamp: \"\""}`},
		"Duplicate entry … for key":        {`{"sqlState":"23000","message":"Duplicate entry 'zzq' for key"}`},
		"DNS … is not canonical":           {`"DNS Name 'a' is not canonical"`, `"DNS Name '100%_%2A\"'--;' is not canonical"`, `"DNS Name 'O'Neil \"x\" <b>' is not canonical"`},
		"DNS":                              {`"DNS Name 'a\nb"`},
		"owner's … is bad for the owner's": {`"owner's 'a' is bad for the owner's"`},
		"Master … is not an address":       {`"Master (🌱🪴) is not an address"`, `"Master (Inte) is not an address"`, `"Master (Fine Harbor 7xk2p) is not an address"`},
		"title can't be blank":             {`{"message": "title can't be blank", "value": "Fine Harbor 7xk2p"}`},
		"":                                 {"", `{"message": "Internal Server Error", "statusCode": 500}`, "Bad Request\n", `{"error": {"code": 400, "message": "validation failed"}}`, "<html><title>502 Bad Gateway</title></html>", `{"title": "An error occurred while processing your request."}`},
	} {
		for _, answer := range answers {
			got := generalAnswer([]byte(answer), sent, own)
			if got != want && !strings.HasSuffix(got, "; "+want) {
				t.Errorf("%s\ngot  %q\nwant %q", answer, got, want)
			}
		}
	}
}

// TestRefusals checks which texts of a 5xx come from decoders and validators, and which are separate causes.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]bool{
		"SyntaxError: Unexpected token … in JSON at position":                 true,
		"FST_ERR_VALIDATION; … must be string":                                true,
		"body must have required property":                                    true,
		"data … must NOT have additional properties":                          true,
		"name must be a string":                                               true,
		"json cannot unmarshal string into Go value of type":                  true,
		"OFFSET_MUST_BE_NOT_NEGATIVE; Param … not allowed It must be a not":   false,
		"the start must be before the end":                                    false,
		"connection pool: size must be set":                                   false,
		"duplicate key value violates unique constraint; name must have been": false,
	} {
		if got := isRefusal(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
