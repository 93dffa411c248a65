package resource

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
)

// Table returns the plan as lines of about 120 columns, one for each operation; an operation whose path is long has a
// line of its own above. A role with a star shows the item of the path, one with a question mark part of the list.
func (p *Plan) Table() string {
	rows := [][]string{{"OPERATION", "RESOURCE", "ROLE", "KEY", "SHAPE", "SURE", "REASON"}}
	for _, b := range p.Bindings {
		rows = append(rows, []string{
			b.Operation.Method + " " + b.Operation.Path, b.Resource.name(), b.role(), b.key(), b.shape(),
			fmt.Sprintf("%.2f", b.Confidence), b.Reason,
		})
	}
	var b strings.Builder
	writeTable(&b, rows, []int{44, 20, 12, 22, 16, 4, 0})
	if len(p.Logins) > 0 {
		b.WriteByte('\n')
		rows = [][]string{{"LOGIN", "ACT", "USERS", "SENT", "ANSWERED", "SURE", "REASON"}}
		for _, l := range p.Logins {
			rows = append(rows, []string{
				l.Operation.Method + " " + l.Operation.Path, l.Act.String(), l.Users.name(), l.sent(), l.answered(),
				fmt.Sprintf("%.2f", l.Confidence), l.Reason,
			})
		}
		writeTable(&b, rows, []int{30, 12, 14, 28, 28, 4, 0})
	}
	return b.String()
}

func writeTable(b *strings.Builder, rows [][]string, limits []int) {
	widths := make([]int, len(limits))
	for _, row := range rows {
		for i, cell := range row {
			cell = visible.Line(cell)
			row[i] = cell
			if n := utf8.RuneCountInString(cell); n <= limits[i] {
				widths[i] = max(widths[i], n)
			}
		}
	}
	for _, row := range rows {
		if utf8.RuneCountInString(row[0]) > widths[0] {
			b.WriteString(row[0] + "\n")
			row[0] = ""
		}
		b.WriteString(strings.TrimRight(align(row, widths), " ") + "\n")
	}
}

// sent names what the request of a login has: email, password.
func (l *Login) sent() string {
	if l.Act == CurrentUser {
		return ""
	}
	return dotted(append(slices.Clip(l.Identifiers), l.Secret, l.NewSecret, l.Code, l.Ticket, l.RefreshToken)...)
}

// answered names what the answer has: access_token, cookie.
func (l *Login) answered() string {
	a := l.Answer
	switch {
	case l.Act == CurrentUser, l.Act == LogOut:
		return ""
	case len(a.AccessToken) == 0 && a.AccessToken != nil:
		return "body"
	case l.Act == IssueKey:
		return dotted(a.Key)
	}
	fields := [][]string{a.AccessToken, a.RefreshToken, a.Ticket, a.User}
	if a.Header != "" {
		fields = append(fields, []string{a.Header})
	}
	if l.Cookie {
		fields = append(fields, []string{"Set-Cookie"})
	}
	return dotted(fields...)
}

func dotted(paths ...[]string) string {
	var all []string
	for _, path := range paths {
		if path != nil && !slices.Contains(all, strings.Join(path, ".")) {
			all = append(all, strings.Join(path, "."))
		}
	}
	return strings.Join(all, ", ")
}

// align puts cells under each other. What is too long takes from the gaps that follow it.
func align(row []string, widths []int) string {
	var line strings.Builder
	over := 0
	for i, cell := range row {
		room := widths[i] - utf8.RuneCountInString(cell) - over
		over = max(0, -room)
		line.WriteString(cell + strings.Repeat(" ", max(room, 0)+2))
	}
	return line.String()
}

func (b *Binding) role() string {
	switch {
	case b.Reads:
		return b.Role.String() + "*"
	case b.Subset:
		return b.Role.String() + "?"
	}
	return b.Role.String()
}

