// Package words has the words that the program knows as data: what names of properties suggest for values, kinds of
// things, states, relations between properties, languages and countries. Each file is a table of tab-separated columns,
// whose first line names them; lines are sorted and each is unique. Rows refer to functions of packages fields and
// generate by their names.
//
// A row is there because two real documents have its word. Its last two columns, "witness", name them: by the name of a
// document in the corpus (see internal/testbench/corpus), or as OWNER/REPOSITORY:PATH, a file of a public repository.
// Rows of languages, countries, refusals and secrets have the column "source" instead. Texts of texts.tsv and kinds.tsv
// are written for this program and have neither.
//
//	for row := range words.Names.Rows() {
//		name, of := row[0], row[1]
//		…
//	}
package words

import (
	"embed"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Table is a data file. Reading it costs nothing before Rows is called.
type Table struct {
	File string // its name, as "names.tsv"
	text func() string

	once   sync.Once
	second map[string][]string // see Of
}

//go:embed *.tsv
var files embed.FS

// All has all tables.
var All []*Table

func open(file string) *Table {
	t := &Table{File: file, text: sync.OnceValue(func() string {
		text, err := files.ReadFile(file)
		if err != nil {
			panic(err) // cannot happen with the name of an embedded file
		}
		return string(text)
	})}
	All = append(All, t)
	return t
}

// Has reports whether a row begins with two cells.
func (t *Table) Has(first, second string) bool { return slices.Contains(t.Of(first), second) }

// Second returns the second cell of the only row that begins with a cell; "" if none.
func (t *Table) Second(first string) string { return strings.Join(t.Of(first), "") }

// Of returns the second cells of the rows that begin with a cell, in order.
func (t *Table) Of(first string) []string {
	t.once.Do(func() {
		t.second = make(map[string][]string, t.Lines())
		for c := range t.Rows() {
			t.second[c[0]] = append(t.second[c[0]], c[1])
		}
	})
	return t.second[first]
}

// With returns the first cells of the rows whose second cell is one of some, in order.
func (t *Table) With(second ...string) []string {
	var all []string
	for c := range t.Rows() {
		if slices.Contains(second, c[1]) {
			all = append(all, c[0])
		}
	}
	return all
}

// Rows returns the cells of each line but the first, by column. Yielded slices are valid until the next one.
func (t *Table) Rows() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		_, text, _ := strings.Cut(t.text(), "\n")
		var cells []string
		for text != "" {
			var line string
			line, text, _ = strings.Cut(text, "\n")
			cells = cells[:0]
			for cell := range strings.SplitSeq(line, "\t") {
				cells = append(cells, cell)
			}
			if !yield(cells) {
				return
			}
		}
	}
}

// Lines returns how many rows the table has.
func (t *Table) Lines() int { return strings.Count(t.text(), "\n") - 1 }

// Names is what the names of properties suggest. Columns: the name in lower case without separators; the kind or the
// last word of the object that has it, "" for any; match: "whole" for the whole name only, "end" for longer names
// that end so too, "last" likewise but after all other readings of a name; the text and the number that it suggests,
// which are names of makers, of rows of texts.tsv, or a range "LEAST..MOST".
var Names = open("names.tsv")

// Texts is lists and patterns of texts. Columns: the name that others refer to; the kind: "list" of values separated
// by "|", "pattern" as package fields has them, or "phrase", a pattern in which "{name}" is one of a list; the
// formats that the texts fit, separated by spaces; the values.
var Texts = open("texts.tsv")

// Things are the kinds of things by their names in the singular.
var Things = open("things.tsv")

// Kinds are names and sentences for things by kind; "-" is the kind of all others. Columns: the kind; the text or maker
// of names; sentences, in which {t} stands for the thing's name; tags; categories.
var Kinds = open("kinds.tsv")

// Parts is what single words mean within names, wherever the name is not known as a whole: "is" begins a question,
// "at" ends the name of a time, "updated" is an event after the creation. Only the backend knows a right value of
// what is "unguessable"; texts that are "ruled" often have rules that the document does not show. Numbers that are
// "not-counted" do not begin at 0, and "bound" is a limit of a number, not the number.
var Parts = open("parts.tsv")

// Flags is what booleans nearly always are, by name.
var Flags = open("flags.tsv")

