package resource

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// Param is a query parameter of a list that chooses, sorts or cuts.
type Param struct {
	Parameter *spec.Parameter
	// Member is the member of the parameter's object, where one parameter holds
	// several: filter[name] in the style deepObject.
	Member string
	Role   ParamRole
	// Property is what a Filter compares: the way to it in an item.
	Property []string
	// Schema is the property's schema.
	Schema *spec.Keywords
	// Compare is how a Filter compares.
	Compare Compare
	// Default is what a Filter, a Sort or a SortDirection means where it is not
	// sent; nil for nothing.
	Default any
	// All is the value of a Filter that chooses nothing, as the default says it:
	// state=all; nil where the default does not.
	All any
	// Zero says of a PageNumber that the first page is 0.
	Zero bool
	// Sort says how a Sort writes the direction.
	Sort SortStyle
}

// Name is the parameter's name, with that of its member after a dot.
func (p *Param) Name() string {
	if p.Member == "" {
		return p.Parameter.Name
	}
	return p.Parameter.Name + "." + p.Member
}

// ParamRole is what a parameter of a list does.
type ParamRole uint8

const (
	NoParam       ParamRole = iota
	Limit                   // at most so many items
	Skip                    // without the first so many
	PageNumber              // that page; from 1 unless Zero
	Cursor                  // what follows a cursor of an earlier answer
	CursorBefore            // what comes before one
	Sort                    // by these properties
	SortDirection           // ascending or descending
	Filter                  // only items whose Property compares
	Search                  // only items in which some string holds the text
	Fields                  // only these properties of each item
)

var paramRoleNames = [...]string{"", "limit", "skip", "page", "cursor", "cursor-before", "sort", "sort-direction", "filter", "search", "fields"}

func (r ParamRole) String() string { return paramRoleNames[r] }

// MarshalText gives the word that String gives.
func (r ParamRole) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Compare is how a filter compares its value with a property's.
type Compare uint8

const (
	Equal Compare = iota // also: one of several, an element of an array
	NotEqual
	Less
	AtMost
	Greater
	AtLeast
	Contains // a substring, whatever the case
)

func (c Compare) String() string {
	return [...]string{"=", "!=", "<", "<=", ">", ">=", "~"}[c]
}

// SortStyle is how a sort parameter writes the direction.
type SortStyle uint8

const (
	Minus     SortStyle = iota // -name; also what is assumed where nothing is said
	Colon                      // name:desc
	Comma                      // name,desc
	Space                      // name desc
	Under                      // name_desc
	Separate                   // in a parameter of its own
	Direction                  // the value is only the direction: asc, desc
)

func (s SortStyle) String() string {
	return [...]string{"-name", "name:desc", "name,desc", "name desc", "name_desc", "separate", "direction"}[s]
}

var paramWords = []struct {
	role  ParamRole
	names map[string]bool
}{
	{Limit, naming.Set(`limit perpage pagesize pagelimit maxresults maxresult max top take rows resultsperpage itemsperpage size maxitems first maxrecords numresults`)},
	{Skip, naming.Set(`offset skip startindex pageoffset startat fromindex start from`)},
	{PageNumber, naming.Set(`page pagenumber pageno pagenum pageindex currentpage p`)},
	{CursorBefore, naming.Set(`before endingbefore cursorbefore pagebefore untilid beforeid endbefore`)},
	{Cursor, naming.Set(`cursor after startingafter pagetoken nexttoken continuationtoken continue marker pagecursor pageafter sinceid afterid nextcursor
lastkey exclusivestartkey nextpagetoken startafter cursorafter pagingtoken since next`)},
	{SortDirection, naming.Set(`sortorder sortdirection sortdir direction orderdirection dir orderdir`)},
	{Sort, naming.Set(`sort sortby orderby ordering order sortfield sortkey sorts`)},
	{Search, naming.Set(`q search query keyword keywords term searchterm text`)},
	{Fields, naming.Set(`fields select includefields`)},
}