// key says where the request names the item and what holds its key: id, {plantId} = id.
func (b *Binding) key() string {
	if b.Resource == nil || b.Resource.Key == nil {
		return ""
	}
	property := strings.Join(b.Resource.Key.Property, ".")
	if b.Lookup != nil {
		property = strings.Join(b.Lookup, ".")
	}
	switch {
	case b.KeyIn == InPath && property == "":
		return "{" + b.Variable + "}"
	case b.KeyIn == InPath:
		return "{" + b.Variable + "}=" + property
	case b.KeyIn == InQuery:
		return "?" + b.Variable
	case b.KeyIn == ByName:
		return b.Variable
	case b.KeyIn == InBody && b.Keys != nil && b.Role == Action:
		return "body." + strings.Join(b.Keys, ".")
	case b.KeyIn == InBody && b.Keys != nil:
		return "body." + strings.Join(b.Keys, ".") + "[]"
	case b.KeyIn == InBody && property == "":
		return "body"
	case b.KeyIn == InBody:
		return "body." + property
	case b.Role == Create && property != "":
		return property + " by " + b.Resource.Key.ChosenBy.String()
	}
	return ""
}

func (b *Binding) shape() string {
	if b.List == nil {
		return b.Response.String()
	}
	return b.List.Items.String()
}

