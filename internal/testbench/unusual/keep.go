package unusual

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// described is a change that describes a schema of the base document.
func described(schema, text string) string {
	return "components: {schemas: {" + schema + ": {description: " + strconv.Quote(text) + "}}}"
}

// property is a change that adds a property to tasks, for requests and answers.
func property(name, schema string) string {
	added := "properties: {" + name + ": " + schema + "}"
	return "components: {schemas: {Task: {" + added + "}, TaskChange: {" + added + "}}}"
}

// keepText keeps a text otherwise than it was sent.
func keepText(name string, f func(string) string) Behaviour {
	return keepValue(name, func(value any) any {
		if text, ok := value.(string); ok {
			return f(text)
		}
		return value
	})
}

// keepValue keeps a property otherwise than it was sent.
func keepValue(name string, f func(any) any) Behaviour {
	return Behaviour{Keep: func(_ *call, values map[string]any) {
		if value, sent := values[name]; sent {
			values[name] = f(value)
		}
	}}
}

// keepTags keeps the tags otherwise than they were sent.
func keepTags(f func([]string) []string) Behaviour {
	return keepValue("tags", func(value any) any {
		var texts []string
		for _, tag := range value.([]any) {
			texts = append(texts, tag.(string))
		}
		tags := []any{}
		for _, text := range f(texts) {
			tags = append(tags, text)
		}
		return tags
	})
}

func each(f func(string) string) func([]string) []string {
	return func(texts []string) []string {
		for i, text := range texts {
			texts[i] = f(text)
		}
		return texts
	}
}

func hide(names ...string) Behaviour {
	return Behaviour{Show: func(_ *call, values map[string]any) {
		for _, name := range names {
			delete(values, name)
		}
	}}
}

func firstRunes(n int) func(string) string {
	return func(s string) string {
		runes := []rune(s)
		return string(runes[:min(n, len(runes))])
	}
}

func or(text, standard string) string {
	if text == "" {
		return standard
	}
	return text
}

// rounded returns a number with some decimals.
func rounded(value any, decimals int) any {
	n, ok := value.(json.Number)
	if !ok {
		return value
	}
	f, err := n.Float64()
	if err != nil {
		return value
	}
	scale := math.Pow10(decimals)
	return json.Number(strconv.FormatFloat(math.Round(f*scale)/scale, 'f', -1, 64))
}

var accents = strings.NewReplacer("a\u0308", "ä", "o\u0308", "ö", "u\u0308", "ü", "e\u0301", "é", "e\u0300", "è", "n\u0303",
	"ñ", "A\u030a", "Å", "a\u030a", "å", "c\u0327", "ç")

var letters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "é", "e", "è", "e", "ñ", "n", "å", "a", "ç", "c")
