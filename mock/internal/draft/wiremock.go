package draft

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// wiremock reads stub mappings (https://wiremock.org/docs/stubbing/): one, a list, or an object with "mappings".
func wiremock(i *importer, root *tree.Node) {
	list := root.List()
	if mappings := root.Get("mappings"); mappings != nil {
		list = mappings.List()
	} else if root.Kind == tree.Object {
		list = []*tree.Node{root}
	}
	if len(list) == 0 {
		i.say(root, "these are no stub mappings: an object with request and response, or a list mappings")
	}
	for n := range list {
		i.mapping(list[len(list)-1-n]) // of two that match, the later one answers
	}
}

// wiremockFaults maps faults of WireMock to faults of scenarios.
var wiremockFaults = map[string]string{
	"CONNECTION_RESET_BY_PEER": "reset", "EMPTY_RESPONSE": "reset", "MALFORMED_RESPONSE_CHUNK": "truncate",
	"RANDOM_DATA_THEN_CLOSE": "malformed",
}

func (i *importer) mapping(n *tree.Node) {
	request, response := n.Get("request"), n.Get("response")
	if request == nil || response == nil {
		i.say(n, "a stub mapping has request and response")
		return
	}
	s := &stub{at: n, priority: 5, scenario: n.Get("scenarioName").Str()}
	if p := n.Get("priority"); p != nil {
		s.priority, _ = strconv.Atoi(p.Text)
	}
	if s.scenario != "" {
		s.rule.State, s.rule.Then = n.Get("requiredScenarioState").Str(), n.Get("newScenarioState").Str()
	}
	if i.wiremockRequest(s, request) && i.wiremockResponse(s, response) {
		i.stubs = append(i.stubs, s)
	}
}

// wiremockParts are what expressions call parts of requests.
var wiremockParts = map[string]string{
	"queryParameters": "request.query", "headers": "request.headers", "pathParameters": "request.params",
}

// wiremockRequest reads what a stub matches. It reports false if a rule cannot match the same.
func (i *importer) wiremockRequest(s *stub, n *tree.Node) bool {
	for _, m := range n.Fields() {
		text := m.Value.Str()
		switch m.Name {
		case "method":
			if s.method = strings.ToUpper(text); s.method == "ANY" {
				s.method = ""
			}
		case "url":
			path, query, _ := strings.Cut(text, "?")
			s.path = path
			for pair := range strings.SplitSeq(query, "&") {
				name, value, _ := strings.Cut(pair, "=")
				name, _ = url.QueryUnescape(name)
				if value, err := url.QueryUnescape(value); err == nil && name != "" {
					s.rule.When = append(s.rule.When, equalsText("request.query["+quoted(name)+"]", value))
				}
			}
		case "urlPath":
			s.path = text
		case "urlPathTemplate":
			s.path = regexp.MustCompile(`\{[^/{}]*\}`).ReplaceAllString(text, anySegment)
		case "urlPathPattern", "urlPattern":
			if s.pattern = text; m.Name == "urlPattern" {
				s.pattern, _, _ = strings.Cut(text, `\?`)
			}
		case "queryParameters", "headers", "pathParameters":
			for _, p := range m.Value.Fields() {
				condition, ok := i.textCondition(p.Value, wiremockParts[m.Name]+"["+quoted(p.Name)+"]")
				if !ok {
					return false
				}
				s.rule.When = append(s.rule.When, condition)
			}
		case "bodyPatterns":
			for _, p := range m.Value.List() {
				conditions, ok := i.bodyConditions(p)
				if !ok {
					return false
				}
				s.rule.When = append(s.rule.When, conditions...)
			}
		default:
			i.say(m.Value, "requests are not matched by %s, so the stub is left out", m.Name)
			return false
		}
	}
	return true
}

// textCondition reads how a stub matches a text.
func (i *importer) textCondition(n *tree.Node, reads string) (condition string, ok bool) {
	for _, m := range n.Fields() {
		text := m.Value.Str()
		switch m.Name {
		case "equalTo":
			return equalsText(reads, text), true
		case "contains":
			return "string(" + reads + ") contains " + quoted(text), true
		case "matches":
			return "string(" + reads + ") matches " + quoted("^(?:"+text+")$"), true
		case "doesNotMatch":
			return "not (string(" + reads + ") matches " + quoted("^(?:"+text+")$") + ")", true
		case "absent":
			return "(" + reads + ` ?? "") == ""`, m.Value.True()
		}
	}
	i.say(n, "no expression matches a value like this, so the stub is left out")
	return "", false
}

// jsonPath is a path of members: $.order.id.
var jsonPath = regexp.MustCompile(`^\$((?:\.[A-Za-z_]\w*)*)$`)

// jsonFilter is a filter for one member of the body: $[?(@.id == 2)].
var jsonFilter = regexp.MustCompile(`^\$\[\?\(@((?:\.[A-Za-z_]\w*)+)\s*==\s*('[^']*'|"[^"]*"|-?[\d.]+|true|false|null)\)\]$`)

