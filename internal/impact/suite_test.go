package impact

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// suite is a consumer's test suite as data: requests, and below each, indented, what the consumer needs of the
// response.
//
//	POST /users {"name": "Ada"}   a status below 400 is needed, unless a line says another one
//	  status 404
//	  string /phone               there is a string; number, bool, list, object, any and filled (a list with items) likewise
//	  string /items/*/name        in all items
//	  is /name Ada                its text
//	  one-of /state open,closed
//	  field Location
//	  bearer /token               later requests have it as their token
//	  $id = /id                   later lines have the value for $id
type suite string

func (s suite) run(ctx context.Context, variables []string, output *Output) error {
	url, token, known := "", "", map[string]string{}
	for _, v := range variables {
		if address, ok := strings.CutPrefix(v, "COLDFRAME_URL="); ok {
			url = address
		}
	}
	var body any
	var response *http.Response
	lines := bufio.NewScanner(strings.NewReader(string(s)))
	expected := false
	ended := func() error {
		if response != nil && response.StatusCode >= 400 && !expected {
			return fmt.Errorf("%s %s: status %d", response.Request.Method, response.Request.URL.Path, response.StatusCode)
		}
		return nil
	}
	for lines.Scan() {
		line := lines.Text()
		for name, value := range known {
			line = strings.ReplaceAll(line, name, value)
		}
		words := strings.Fields(line)
		var err error
		switch {
		case len(words) == 0:
		case line[0] != ' ':
			if err = ended(); err == nil {
				expected = false
				response, body, err = send(ctx, url, token, line)
			}
		case words[0] == "status":
			if expected = true; fmt.Sprint(response.StatusCode) != words[1] {
				err = fmt.Errorf("status %d, want %s", response.StatusCode, words[1])
			}
		case words[0] == "field":
			if response.Header.Get(words[1]) == "" {
				err = fmt.Errorf("no field %s", words[1])
			}
		case words[0] == "bearer":
			value, _ := jsonvalue.At(body, exchange.SplitPointer(words[1]))
			token, _ = jsonvalue.Text(value)
		case strings.HasPrefix(words[0], "$"):
			value, _ := jsonvalue.At(body, exchange.SplitPointer(words[2]))
			known[words[0]], _ = jsonvalue.Text(value)
		default:
			err = need(body, words[0], exchange.SplitPointer(words[1]), strings.Join(words[2:], " "))
		}
		if err != nil {
			fmt.Fprintln(output, strings.TrimSpace(line)+":", err)
			return err
		}
	}
	return ended()
}

func send(ctx context.Context, url, token, line string) (*http.Response, any, error) {
	method, rest, _ := strings.Cut(line, " ")
	path, text, hasBody := strings.Cut(rest, " ")
	request, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	if hasBody {
		request.Header.Set("Content-Type", map[bool]string{
			true: "application/merge-patch+json", false: "application/json"}[method == "PATCH"])
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	request.Close = true // a later run may have the same port
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	body, _ := jsontext.Decode(string(got))
	return response, body, nil
}

func need(value any, kind string, tokens []string, wanted string) error {
	for i, token := range tokens {
		if list, isList := value.([]any); isList && token == "*" {
			for _, item := range list {
				if err := need(item, kind, tokens[i+1:], wanted); err != nil {
					return err
				}
			}
			return nil
		}
		value, _ = jsonvalue.At(value, []string{token})
	}
	ok := false
	text := fmt.Sprint(value)
	switch kind {
	case "string":
		_, ok = value.(string)
	case "number":
		_, ok = value.(json.Number)
	case "bool":
		_, ok = value.(bool)
	case "object":
		_, ok = value.(map[string]any)
	case "list":
		_, ok = value.([]any)
	case "filled":
		list, _ := value.([]any)
		ok = len(list) > 0
	case "any":
		ok = value != nil
	case "is":
		ok = text == wanted
	case "one-of":
		for choice := range strings.SplitSeq(wanted, ",") {
			ok = ok || text == choice
		}
	}
	if !ok {
		return fmt.Errorf("/%s: want %s, got %v", strings.Join(tokens, "/"), strings.TrimSpace(kind+" "+wanted), value)
	}
	return nil
}
