package backends

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

var memberFields = []field{
	need("name", "accepts-missing-name", "accepts-null-name", "Anonymous", str("accepts-number-name"), minLength(1, "accepts-empty-name"), maxLength(100, "accepts-long-name"),
		only("refuses-name-of-100", maxLength(99, "")), only("refuses-apostrophe-in-name", pattern(`^[^']*$`, "")),
		crashes("fails-on-long-name", func(v any) bool { s, _ := v.(string); return len(s) > 90 })),
	need("email", "accepts-missing-email", "", "nobody@example.org", str(""), maxLength(254, ""), format("email", "accepts-any-email"),
		only("refuses-email-of-254", maxLength(253, "")),
		only("refuses-plus-in-email", pattern(`^[^+]*$`, ""))),
	need("pin", "accepts-missing-pin", "", "0000", str("accepts-number-pin"), pattern(`^[0-9]{4,6}$`, "accepts-any-pin")),
	need("contact", "accepts-missing-contact", "", map[string]any{"phone": "+10000000"}, contact),
	filled("tier", "basic", "forgets-default-tier", str(""), oneOfWords("accepts-unknown-tier", "accepts-tier-in-capitals", "basic", "gold")),
	filled("maxLoans", json.Number("3"), "forgets-default-max-loans", integer("accepts-text-max-loans", ""), minimum("0", "accepts-negative-max-loans"), maximum("10", "accepts-high-max-loans"),
		only("refuses-max-loans-of-zero", above("0", "")), changes("zero-max-loans-becomes-default", zeroToThree)),
	filled("newsletter", false, "", boolean("accepts-text-newsletter")),
	may("birthday", nullable("refuses-null-birthday", str(""), format("date", "accepts-any-birthday"))),
	may("sponsor", nullable("", str(""), format("uuid", "accepts-any-sponsor"))),
	given("id", "takes-member-id"),
	given("joinedAt", "takes-joined-at"),
}

var contact = exactlyOne("accepts-both-contacts", "accepts-no-contact",
	branch{with("phone"), object(closed("accepts-unknown-phone-property"),
		need("phone", "", "", nil, str(""), pattern(`^\+[0-9]{7,15}$`, "accepts-any-phone")))},
	branch{with("street"), object(closed("accepts-unknown-address-property"),
		need("street", "", "", nil, str(""), minLength(1, "accepts-empty-street"), maxLength(120, "")),
		need("city", "accepts-missing-city", "", "Nowhere", str(""), minLength(1, ""), maxLength(80, "")),
		may("postcode", str(""), pattern(`^[A-Z0-9 ]{3,10}$`, "accepts-any-postcode")))},
)

var (
	newMember = object(ignored, memberFields...)
	// memberPatch checks what a patch holds; what it lacks stays.
	memberPatch = object(closed("accepts-unknown-member-patch-property"), optional(memberFields, "contact")...)
)

// optional are the fields as a patch has them, except for some: a contact is of
// one kind or the other, which a merge patch cannot say.
func optional(fields []field, but ...string) []field {
	var all []field
	for _, f := range fields {
		if f.readOnly || slices.Contains(but, f.name) {
			continue
		}
		f.required, f.missing, f.standard = false, "", nil
		all = append(all, f)
	}
	return all
}

func zeroToThree(v any) any {
	if same(v, json.Number("0")) {
		return json.Number("3")
	}
	return v
}

func memberRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newMember}
	patch := &bodyRule{kinds: []string{"application/merge-patch+json"}, rule: memberPatch}
	return []operation{
		{name: "list-members", place: "members", method: "GET", path: "/members", guard: staff, handle: listMembers},
		{name: "create-member", place: "members", method: "POST", path: "/members", guard: staff, body: body,
			handle: createMember},
		{name: "read-member", place: "member", method: "GET", path: "/members/{memberId}", guard: bearer, handle: readMember},
		{name: "replace-member", place: "member", method: "PUT", path: "/members/{memberId}", guard: staff, body: body,
			handle: replaceMember},
		{name: "patch-member", place: "member", method: "PATCH", path: "/members/{memberId}", guard: staff, body: patch,
			handle: patchMember},
		{name: "delete-member", place: "member", method: "DELETE", path: "/members/{memberId}", guard: staff,
			handle: deleteMember},
	}
}

func (s *Server) keepMember(members *collection, values map[string]any) *item {
	values = maps.Clone(values)
	if _, taken := values["id"].(json.Number); !taken {
		values["id"] = json.Number(strconv.Itoa(s.next("member")))
	}
	if _, taken := values["joinedAt"].(string); !taken {
		values["joinedAt"] = s.now().Format(time.RFC3339)
	}
	return members.add(string(values["id"].(json.Number)), values)
}

// showMember is what a member looks like in an answer: without the PIN.
func showMember(c *call, i *item) map[string]any {
	shown := i.values
	if !c.has("leaks-pin") {
		shown = without(shown, "pin")
	}
	switch {
	case c.has("shows-both-contacts") && shown["contact"].(map[string]any)["street"] != nil:
		shown = changed(shown, "contact", changed(shown["contact"].(map[string]any), "phone", "+10000000"))
	case c.has("loses-email"):
		shown = without(shown, "email")
	case c.has("loses-contact"):
		shown = without(shown, "contact")
	case c.has("loses-joined-at"):
		shown = without(shown, "joinedAt")
	case c.has("writes-id-as-text"):
		shown = changed(shown, "id", i.id)
	case c.has("writes-id-as-fraction"):
		shown = changed(shown, "id", json.Number(i.id+".5"))
	case c.has("writes-odd-email"):
		shown = changed(shown, "email", "ada at example.org")
	case c.has("writes-unknown-tier"):
		shown = changed(shown, "tier", "platinum")
	}
	return shown
}