// listParams says what the query parameters of a list do to items of a schema.
func (in *inference) listParams(o *spec.Operation, item view) []Param {
	var params []Param
	properties := item.members()
	for _, p := range o.Parameters {
		if p.In != exchange.InQuery {
			continue
		}
		v := in.known.parameter(p)
		if role := paramRole(p, v); role != NoParam {
			param := Param{Parameter: p, Role: role}
			if !conflicts(params, param, properties) {
				params = append(params, param)
				continue
			}
		}
		params = append(params, filters(p, v, properties)...)
	}
	for i := range params {
		switch params[i].Role {
		case Sort:
			params[i].Sort = sortStyle(params[i].Parameter, in.known.parameter(params[i].Parameter), params)
		case PageNumber:
			params[i].Zero = startsAtZero(in.known.parameter(params[i].Parameter))
		}
		switch params[i].Role {
		case Filter, Sort, SortDirection:
			if v := in.known.parameter(params[i].Parameter); params[i].Member == "" {
				params[i].Default = v.schema.Default(v.k)
				if text, ok := params[i].Default.(string); ok && params[i].Role == Filter && everything[naming.Fold(text)] {
					params[i].Default, params[i].All = nil, text
				}
			}
		}
	}
	return params
}

// everything are the defaults of filters that choose nothing.
var everything = naming.Set(`all any none both everything`)

// paramRole says what a parameter does by its name and type, but for filters.
func paramRole(p *spec.Parameter, v view) ParamRole {
	folded := naming.Fold(strings.TrimPrefix(p.Name, "$"))
	kind := v.kind()
	for _, known := range paramWords {
		if !known.names[folded] {
			continue
		}
		switch known.role {
		case Limit, Skip, PageNumber:
			if kind == Integer || kind == Number || kind == Any || kind == String && v.format() == "" && !dated(v) {
				return known.role
			}
		case Cursor, CursorBefore:
			if kind == String && v.format() != "date-time" && v.format() != "date" || kind == Integer && folded != "since" || kind == Any {
				return known.role
			}
		case Sort:
			if folded == "order" && directional(v) {
				return SortDirection
			}
			if kind == String || kind == Array || kind == Any {
				return Sort
			}
		case Search:
			if kind == String && len(enum(v)) == 0 {
				return Search
			}
		default:
			if kind == String || kind == Array || kind == Any {
				return known.role
			}
		}
	}
	return NoParam
}

func dated(v view) bool { f := v.format(); return f == "date" || f == "date-time" }

// conflicts reports whether the role is taken already, or a property of that
// name says that it is a filter: a film's start, an order's size.
func conflicts(params []Param, p Param, properties []member) bool {
	for _, other := range params {
		if other.Role == p.Role && p.Role != Filter && p.Role != Search {
			return true
		}
	}
	switch p.Role {
	case Limit, Skip, PageNumber, Search, Cursor, CursorBefore:
		switch naming.Fold(p.Parameter.Name) {
		case "size", "start", "from", "first", "max", "top", "text", "after", "before", "since", "next", "rows", "p", "start_":
			return slices.ContainsFunc(properties, func(m member) bool { return m.folded == naming.Fold(p.Parameter.Name) })
		}
	}
	return false
}

func enum(v view) []string {
	v = v.plain()
	if v.kind() == Array {
		v = v.element().plain()
	}
	if v.k == nil || v.k.Enum == nil {
		return nil
	}
	var values []string
	for _, value := range v.k.Enum.Values {
		if text, ok := value.(string); ok {
			values = append(values, text)
		}
	}
	return values
}

// directional reports whether the values are asc and desc.
func directional(v view) bool {
	values := enum(v)
	return len(values) > 0 && !slices.ContainsFunc(values, func(text string) bool {
		switch naming.Fold(text) {
		case "asc", "desc", "ascending", "descending", "ascend", "descend", "1", "0":
			return false
		}
		return true
	})
}

// sortStyle reads from the values of a sort parameter, and from the parameters
// beside it, how the direction is written.
func sortStyle(p *spec.Parameter, v view, all []Param) SortStyle {
	for _, other := range all {
		if other.Role == SortDirection {
			return Separate
		}
	}
	if directional(v) {
		return Direction
	}
	values := enum(v)
	values = append(values, texts(v.schema.Default(v.k))...)
	for _, example := range p.Examples {
		values = append(values, texts(example.Value)...)
	}
	for _, text := range values {
		lower := strings.ToLower(text)
		for i, separator := range ":, _" {
			if strings.HasSuffix(lower, string(separator)+"desc") || strings.HasSuffix(lower, string(separator)+"asc") {
				return Colon + SortStyle(i)
			}
		}
	}
	return Minus
}

// texts gives a string, or the strings of an array.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			if text, ok := element.(string); ok {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

func startsAtZero(v view) bool {
	if v.k == nil {
		return false
	}
	if first, ok := v.schema.Default(v.k).(json.Number); ok {
		return first == "0"
	}
	least := v.plain().k.Minimum
	return least != nil && least.Sign() == 0
}
