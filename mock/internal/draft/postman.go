package draft

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// postman reads a collection (https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html).
func postman(i *importer, root *tree.Node) {
	if wrapped := root.Get("collection"); wrapped != nil {
		root = wrapped
	}
	if root.Get("item") == nil {
		i.say(root, "this is no Postman collection of version 2: it has no item")
		return
	}
	variables := map[string]string{}
	for _, v := range root.Get("variable").List() {
		if value := v.Get("value"); value != nil {
			variables[v.Get("key").Str()] = value.Text
		}
	}
	i.postmanItems(root.Get("item"), variables)
}

func (i *importer) postmanItems(items *tree.Node, variables map[string]string) {
	for _, n := range items.List() {
		if folder := n.Get("item"); folder != nil {
			i.postmanItems(folder, variables)
			continue
		}
		if len(n.Get("event").List()) > 0 {
			i.say(n.Get("event"), "scripts are left out")
		}
		responses := n.Get("response").List()
		if len(responses) == 0 {
			i.say(n, "the request has no saved response")
		}
		for _, r := range responses {
			request := r.Get("originalRequest")
			if request == nil {
				request = n.Get("request")
			}
			i.postmanExample(r, request, variables)
		}
	}
}

var postmanVariable = regexp.MustCompile(`\{\{([^{}]+)\}\}`)

// replaced returns a text with the values of the collection's variables.
func replaced(text string, variables map[string]string) string {
	return postmanVariable.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := variables[strings.TrimSpace(found[2:len(found)-2])]; ok {
			return value
		}
		return found
	})
}

func (i *importer) postmanExample(r, request *tree.Node, variables map[string]string) {
	s := &stub{at: r, method: strings.ToUpper(request.Get("method").Str())}
	target := request.Get("url")
	raw := target.Str()
	if target != nil && target.Kind == tree.Object {
		raw = target.Get("raw").Str()
	}
	raw = replaced(raw, variables)
	raw, query, _ := strings.Cut(raw, "?")
	if _, rest, ok := strings.Cut(raw, "://"); ok {
		raw = rest
	}
	_, path, _ := strings.Cut(raw, "/") // after the host, or the variable that stands for it
	values := map[string]string{}
	for _, v := range target.Get("variable").List() {
		if value := v.Get("value").Str(); value != "" {
			values[v.Get("key").Str()] = replaced(value, variables)
		}
	}
	segments := strings.Split(path, "/")
	for at, segment := range segments {
		name, isVariable := strings.CutPrefix(segment, ":")
		if isVariable && values[name] != "" {
			segment = url.PathEscape(values[name])
		} else if isVariable {
			segment = anySegment
		}
		if strings.Contains(segment, "{{") {
			segment = anySegment
		}
		segments[at] = segment
	}
	s.path = "/" + strings.Join(segments, "/")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && name != "" && !strings.Contains(value, "{{") {
			value, _ := url.QueryUnescape(value)
			s.rule.When = append(s.rule.When, equalsText("request.query["+quoted(name)+"]", value))
		}
	}
	switch body := request.Get("body"); body.Get("mode").Str() {
	case "", "none":
	case "raw":
		if text := replaced(body.Get("raw").Str(), variables); text != "" {
			s.rule.When = append(s.rule.When, Equal("request.body", bodyOf(text))...)
		}
	case "urlencoded":
		for _, p := range body.Get("urlencoded").List() {
			s.rule.When = append(s.rule.When,
				equalsText("request.body?.["+quoted(p.Get("key").Str())+"]", replaced(p.Get("value").Str(), variables)))
		}
	default:
		i.say(body, "bodies of the mode %s are not compared, so the response is left out", body.Get("mode").Str())
		return
	}
	status := 200
	if code := r.Get("code"); code != nil {
		status, _ = strconv.Atoi(code.Text)
	}
	var header exchange.Header
	for _, h := range r.Get("header").List() {
		if name := h.Get("key").Str(); strings.EqualFold(name, "Content-Type") || strings.EqualFold(name, "Location") {
			header = append(header, exchange.Field{Name: name, Value: replaced(h.Get("value").Str(), variables)})
		}
	}
	var body any
	if text := replaced(r.Get("body").Str(), variables); text != "" {
		body = bodyOf(text)
	}
	s.priority = -len(s.rule.When) // what says more of a request comes first
	s.rule.Answers = append(s.rule.Answers, Answer(status, header, body))
	i.stubs = append(i.stubs, s)
}