// Explain returns the rules that decided, a paragraph for each resource and each operation, a line for each rule: what
// is decided, the weight, the rule's name and where it holds.
func (p *Plan) Explain() string {
	var b strings.Builder
	write := func(title string, evidence ...Evidence) {
		fmt.Fprintln(&b, visible.Line(strings.TrimSpace(title)))
		for _, e := range evidence {
			fmt.Fprintf(&b, "  %-9s  %+.2f  %-38s  %s\n", e.Decision, e.Weight, e.Rule, visible.Line(e.Saw))
		}
		fmt.Fprintln(&b)
	}
	for _, r := range p.Resources {
		evidence := r.Evidence
		if r.Key != nil && r.Key.Property != nil {
			evidence = append(slices.Clip(evidence), r.Key.evidence)
		}
		write("resource "+r.Name, evidence...)
	}
	for _, o := range p.Bindings {
		role := fmt.Sprintf("%s %s: %s %s", o.Operation.Method, o.Operation.Path, o.role(), o.Resource.name())
		write(role, append(slices.Clip(o.Evidence), o.List.evidence()...)...)
	}
	for _, l := range p.Logins {
		write(fmt.Sprintf("%s %s: %s %s", l.Operation.Method, l.Operation.Path, l.Act, l.Users.name()), l.Evidence...)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// evidence says what the names of a list's parameters and of the properties of its page mean. It is safe on nil.
func (l *Listing) evidence() []Evidence {
	if l == nil {
		return nil
	}
	var all []Evidence
	for i := range l.Params {
		p := &l.Params[i]
		saw := "?" + p.Name()
		if p.Role == Filter {
			saw += " " + p.Compare.String() + " " + strings.Join(l.Items.Nesting.path(p.Property), ".")
		}
		all = append(all, Evidence{"parameter", p.Role.String(), 1, saw})
	}
	for _, f := range l.Fields {
		all = append(all, Evidence{"page", f.Role.String(), 1, strings.Join(f.Path, ".")})
	}
	for _, h := range l.Header {
		all = append(all, Evidence{"page", h.Role.String(), 1, h.Name})
	}
	return all
}

// object is a JSON object whose members have an order; zero values are left out.
type object []struct {
	name  string
	value any
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, m := range o {
		if reflect.ValueOf(m.value).IsZero() {
			continue
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", m.name, value)
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}"), nil
}

// MarshalJSON returns the plan for programs: resources, then operations in the document's order. Paths to properties
// are JSON Pointers.
func (p *Plan) MarshalJSON() ([]byte, error) {
	resources, operations := []object{}, []object{}
	for _, r := range p.Resources {
		resources = append(resources, object{
			{"name", r.Name}, {"singleton", r.Singleton}, {"scoped", r.Scoped}, {"parent", r.Parent.name()},
			{"parentKey", Pointer(r.Nesting.path(r.ParentProperty))}, {"key", r.Key.object()}, {"unique", r.Unique},
			{"created", r.Created}, {"updated", r.Updated}, {"version", r.Version},
		})
	}
	for _, b := range p.Bindings {
		operations = append(operations, b.object())
	}
	var logins []object
	for _, l := range p.Logins {
		logins = append(logins, l.object())
	}
	return json.Marshal(object{{"resources", resources}, {"operations", operations}, {"logins", logins}})
}

func (l *Login) object() object {
	var identifiers []string
	for _, path := range l.Identifiers {
		identifiers = append(identifiers, Pointer(path))
	}
	return object{
		{"method", l.Operation.Method}, {"path", l.Operation.Path}, {"act", l.Act.String()}, {"users", l.Users.name()},
		{"identifiers", identifiers}, {"secret", Pointer(l.Secret)}, {"refreshToken", Pointer(l.RefreshToken)},
		{"answersToken", l.answered()}, {"confidence", math.Round(l.Confidence*100) / 100}, {"reason", l.Reason},
		{"declared", l.Declared},
	}
}

func (k *Key) object() object {
	if k == nil {
		return nil
	}
	return object{{"property", Pointer(k.Property)}, {"type", k.Kind.String()}, {"format", k.Format},
		{"chosenBy", k.ChosenBy.String()}}
}

func (b *Binding) object() object {
	var scope []object
	for _, v := range b.Scope {
		scope = append(scope, object{{"name", v.Name}, {"property", Pointer(v.Property)}, {"parent", v.Parent.name()}})
	}
	var notes []exchange.Note
	for _, u := range b.Unbound {
		notes = append(notes, b.Note(u))
	}
	return object{
		{"method", b.Operation.Method}, {"path", b.Operation.Path}, {"operationId", b.Operation.ID},
		{"resource", b.Resource.name()}, {"role", b.Role.String()}, {"reads", b.Reads}, {"subset", b.Subset},
		{"keyIn", b.KeyIn.String()}, {"variable", b.Variable}, {"keys", Pointer(b.Keys)}, {"lookup", Pointer(b.Lookup)},
		{"scope", scope}, {"sets", b.setsText()}, {"takes", b.Takes},
		{"request", b.Request.String()}, {"rename", b.Rename}, {"response", b.Response.String()},
		{"list", b.List.object()}, {"headers", b.Headers.names()}, {"confidence", math.Round(b.Confidence*100) / 100},
		{"reason", b.Reason}, {"declared", b.Declared}, {"notSimulated", notes},
	}
}

func (l *Listing) object() object {
	if l == nil {
		return nil
	}
	var fields, headers, params []object
	for _, f := range l.Fields {
		fields = append(fields, object{{"property", Pointer(f.Path)}, {"role", f.Role.String()}, {"link", f.Link}})
	}
	for _, h := range l.Header {
		headers = append(headers, object{{"name", h.Name}, {"role", h.Role.String()}})
	}
	for _, p := range l.Params {
		compare, style := "", ""
		switch p.Role {
		case Filter:
			compare = p.Compare.String()
		case Sort:
			style = p.Sort.String()
		}
		property := Pointer(l.Items.Nesting.path(p.Property))
		params = append(params, object{{"name", p.Name()}, {"role", p.Role.String()}, {"property", property},
			{"compare", compare}, {"style", style}})
	}
	return object{{"items", l.Items.String()}, {"fields", fields}, {"headers", headers}, {"params", params}}
}

func (r *Resource) name() string {
	if r == nil {
		return ""
	}
	return r.Name
}

// Pointer returns a path of names as a JSON Pointer (RFC 6901).
func Pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + exchange.EscapePointer(name))
	}
	return b.String()
}