func memberOf(c *call) *item {
	id, ok := c.number(0, "memberId")
	if !ok {
		return nil
	}
	if found := c.s.collection("members").byID[id]; found != nil {
		return found
	}
	if gone := c.s.collection("former-members").byID[id]; gone != nil && c.has("shows-deleted") {
		return gone
	}
	c.refuse(http.StatusNotFound, "there is no such member")
	return nil
}

func listMembers(c *call) {
	q, ok := c.queries(
		query("page", integer("", ""), minimum("1", "accepts-page-zero"),
			maximum("10000", "")).numeric().or(json.Number("1"), ""),
		query("perPage", integer("", ""), minimum("1", "accepts-per-page-zero"),
			maximum("50", "accepts-per-page-of-51")).numeric().or(json.Number("10"), ""),
		query("tier", oneOfWords("accepts-unknown-tier-filter", "", "basic", "gold")),
		query("email", format("email", "accepts-any-email-filter")),
	)
	if !ok {
		return
	}
	items := c.s.collection("members").items
	if c.s.has("lists-former-members") {
		items = append(items[:len(items):len(items)], c.s.collection("former-members").items...)
	}
	if tier, has := q["tier"]; has && !c.s.has("tier-filter-ignored") {
		items = kept(items, func(i *item) bool { return i.values["tier"] == tier })
	}
	if email, has := q["email"]; has && !c.s.has("email-filter-ignored") {
		items = kept(items, func(i *item) bool { return i.values["email"] == email })
	}
	number, size := count(q["page"]), count(q["perPage"])
	if c.s.has("pages-count-from-zero") {
		number++
	}
	if c.s.has("per-page-ignored") {
		size = 10
	}
	shown := page(items, (number-1)*size, size)
	if c.s.has("members-in-changing-order") && number > 1 {
		shown = page(items, 0, size)
	}
	c.reply(http.StatusOK, bodies(shown, func(i *item) map[string]any { return showMember(c, i) }))
	total := len(items)
	if c.s.has("members-total-of-page") {
		total = len(shown)
	}
	if !c.s.has("members-without-total-count") {
		c.set("X-Total-Count", strconv.Itoa(total))
	}
}

func createMember(c *call) {
	members := c.s.collection("members")
	values := c.value.(map[string]any)
	if members.find("email", values["email"]) != nil && !c.s.has("accepts-same-email") {
		if c.s.has("refused-member-is-kept") {
			c.s.keepMember(members, values)
		}
		c.refuse(http.StatusConflict, "there is a member with this address")
		return
	}
	member := c.s.keepMember(members, values)
	c.reply(http.StatusCreated, showMember(c, member))
	if c.s.has("member-stores-no-sponsor") {
		member.values = without(member.values, "sponsor")
	}
	if c.s.has("member-stores-email-in-capitals") {
		member.values = changed(member.values, "email", "X"+member.values["email"].(string))
	}
	if c.s.has("member-newsletter-inverted") {
		member.values = changed(member.values, "newsletter", member.values["newsletter"] != true)
	}
	c.set("Location", "/members/"+member.id)
}

func readMember(c *call) {
	member := memberOf(c)
	switch {
	case member == nil:
	case c.s.has("cannot-read-gold-members") && member.values["tier"] == "gold":
		c.refuse(http.StatusNotFound, "there is no such member")
	default:
		c.reply(http.StatusOK, showMember(c, member))
	}
}

// emailTaken answers 409 where another member has the address.
func emailTaken(c *call, member *item, email any) bool {
	other := c.s.collection("members").find("email", email)
	if other == nil || other == member || c.has("accepts-same-email") {
		return false
	}
	c.refuse(http.StatusConflict, "there is another member with this address")
	return true
}

func replaceMember(c *call) {
	member := memberOf(c)
	if member == nil {
		return
	}
	sent := c.value.(map[string]any)
	if emailTaken(c, member, sent["email"]) {
		return
	}
	values := maps.Clone(sent)
	if c.s.has("put-member-merges") {
		values = maps.Clone(member.values)
		maps.Copy(values, sent)
	}
	values["id"], values["joinedAt"] = member.values["id"], member.values["joinedAt"]
	member.values = values
	c.reply(http.StatusOK, showMember(c, member))
	if c.s.has("put-member-loses-birthday") {
		member.values = without(values, "birthday")
	}
}

func patchMember(c *call) {
	member := memberOf(c)
	if member == nil {
		return
	}
	patch := c.value.(map[string]any)
	all, _ := merged(member.values, patch).(map[string]any)
	for _, f := range memberFields {
		if _, has := all[f.name]; !has && f.standard != nil {
			all[f.name] = f.standard
		}
	}
	if c.s.has("patch-member-resets-tier") {
		if _, sent := patch["tier"]; !sent {
			all["tier"] = "basic"
		}
	}
	if emailTaken(c, member, all["email"]) {
		return
	}
	if !c.s.has("patch-member-is-not-kept") {
		defer func() { member.values = all }()
	}
	c.reply(http.StatusOK, showMember(c, &item{id: member.id, values: all}))
}

func deleteMember(c *call) {
	member := memberOf(c)
	if member == nil {
		if c.answer.status == http.StatusNotFound && c.s.has("delete-member-twice-answers-204") {
			c.answer = answer{status: http.StatusNoContent}
		}
		return
	}
	for _, loan := range c.s.collection("loans").items {
		if same(loan.values["memberId"], member.values["id"]) && loan.values["status"] == "open" {
			c.refuse(http.StatusConflict, "the member has books")
			return
		}
	}
	c.s.collection("members").remove(member.id)
	c.s.collection("former-members").add(member.id, member.values)
	c.answer.status = http.StatusNoContent
}
