package unusual

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// item is one thing that the service keeps.
type item struct {
	id     string
	in     string // its collection: tasks, or tasks/7/notes
	values map[string]any
	blob   []byte
	gone   bool // deleted, but still remembered
	made   int  // how many changes of the collection there were before
	at     int  // how many requests the service had got when it was created
}

// version counts the changes of an item.
func (i *item) version() int {
	n, _ := i.values["version"].(json.Number)
	v, _ := n.Int64()
	return int(v)
}

// collection is items in the order in which they were created.
type collection struct {
	items []*item
	last  int // the last id
	ticks int // changes so far
}

func (s *Service) collection(name string) *collection {
	c := s.collections[name]
	if c == nil {
		c = &collection{}
		s.collections[name] = c
	}
	return c
}

func (c *collection) find(id string) *item {
	for _, i := range c.items {
		if i.id == id && !i.gone {
			return i
		}
	}
	return nil
}

// live returns the items that are not deleted.
func (c *collection) live() []*item {
	return slices.DeleteFunc(slices.Clone(c.items), func(i *item) bool { return i.gone })
}

func (c *collection) remove(i *item) {
	i.gone = true
	c.ticks++
}

// add keeps a new item.
func (s *Service) add(in string, values map[string]any) *item {
	c := s.collection(in)
	c.last++
	c.ticks++
	values = maps.Clone(values)
	values["id"] = number(c.last)
	if in == "tasks" {
		values["version"], values["createdAt"] = number(1), s.now().Format(time.RFC3339)
	}
	i := &item{id: strconv.Itoa(c.last), in: in, values: values, made: c.ticks, at: s.requests}
	c.items = append(c.items, i)
	return i
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func (s *Service) seed() {
	for _, title := range []string{"Water the seedlings", "Order seeds", "Mend the frame"} {
		s.add("tasks", map[string]any{"title": title, "state": "open", "priority": number(3)})
	}
	for _, name := range []string{"Ada", "Grace", "Edsger"} {
		s.add("people", map[string]any{"name": name, "email": strings.ToLower(name) + "@example.org", "role": "admin"})
	}
	s.add("tasks/1/notes", map[string]any{"text": "Twice a day."})
	s.add("files", map[string]any{"name": "plan.txt", "size": number(4)}).blob = []byte("plan")
	for _, name := range slices.Sorted(maps.Keys(s.collections)) {
		s.seeds = append(s.seeds, s.collections[name].items...)
	}
}

// Seeds returns what was there from the start, as one text.
func (s *Service) Seeds() string {
	var b strings.Builder
	for _, i := range s.seeds {
		text, _ := json.Marshal(i.values)
		fmt.Fprintf(&b, "%s %s %v %s\n", i.in, i.id, i.gone, text)
	}
	settings, _ := json.Marshal(s.single)
	fmt.Fprintf(&b, "settings %s\n", settings)
	return b.String()
}

// handlers are the operations of the base document.
var handlers = map[string]func(*call){
	"listTasks": listItems, "createTask": createItem, "readTask": readItem, "replaceTask": changeItem,
	"changeTask": changeItem, "deleteTask": deleteItem,
	"listNotes": listItems, "createNote": createItem, "readNote": readItem, "deleteNote": deleteItem,
	"listPeople": listItems, "createPerson": createItem, "readPerson": readItem, "changePerson": changeItem,
	"deletePerson": deleteItem,
	"createFile":   createFile, "readFile": readItem, "deleteFile": deleteItem,
	"downloadFile": func(c *call) {
		if i := c.item(); i != nil {
			c.answer.status, c.answer.kind, c.answer.body = 200, "application/octet-stream", i.blob
		}
	},
	"readSettings": func(c *call) { c.reply(http.StatusOK, c.single) },
	"replaceSettings": func(c *call) {
		c.single = withDefaults(c.body.(map[string]any), map[string]any{"pageSize": number(20)})
		c.reply(http.StatusOK, c.single)
	},
	"login": func(c *call) {
		sent := c.body.(map[string]any)
		if sent["username"] != username || sent["password"] != c.password {
			c.unauthorized("the name or the password is wrong")
			return
		}
		c.reply(http.StatusCreated, map[string]any{"token": c.newToken()})
	},
	"readMe": func(c *call) { c.reply(http.StatusOK, c.shown(c.collection("people").items[0])) },
}

func (s *Service) newToken() string {
	token := fmt.Sprintf("token-%08x", 0x9e3779b1*uint32(len(s.tokens)+1))
	s.tokens[token] = true
	return token
}

// place returns the collection and the id that the path names; no id for the collection itself.
func (c *call) place() (in, id string) {
	segments := strings.Split(strings.TrimPrefix(c.op.Path, "/"), "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			segments[i] = c.path[strings.TrimSuffix(name, "}")]
		}
	}
	switch {
	case segments[0] == "tasks" && len(segments) > 2 && segments[2] == "notes":
		in = strings.Join(segments[:3], "/")
		segments = segments[2:]
	default:
		in = segments[0]
	}
	if len(segments) > 1 {
		id = segments[1]
	}
	return in, id
}

