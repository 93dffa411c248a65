package draft

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// mockoon reads an environment (https://mockoon.com/docs/latest/mockoon-data-files/data-files-location/).
func mockoon(i *importer, root *tree.Node) {
	routes := root.Get("routes")
	if routes == nil {
		i.say(root, "this is no Mockoon environment: it has no routes")
		return
	}
	buckets := map[string]*tree.Node{}
	for _, b := range root.Get("data").List() {
		buckets[b.Get("id").Str()], buckets[b.Get("uuid").Str()] = b, b
	}
	prefix := "/" + strings.Trim(root.Get("endpointPrefix").Str(), "/")
	for _, r := range routes.List() {
		path := strings.TrimSuffix(prefix, "/") + "/" + strings.Trim(r.Get("endpoint").Str(), "/")
		switch kind := r.Get("type").Str(); {
		case kind == "crud":
			for _, response := range r.Get("responses").List() {
				i.bucket(response, buckets[response.Get("databucketID").Str()], path)
			}
		case kind != "http" && kind != "":
			i.say(r, "a route of type %s is left out", kind)
		default:
			i.mockoonRoute(r, path, buckets)
		}
	}
}

// bucket adds the data of a CRUD route. Its operations need no rules: they keep items.
func (i *importer) bucket(response, bucket *tree.Node, path string) {
	if bucket == nil {
		i.say(response, "the route has no data bucket")
		return
	}
	text := bucket.Get("value").Str()
	value := bodyOf(text)
	if _, isList := value.([]any); !isList {
		i.say(bucket, "the data bucket is no list of items without templates")
		return
	}
	i.items = append(i.items, Items{Path: path, Value: value, Place: bucket.Place().String()})
}

var mockoonVariable = regexp.MustCompile(`:[A-Za-z_]\w*`)

func (i *importer) mockoonRoute(r *tree.Node, path string, buckets map[string]*tree.Node) {
	method := strings.ToUpper(r.Get("method").Str())
	if method == "ALL" {
		method = ""
	}
	mode := r.Get("responseMode").Str()
	if mode == "RANDOM" {
		i.say(r, "random responses are left out; a rule with chance does the same")
		return
	}
	responses := r.Get("responses").List()
	sequence := &stub{at: r, method: method, path: mockoonVariable.ReplaceAllString(path, anySegment)}
	var fallback *stub
	for at, n := range responses {
		s := &stub{at: n, method: method, path: sequence.path}
		isDefault := n.Get("default").True() || at == 0 && !hasDefault(responses)
		if rules := n.Get("rules").List(); len(rules) > 0 && mode != "DISABLE_RULES" && mode != "SEQUENTIAL" {
			if condition := i.mockoonRules(rules, n.Get("rulesOperator").Str()); condition != "" {
				s.rule.When = []string{condition}
			} else if !isDefault {
				continue
			}
		} else if !isDefault && mode != "SEQUENTIAL" {
			i.say(n, "no rule chooses the response; choose its status with Prefer: code")
			continue
		}
		if !i.mockoonResponse(s, n, buckets) {
			continue
		}
		switch {
		case mode == "SEQUENTIAL":
			sequence.rule.Answers = append(sequence.rule.Answers, s.rule.Answers...)
			continue
		case isDefault:
			plain := *s
			plain.rule.When, plain.priority = nil, 1
			fallback = &plain
		}
		if len(s.rule.When) > 0 {
			i.stubs = append(i.stubs, s)
		}
	}
	if fallback != nil && mode != "FALLBACK" {
		i.stubs = append(i.stubs, fallback)
	}
	if len(sequence.rule.Answers) > 0 {
		sequence.rule.Cycle = len(sequence.rule.Answers) > 1
		i.stubs = append(i.stubs, sequence)
	}
}

func hasDefault(responses []*tree.Node) bool {
	for _, n := range responses {
		if n.Get("default").True() {
			return true
		}
	}
	return false
}

// mockoonRules returns the condition of a response, "" if there is no expression for it.
func (i *importer) mockoonRules(rules []*tree.Node, operator string) string {
	var all []string
	for _, n := range rules {
		modifier, value := n.Get("modifier").Str(), n.Get("value").Str()
		reads := ""
		switch n.Get("target").Str() {
		case "query":
			reads = "request.query[" + quoted(modifier) + "]"
		case "header":
			reads = "request.headers[" + quoted(modifier) + "]"
		case "params":
			reads = "request.params[" + quoted(modifier) + "]"
		case "body":
			reads = "request.body"
			for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(modifier, "$"), "."), ".") {
				if name != "" {
					reads += "?.[" + quoted(name) + "]"
				}
			}
		}
		condition := ""
		switch n.Get("operator").Str() {
		case "equals", "":
			condition = equalsText(reads, value)
		case "regex":
			condition = "string(" + reads + ") matches " + quoted(value)
		case "null":
			condition = reads + " == nil"
		}
		if reads == "" || condition == "" || strings.Contains(value, "{{") {
			i.say(n, "no expression does the same, so the response is left out")
			return ""
		}
		if n.Get("invert").True() {
			condition = "not (" + condition + ")"
		}
		all = append(all, condition)
	}
	if operator == "AND" {
		return strings.Join(all, " and ")
	}
	return "(" + strings.Join(all, " or ") + ")"
}

// mockoonTemplates are helpers of Mockoon's templates (https://mockoon.com/docs/latest/templating/overview/).
var mockoonTemplates = []template{
	{"body '", "'", "request.body?.%s"},
	{"queryParam '", "'", "request.query.%s"},
	{"urlParam '", "'", "request.params.%s"},
	{"header '", "'", `request.headers["%s"]`},
	{"now", "", "now()"},
}

func (i *importer) mockoonResponse(s *stub, n *tree.Node, buckets map[string]*tree.Node) bool {
	status := 200
	if code := n.Get("statusCode"); code != nil {
		status, _ = strconv.Atoi(code.Text)
	}
	var header exchange.Header
	for _, h := range n.Get("headers").List() {
		header = append(header, exchange.Field{Name: h.Get("key").Str(), Value: h.Get("value").Str()})
	}
	s.rule.Delay = milliseconds(n.Get("latency"))
	text := n.Get("body").Str()
	switch n.Get("bodyType").Str() {
	case "FILE":
		i.say(n, "the body is in a file, so the response is left out")
		return false
	case "DATABUCKET":
		text = buckets[n.Get("databucketID").Str()].Get("value").Str()
	}
	expressions := strings.Contains(text, "{{") && !n.Get("disableTemplating").True()
	body := bodyOf(text)
	if text == "" {
		body = nil
	} else if expressions {
		var unknown string
		if body, unknown = templates(body, mockoonTemplates); unknown != "" {
			i.say(n, "the template %s has no expression, so the response is left out",
				exchange.Shorten(unknown, exchange.MaxQuoted))
			return false
		}
	}
	if _, isText := body.(json.Number); isText {
		body = text
	}
	s.rule.Answers = append(s.rule.Answers, answerWith(status, responseFields(header), body, expressions))
	return true
}
