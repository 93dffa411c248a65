package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// createFrom is the least score by which a POST is taken for a creation.
const createFrom = 0.35

// creates scores how likely a POST to a path makes an item there.
func (in *inference) creates(o *operation, f *family) (score float64, reason string) {
	n := o.at
	var reasons []string
	add := func(s float64, why string) {
		score += s
		if s > 0.1 && why != "" {
			reasons = append(reasons, why)
		}
	}
	verb := isVerb(n.last.text)
	if n.last.variable() {
		verb = false
	}
	if n.last.custom {
		return 0, "custom method"
	}
	if isProcedure(n.last.text) {
		return 0, "name of a procedure"
	}
	item := n.item()
	if item != nil && (item.has("GET") != nil || item.has("PUT") != nil || item.has("PATCH") != nil || item.has("DELETE") != nil) {
		add(0.35, "items below")
	} else if verb {
		return 0, "ends in a verb"
	}
	names := namesOf(n)
	if get := n.has("GET"); get != nil {
		if l, s := asList(get.answer, names); l != nil && s >= 0.5 {
			add(0.3, "GET lists")
		}
	}
	for _, r := range o.Responses {
		if r.Status == "201" {
			add(0.3, "answers 201")
		}
	}
	if s := o.binding.Success; s != nil {
		for _, h := range s.Headers {
			if strings.EqualFold(h.Name, "Location") {
				add(0.2, "answers a Location")
			}
		}
	}
	named := false
	if w := nameWords(o); len(w) > 0 {
		first, last := w[0], w[len(w)-1]
		switch {
		case makers[first] || makers[last] && len(w) > 1:
			add(0.25, "named so")
			named = true
		case askers[first] && !nouns[first], askers[last] && !nouns[last] && len(w) > 1:
			add(-0.6, "")
		case changers[first], changers[last] && len(w) > 1 && !nouns[last]:
			add(-0.4, "")
		case isVerb(first) && first != "post" && !nouns[first]:
			add(-0.2, "")
		}
	}
	if f != nil && f.value.ok() {
		if s := f.itemIn(o.answer); s != nil && alike(o.answer.of(s.Value), f.value) >= 0.6 {
			add(0.3, "item answered")
		}
		if s := f.itemIn(o.request); s != nil && within(o.request.of(s.Value), f.value) >= 0.5 {
			add(0.2, "item sent")
		}
	} else if s := asItem(o.answer, names, view{}); s != nil {
		if r := asItem(o.request, names, view{}); r != nil && len(o.request.of(r.Value).members()) > 0 && within(o.answer.of(s.Value), o.request.of(r.Value)) >= 0.5 ||
			r != nil && within(o.request.of(r.Value), o.answer.of(s.Value)) >= 0.5 {
			add(0.3, "answers what is sent")
		} else if o.answer.kind() == Object && o.request.kind() == Object {
			add(0.1, "")
			if hasOwnKey(o.answer.of(s.Value).members()) && !hasOwnKey(o.request.members()) {
				add(0.2, "answers an id")
			}
		}
	}
	if l, s := asList(o.answer, names); l != nil && s >= 0.8 && len(l.Fields) > 0 {
		add(-0.4, "")
	}
	if naming.IsPlural(n.last.text) && !n.last.variable() {
		add(0.15, "")
	}
	if o.request.kind() == Array && !isItem(o.request.element()) {
		add(-0.4, "")
	}
	if o.Body == nil {
		add(-0.2, "")
	} else if !named && o.binding.Media == nil && o.binding.Success != nil && len(o.binding.Success.Content) == 0 {
		add(-0.1, "")
	}
	switch {
	case score < createFrom && len(reasons) > 0:
		return score, "too little for a creation"
	case score < createFrom:
		return score, "no sign of a creation"
	case len(reasons) == 0:
		return score, "name of a collection"
	}
	reasons = reasons[:min(len(reasons), 2)]
	return score, strings.Join(reasons, ", ")
}

// confidence turns a score into a confidence.
func confidence(score float64) float64 {
	return min(0.98, 0.4+score*0.5)
}