// Maps is what the properties of maps are called, separated by spaces, by the last word of the map's name.
var Maps = open("maps.tsv")

// Marks are the phrases around marked values in descriptions. Columns: the phrase; "list" if a list of values follows,
// "choice" likewise unless a "rival" phrase does, which says that the values are properties; "example" if an example
// follows; "condition" begins a clause that a list may not be in; "joint" stands between two values.
var Marks = open("marks.tsv")

// Units are units and notations that descriptions state. Columns: the phrase, in lower case; the kind: "number" for
// a range, "unix" for times in so many units a second since 1970, "layout" for one of times as package time has
// them; the value.
var Units = open("units.tsv")

// Pages is what the names of members around a list say of the page that it is: "total" and "limit" count elements,
// "one" and "zero" are of the first page, "true" and "false" of the only one, "none" is what it has not; "around"
// are names of objects with such members, and "list" names of lists.
var Pages = open("pages.tsv")

// Files is how the names of files end, separated by spaces, by a word that says what they hold.
var Files = open("files.tsv")

// Pictures is the size in pixels of the pictures that names end in. Columns: the noun; the width; the height; of:
// "person" if it shows the person whom the object describes; alone: "alone" if a string is the address of a picture
// if the noun is all of its name and no format says so.
var Pictures = open("pictures.tsv")

// Members are the roles of members by their whole names: "counter", "profile" and the flags have initial values, so
// has what "ends-counter" is the last word of; "identity" and "identifier" identify an object, "link" is an address
// of the object itself, "error" belongs to errors, "postal" to addresses, and "state-1" to "state-3" are states, the
// most specific first.
var Members = open("members.tsv")

// Errors are the roles of the members of error bodies, by the words that their names begin or end with: "reason-1" to
// "reason-9" take the reason as a sentence, "reason-1" before the others; "status" takes the HTTP status; "code"
// takes a short code, if it is the whole name; "place", "parameter", "pointer", "location" and "path" take the part
// of the request; "element" takes it in an element of a list of errors, beside a text; "list" is a list or a map of
// errors; "time" is the time of the error; "silent" takes no sentence. "varies" has another value for each request
// that meets the same error, "varies-alone" if it is the whole name; a "trace" does so even if it is a sentence.
// "empty" are words of texts that say nothing of a cause.
var Errors = open("errors.tsv")

// Problems is what the values of enums in error bodies mean. The phrases of the HTTP Status Code Registry (IANA) are
// known without rows. Columns: the term, in words; the statuses that it means, the first before the others; the problem
// that it is best for, as package respond names it, or the code of a finding; "" for any.
var Problems = open("problems.tsv")

// States is what states say of a thing: "beginning" that it is new, "over" that it has come to its end, "well" that
// nothing failed, "stopped" that it does not go on as the states that a document lists before say.
var States = open("states.tsv")

// Endings are events that happen to a thing late or never. Columns: the ending; the role of the word; the word. Roles:
// "event" in the names of its time (closed_at, date_closed), "name" of a detail about it, "flag" that is true once it
// has happened, "state" in which it has happened, and "rare-state" in which it has happened only if another property
// says so. An ending without states has happened in all final states.
var Endings = open("endings.tsv")

// Languages are words of names that are not English, in English.
var Languages = open("languages.tsv")

// Fakers are the functions of faker.js that documents may name. Columns: the present name; earlier and near names; what
// stands for it: "field" is a property whose values package fields makes, "call" a function of gofakeit, "list" texts
// separated by "|", "pattern" as package fields has them, "numbers" a range, "advice" what to write instead; the value;
// the thing that has the property.
var Fakers = open("fakers.tsv")

// Relations is what a property of an object is by others of the same object. Columns: the step, since rows are
// applied in this order; the names of the property, separated by spaces, the most telling first; its parts, as
// "price=unitprice price; ?tax=tax; !id=id", where "?" is before what may be missing and "!" before what must be;
// when the row applies: "" for always, "answer" for answers only, "success" for answers of success, "reply" for the
// whole of one, "sent" if the request sent all parts, "sum" for amounts that follow from others; and a formula as
// package formula has it, whose object has the parts by their names and the property as "target". NAME_VIEW is a
// part as one of the views of package generate.
var Relations = open("relations.tsv")

