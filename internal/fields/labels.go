package fields

import (
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
)

// label is what things of some kinds are tagged and sorted with, separated by "|"; the first row of a thing counts.
type label struct {
	of               string
	tags, categories []string
}

// labels are a row for each kind: things, tags, categories. The last is of things of no row.
var labels = sync.OnceValue(func() []label { return readLabels(labelRows) })

var labelRows = [][3]string{
	{"photo image picture", "portrait|landscape|nature|travel|black and white|architecture",
		"Nature|Portraits|Travel|Architecture|Street|Events"},
	{"pet", "friendly|playful|house-trained|vaccinated|young|senior|good with kids", "Dogs|Cats|Birds|Rabbits|Fish|Horses"},
	{"plant", "low light|pet-safe|evergreen|fragrant|easy care|drought-tolerant",
		"Indoor Plants|Herbs|Succulents|Shrubs|Perennials|Bulbs"},
	{"dish", "vegan|spicy|gluten-free|seasonal|popular", "Starters|Main Courses|Desserts|Drinks|Salads|Soups"},
	{"product", "new|bestseller|sale|handmade|limited|eco-friendly|gift",
		"Home & Living|Furniture|Lighting|Kitchen|Office|Garden|Accessories"},
	{"ticket job project", "bug|urgent|documentation|enhancement|question|help wanted|backlog",
		"Billing|Account|Technical|Delivery|Feedback"},
	{"book", "bestseller|must-read|new|award-winning|translated", "Fiction|History|Travel|Science|Biography|Drama"},
	{"album artist", "acoustic|live|remastered|instrumental", "Jazz|Folk|Electronic|Classical|Indie Pop"},
	{"event", "free|online|family|evening|members only", "Concerts|Workshops|Talks|Exhibitions|Sports"},
	{"person company", "vip|newsletter|wholesale|partner|lead|returning", "Retail|Wholesale|Partners|Press|Suppliers"},
	{"order", "gift|priority|wholesale|online|repeat", "Online|In Store|Wholesale|Subscription"},
	{"file folder report", "draft|final|signed|reviewed|confidential", "Contracts|Invoices|Reports|Manuals|Presentations"},
	{"repository", "cli|library|docs|testing|backend|frontend", "Libraries|Tools|Services|Examples"},
	{"location city", "city centre|accessible|parking|waterfront|open late", "Shops|Restaurants|Offices|Museums|Parks"},
	{"", "new|popular|seasonal|featured|sale|recommended|limited", "Home & Garden|Electronics|Books|Toys & Games|" +
		"Sports & Outdoors|Health & Beauty|Office Supplies|Kitchen|Music|Travel"},
}

func readLabels(rows [][3]string) (all []label) {
	for _, row := range rows {
		all = append(all, label{row[0], strings.Split(row[1], "|"), strings.Split(row[2], "|")})
	}
	return all
}

func (t Thing) label() *label {
	for i, l := range labels() {
		if t.is(l.of) {
			return &labels()[i]
		}
	}
	return nil
}

func tags(_ []string, t Thing) []Maker {
	return labelled(t, func(l *label) []string { return l.tags })
}

func categories(_ []string, t Thing) []Maker {
	return labelled(t, func(l *label) []string { return l.categories })
}

// labelled writes one of the labels of a thing, else of what is around it.
func labelled(t Thing, read func(*label) []string) []Maker {
	own := t.label()
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		l := own
		if l == nil && at.Around != nil {
			l = at.Around.label()
		}
		if l == nil {
			l = &labels()[len(labelRows)-1]
		}
		return pick(f.Seed(at.Key), read(l)...)
	}}
}

// isLabel reports whether things of this kind are named by what is around them.
func (t Thing) isLabel() bool {
	return t.kind != nil && (t.kind.name == "tag" || t.kind.name == "category")
}