// parent reports whether the item exists that has the collection, or answers 404.
func (c *call) parent(in string) bool {
	names := strings.Split(in, "/")
	if len(names) < 3 || c.collection(names[0]).find(names[1]) != nil {
		return true
	}
	c.refuse(http.StatusNotFound, "there is no such "+strings.TrimSuffix(names[0], "s"))
	return false
}

// item returns the item of the path, or answers 404.
func (c *call) item() *item {
	in, id := c.place()
	if !c.parent(in) {
		return nil
	}
	i := c.collection(in).find(id)
	if i == nil {
		c.refuse(http.StatusNotFound, "there is no such item")
	}
	return i
}

// shown returns an item as answers show it.
func (c *call) shown(i *item) map[string]any {
	values := maps.Clone(i.values)
	if c.behaviour.Show != nil {
		c.behaviour.Show(c, values)
	}
	return values
}

func withDefaults(values, defaults map[string]any) map[string]any {
	all := maps.Clone(defaults)
	maps.Copy(all, values)
	return all
}

// values returns what the backend keeps of the body, or answers 422.
func (c *call) values(sent map[string]any) (map[string]any, bool) {
	if c.behaviour.Rule != nil {
		if wrong := c.behaviour.Rule(c, sent); wrong != "" {
			c.refuse(http.StatusUnprocessableEntity, wrong)
			return nil, false
		}
	}
	values := maps.Clone(sent)
	for _, name := range []string{"id", "version", "createdAt"} {
		delete(values, name) // readOnly
	}
	switch in, _ := c.place(); in {
	case "tasks":
		values = withDefaults(values, map[string]any{"state": "open", "priority": number(3)})
	case "people":
		values = withDefaults(values, map[string]any{"role": "reader"})
	}
	if c.behaviour.Keep != nil {
		c.behaviour.Keep(c, values)
	}
	return values, true
}

func createItem(c *call) {
	in, _ := c.place()
	if !c.parent(in) {
		return
	}
	values, ok := c.values(c.body.(map[string]any))
	if !ok {
		return
	}
	i := c.add(in, values)
	c.reply(http.StatusCreated, c.shown(i))
	c.answer.header.Set("Location", "/"+in+"/"+i.id)
}

func readItem(c *call) {
	i := c.item()
	if i == nil {
		return
	}
	c.reply(http.StatusOK, c.shown(i))
	if i.in != "tasks" {
		return
	}
	c.answer.header.Set("ETag", tag(i))
	if sent, has := c.header["If-None-Match"].(string); has && (sent == "*" || hasTag(sent, tag(i), true)) {
		c.bare(http.StatusNotModified)
	}
}

func tag(i *item) string { return fmt.Sprintf(`"v%d"`, i.version()) }