// Twins are pairs of words in which two names differ; the value of the first name is the smaller: start_date and
// end_date.
var Twins = open("twins.tsv")

// Locales is what values take from a language and a country. Columns: the locale's tag (BCP 47); what the values
// are, as package locales reads them; the values, separated by "|".
var Locales = open("locales.tsv")

// Towns are the towns of locales; "-" is the locale of towns in English. Postal codes and phone numbers, which stand
// behind the calling code, are patterns as package fields has them. Streets are separated by ";"; "# " before one
// says that the number stands first. Phone numbers are of the ranges kept for fiction in countries that have some.
var Towns = open("towns.tsv")

// Countries are the countries that towns are in, by their ISO 3166-1 codes of two letters. Tax numbers and accounts,
// which stand behind the check digits of an IBAN, are patterns as package fields has them.
var Countries = open("countries.tsv")

// Currencies are the codes of countries' currencies.
var Currencies = open("currencies.tsv")

// Orders are the words for orders of lists. Columns: the word; "ascending" or "descending" for a direction, "newest"
// or "oldest" for the order of a time, "most" or "least" for the order of a number that is named beside the word,
// "sorted" if "by" and the order follow.
var Orders = open("orders.tsv")

// Comparisons are the words that stand before or after a property in the name of a filter. Columns: the word; how the
// property compares with the value, as = != < <= > >=, and ~ for a text that contains it.
var Comparisons = open("comparisons.tsv")

// Outcomes are the words for what became of an item: it was created, changed or deleted, or none of that, which is
// "failed". Columns: the word; the outcome.
var Outcomes = open("outcomes.tsv")

// Roles is what words say of operations, paths and members. Columns: the word in lower case without separators; the
// role, which is described where RoleOf asks for it. Words of roles with "verb" are words of operationIds or paths;
// words of roles that end in "-word" stand within names, and words of roles that end in "-prefix" before other words.
var Roles = open("roles.tsv")

// Ranks are names of which the first that something has counts. Columns: the name in lower case without separators; the
// role, which is described where Ranked asks for it; the rank among the names of the role, 01 before the others.
var Ranks = open("ranks.tsv")

// Effects are what actions of a verb lead to. Columns: the verb; what the word is: "state-1" to "state-9" are states
// called otherwise than the verb's past, the likeliest first, "clears" is a flag that is false then, "like" is another
// verb with the same effect, and "past" the past participle of an irregular verb; the word.
var Effects = open("effects.tsv")

// Plurals are words whose singular does not follow from their endings. Columns: the word; its singular, which is the
// word itself if it ends like a plural but is none.
var Plurals = open("plurals.tsv")

// Role is the set of the words that have a role.
type Role struct{ name string }

// RoleOf returns the words of a role. They are read at the first use.
func RoleOf(name string) *Role { return &Role{name} }

var readRoles = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for c := range Roles.Rows() {
		if all[c[1]] == nil {
			all[c[1]] = map[string]bool{}
		}
		all[c[1]][c[0]] = true
	}
	return all
})

// Has reports whether a word has the role.
func (r *Role) Has(word string) bool { return readRoles()[r.name][word] }

// All returns the words that have the role, in no order.
func (r *Role) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range readRoles()[r.name] {
			if !yield(word) {
				return
			}
		}
	}
}

var readRanks = sync.OnceValue(func() map[string][]string {
	var rows [][]string
	for c := range Ranks.Rows() {
		rows = append(rows, slices.Clone(c[:3]))
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[2], b[2]) })
	all := map[string][]string{}
	for _, c := range rows {
		all[c[1]] = append(all[c[1]], c[0])
	}
	return all
})

// Ranked returns the names that have a role in Ranks, the likeliest first.
func Ranked(role string) []string { return slices.Clip(readRanks()[role]) }

// Secrets are the usual names of fields, parameters, cookies and members with credentials, in lower case without
// separators. Columns: the name; match: "whole" for the whole name only, "end" for longer names that end so too; the
// specification or product that uses it.
var Secrets = open("secrets.tsv")

// Refusals are texts by which decoders and validators refuse a request. Columns: a regular expression, in which "…"
// stands for a quoted part; the libraries whose text it is.
var Refusals = open("refusals.tsv")