func (i *importer) bodyConditions(n *tree.Node) (conditions []string, ok bool) {
	for _, m := range n.Fields() {
		text := m.Value.Str()
		switch m.Name {
		case "equalTo":
			return Equal("request.body", bodyOf(text)), true
		case "equalToJson":
			value := valueOf(m.Value)
			if m.Value.Kind == tree.String {
				value = bodyOf(text)
			}
			if strings.Contains(string(jsontext.Append(nil, value)), "${json-unit.") {
				i.say(m.Value, "placeholders of JsonUnit are not supported, so the stub is left out")
				return nil, false
			}
			conditions = Equal("request.body", value)
			if !n.Get("ignoreExtraElements").True() {
				conditions = append(conditions, sizes("request.body", value)...)
			}
			return conditions, true
		case "ignoreArrayOrder", "ignoreExtraElements":
			if m.Name == "ignoreArrayOrder" && m.Value.True() {
				i.say(m.Value, "the order of arrays counts in a rule")
			}
			continue
		case "matchesJsonPath":
			expression := text
			if m.Value.Kind == tree.Object {
				expression = m.Value.Get("expression").Str()
			}
			if path := jsonPath.FindStringSubmatch(expression); path != nil {
				reads := "request.body" + strings.ReplaceAll(path[1], ".", "?.")
				if m.Value.Kind == tree.Object {
					condition, ok := i.textCondition(m.Value, reads)
					return []string{condition}, ok
				}
				return []string{reads + " != nil"}, true
			}
			if f := jsonFilter.FindStringSubmatch(expression); f != nil && m.Value.Kind == tree.String {
				value := f[2]
				if value[0] == '\'' {
					value = quoted(value[1 : len(value)-1])
				} else if value == "null" {
					value = "nil"
				}
				return []string{"request.body" + strings.ReplaceAll(f[1], ".", "?.") + " == " + value}, true
			}
		}
		i.say(m.Value, "the body is not matched by %s like this, so the stub is left out", m.Name)
		return nil, false
	}
	return nil, true
}

// wiremockResponse reads the response of a stub. It reports false if a scenario cannot send it.
func (i *importer) wiremockResponse(s *stub, n *tree.Node) bool {
	status := 200
	var header exchange.Header
	var body any
	templated := false
	for _, m := range n.Fields() {
		switch m.Name {
		case "status":
			status, _ = strconv.Atoi(m.Value.Text)
		case "headers":
			for _, f := range m.Value.Fields() {
				values := f.Value.List()
				if f.Value.Kind != tree.Array {
					values = []*tree.Node{f.Value}
				}
				for _, v := range values {
					header = append(header, exchange.Field{Name: f.Name, Value: v.Text})
				}
			}
		case "body":
			body = bodyOf(m.Value.Str())
		case "jsonBody":
			body = m.Value.Value()
		case "fixedDelayMilliseconds":
			s.rule.Delay = milliseconds(m.Value)
		case "delayDistribution":
			if s.rule.Delay = wiremockDelay(m.Value); s.rule.Delay == nil {
				i.say(m.Value, "the delay is left out")
			}
		case "fault":
			s.rule.Fault = wiremockFaults[m.Value.Str()]
		case "transformers":
			templated = true
		case "statusMessage", "fromConfiguredStub", "transformerParameters":
		case "base64Body", "bodyFileName", "proxyBaseUrl":
			i.say(m.Value, "%s cannot be the answer of a rule, so the stub is left out", m.Name)
			return false
		default:
			i.say(m.Value, "%s is left out", m.Name)
		}
	}
	if templated {
		var unknown string
		if body, unknown = templates(body, wiremockTemplates); unknown != "" {
			i.say(n, "the template %s has no expression, so the stub is left out", unknown)
			return false
		}
	}
	if s.rule.Fault != "reset" {
		s.rule.Answers = append(s.rule.Answers, answerWith(status, responseFields(header), body, templated))
	}
	return true
}

// wiremockDelay returns a distribution as rules have it.
func wiremockDelay(n *tree.Node) any {
	switch n.Get("type").Str() {
	case "uniform":
		return map[string]any{"uniform": []any{valueOf(n.Get("lower")), valueOf(n.Get("upper"))}}
	case "lognormal":
		median, sigma := valueOf(n.Get("median")), valueOf(n.Get("sigma"))
		return map[string]any{"lognormal": map[string]any{"median": median, "sigma": sigma}}
	case "fixed":
		return milliseconds(n.Get("milliseconds"))
	}
	return nil
}

// wiremockTemplates are helpers of response templates (https://wiremock.org/docs/response-templating/).
var wiremockTemplates = []template{
	{"request.path.", "", "request.params.%s"},
	{"request.query.", "", "request.query.%s"},
	{"request.headers.", "", `request.headers["%s"]`},
	{"jsonPath request.body '$.", "'", "request.body?.%s"},
	{"now", "", "now()"},
}