// hasTag reports whether a list of tags has one; weakly compares without "W/" (RFC 9110 section 8.8.3.2).
func hasTag(list, tag string, weakly bool) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if weakly {
			one, tag = strings.TrimPrefix(one, "W/"), strings.TrimPrefix(tag, "W/")
		}
		if one == tag && !strings.HasPrefix(one, "W/") {
			return true
		}
	}
	return false
}

// unchanged reports whether If-Match allows a change, or answers 412.
func (c *call) unchanged(i *item) bool {
	sent, has := c.header["If-Match"].(string)
	if has && sent != "*" && !hasTag(sent, tag(i), false) {
		c.refuse(http.StatusPreconditionFailed, "the item has another tag")
		return false
	}
	return true
}

// changeItem replaces an item, or changes it by a merge patch.
func changeItem(c *call) {
	i := c.item()
	if i == nil || !c.unchanged(i) {
		return
	}
	sent := c.body.(map[string]any)
	if c.r.Method == http.MethodPatch {
		sent = jsonvalue.Merge(maps.Clone(i.values), sent).(map[string]any)
	}
	values, ok := c.values(sent)
	if !ok {
		return
	}
	c.keep(i, values)
	c.reply(http.StatusOK, c.shown(i))
	if i.in == "tasks" {
		c.answer.header.Set("ETag", tag(i))
	}
}

// keep returns an item other values.
func (c *call) keep(i *item, values map[string]any) {
	values["id"] = i.values["id"]
	if i.in == "tasks" {
		values["version"], values["createdAt"] = number(i.version()+1), i.values["createdAt"]
	}
	i.values = values
}

func deleteItem(c *call) {
	i := c.item()
	if i == nil || !c.unchanged(i) {
		return
	}
	c.collection(i.in).remove(i)
	c.bare(http.StatusNoContent)
}

func createFile(c *call) {
	sent := c.body.(map[string]any)
	content, _ := sent["content"].(string)
	i := c.add("files", map[string]any{"name": sent["name"], "size": number(len(content))})
	i.blob = []byte(content)
	c.reply(http.StatusCreated, c.shown(i))
}

// count reads an integer of the query.
func (c *call) count(name string, standard int) int {
	n, ok := c.query[name].(json.Number)
	if !ok {
		return standard
	}
	whole, err := strconv.Atoi(string(n))
	if err != nil {
		return standard
	}
	return whole
}

func listItems(c *call) {
	in, _ := c.place()
	if !c.parent(in) {
		return
	}
	items := c.collection(in).live()
	if c.behaviour.List != nil {
		items = c.behaviour.List(c, items)
	} else {
		items = sorted(filtered(items, c.query), c.query)
	}
	total := len(items)
	items = cut(items, c.count("offset", 0), c.count("limit", 20))
	page := make([]any, len(items))
	for n, i := range items {
		page[n] = c.shown(i)
	}
	switch {
	case c.behaviour.Wrap != nil:
		c.reply(http.StatusOK, c.behaviour.Wrap(c, page, total))
	case in == "tasks":
		c.reply(http.StatusOK, map[string]any{"items": page, "total": total})
	default:
		c.reply(http.StatusOK, page)
	}
}

// cut returns a page.
func cut(items []*item, offset, limit int) []*item {
	from := min(max(offset, 0), len(items))
	return items[from : from+min(max(limit, 0), len(items)-from)]
}

// filtered returns the items in the state that the query asks for.
func filtered(items []*item, query map[string]any) []*item {
	state, has := query["state"]
	return slices.DeleteFunc(slices.Clone(items), func(i *item) bool { return has && i.values["state"] != state })
}

// sorted returns the items in the order that the query asks for; equal ones in the order of their creation.
func sorted(items []*item, query map[string]any) []*item {
	by, _ := query["sort"].(string)
	name := strings.TrimPrefix(by, "-")
	if name == "" {
		return items
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b *item) int {
		if by != name {
			a, b = b, a
		}
		return jsonvalue.Order(a.values[name], b.values[name])
	})
	return items
}
