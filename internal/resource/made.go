package resource

import "slices"

// findMade finds the actions below an item that create another one: POST /files/{id}/copy, which documents 201 and
// answers a file, and POST /carts/{id}/checkout, which answers an order. An action that answers the type of another
// resource creates an item of it if it documents 201, or if nothing else creates such items.
func (in *inference) findMade() {
	tells := in.tellsCreations()
	for _, o := range in.operations {
		b, c := o.binding, in.candidates[o.at.parent]
		if b.Role != Action || o.Method != "POST" || b.Declared || b.Bulk != nil || b.Part != nil ||
			b.Lookup != nil || b.KeyIn != InPath ||
			b.Resource == nil || c == nil || c.item != o.at.parent || c.resource != b.Resource || o.at.last.variable() {
			continue
		}
		made := in.madeBy(o, c.final(), tells)
		if made == nil {
			continue
		}
		shown := made.shownIn(o)
		if shown == nil || shown.Many || !o.isAbout(shown, made.value) {
			continue
		}
		b.Makes = &Binding{
			Operation: b.Operation, Resource: made.resource, Role: Create, Response: shown, Success: b.Success, Media: b.Media,
			Headers: b.Headers, Confidence: b.Confidence, Reason: b.Reason,
		}
		if o.request.ok() {
			b.Makes.Request = o.request.shape(false)
		}
		b.Reads, b.Response, b.Takes = false, nil, nil
		b.Reason += "; creates one of " + made.resource.Name
		b.Evidence = append(b.Evidence, Evidence{"made", "answers another item", 1, made.resource.Name})
	}
}

// isAbout reports whether an operation answers nothing but an item of a type: not a part of it, as every type with a
// name and a key is, nor an access token with its user.
func (o *operation) isAbout(shown *Shape, item view) bool {
	if len(shown.Path) > 1 || len(shown.Path) == 1 && len(o.answer.members()) > 1 {
		return false
	}
	const alike = 0.9
	return len(item.members()) >= leastShared && similarity(o.answer.of(shown.Value), item) >= alike
}

// madeBy returns the candidate of which an action below an item of another, or of the same, creates an item; nil for
// none. An action that answers the same type creates an item only if that is its one success, 201, and if it does not
// set anything: POST /orders/{id}/capture captures the order. tells says that a 201
// distinguishes creations from other requests.
func (in *inference) madeBy(o *operation, c *candidate, tells bool) *candidate {
	creates := o.documents("201")
	if o.answersOneOf(c) {
		isItem := c.resource.Key != nil && !c.resource.Scoped && !c.singleton
		if isItem && creates && tells && !o.documents("200") && len(o.binding.Sets) == 0 {
			return c
		}
		return nil
	}
	var found *candidate
	for _, other := range in.order {
		r := other.resource
		switch {
		case other.mergedInto != nil || other == c || other.singleton:
		case r.Scoped || r.Key == nil || len(r.Key.Property) == 0:
		case !slices.ContainsFunc(r.Bindings, func(b *Binding) bool { return b.Role == Read || b.Role == List }):
		case !creates && (r.Has(Create) || r.Has(Upsert)) || !o.answersOneOf(other):
		case found != nil:
			return nil
		default:
			found = other
		}
	}
	return found
}

// tellsCreations reports whether some POST does not document 201: there are frameworks that document it for all.
func (in *inference) tellsCreations() bool {
	return slices.ContainsFunc(in.operations, func(o *operation) bool { return o.Method == "POST" && !o.documents("201") })
}
