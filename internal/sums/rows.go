package sums

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/words"
)

// row is a row of relations.tsv that computes an amount from others.
type row struct {
	targets []string // names of what it computes, the most telling first
	parts   []part
	formula *formula.Formula
}

// part is a property that a row reads.
type part struct {
	name  string
	mark  byte // '?' if it may be missing, '!' if it must be missing, 0 if it must be there
	names []string
}

// rows are the rows about amounts, in their order. A row that reads its own target suggests a value for an object that
// is generated: it says nothing of a kept one.
var rows = sync.OnceValue(func() (all []row) {
	for c := range words.Relations.Rows() {
		if c[3] != "sum" {
			continue
		}
		r := row{targets: strings.Fields(c[1])}
		for text := range strings.SplitSeq(c[2], "; ") {
			name, of, _ := strings.Cut(text, "=")
			p := part{name: name, names: strings.Fields(of)}
			if name[0] == '?' || name[0] == '!' {
				p.mark, p.name = name[0], name[1:]
			}
			r.parts = append(r.parts, p)
		}
		f, err := formula.Parse(c[4])
		if err != nil {
			panic("relations.tsv: " + err.Error()) // TestFormulas of package generate parses all
		}
		if r.formula = f; !slices.Contains(f.Reads(), "target") {
			all = append(all, r)
		}
	}
	return all
})

// part returns the part of a name, nil if the row has none.
func (r *row) part(name string) *part {
	i := slices.IndexFunc(r.parts, func(p part) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &r.parts[i]
}

// rowNames are the names of amounts by what they are to the rows.
type rowNames struct {
	line, quantity, price, rate []string        // of a line: its total and what it follows from
	net, totals                 []string        // of what has lines: without taxes, and with them
	others                      map[string]bool // amounts that are no sum of lines: taxes, discounts, what is paid
}

// names returns the names that the rows list, read once.
var names = sync.OnceValue(func() (n rowNames) {
	n.others = map[string]bool{}
	for _, r := range rows() {
		quantity, price, net, reads := r.part("quantity"), r.part("price"), r.part("net"), r.formula.Reads()
		isTotal := quantity != nil || net != nil && net.mark == 0 && r.part("tax") != nil || slices.Contains(reads, "lines_sum")
		switch {
		case quantity != nil && price != nil:
			n.line, n.quantity, n.price = r.targets, quantity.names, price.names
		case isTotal && net != nil && net.mark == 0:
			n.net, n.totals = net.names, r.targets
		}
		if rate := r.part("rate"); rate != nil {
			n.rate = rate.names
		}
		for _, p := range r.parts {
			for _, name := range p.names {
				isSum := p.name == "net" || p.name == "total" || p.name == "lines"
				n.others[name] = n.others[name] || !isSum
			}
		}
		for _, name := range r.targets {
			n.others[name] = n.others[name] || !isTotal
		}
	}
	return n
})

// Name returns a name as the rows have it: lower case without separators, and without the unit of an amount in cents.
func Name(name string) string {
	own := fields.Words(name)
	if n := len(own) - 1; n > 0 && fields.IsHundredth(own[n]) {
		own = own[:n]
	}
	return strings.Join(own, "")
}

// IsPrice reports whether a property is the price of one unit by its name.
func IsPrice(name string) bool { return slices.Contains(names().price, Name(name)) }

func firstOf(line map[string]any, names []string) (float64, bool) {
	named := make(map[string]any, len(line))
	for name, v := range line {
		named[Name(name)] = v
	}
	for _, name := range names {
		if f, ok := Of(named[name]); ok {
			return f, true
		}
	}
	return 0, false
}

// IsLine reports whether an object has a quantity and a price.
func IsLine(object map[string]any) bool {
	_, isPriced := firstOf(object, names().price)
	_, isCounted := firstOf(object, names().quantity)
	return isPriced && isCounted
}

// LineAmount returns the amount of a line: its total, or quantity × price. It reports false if none.
func LineAmount(line map[string]any) (float64, bool) {
	n := names()
	if f, ok := firstOf(line, n.line); ok {
		return f, true
	}
	price, ok := firstOf(line, n.price)
	if quantity, counted := firstOf(line, n.quantity); counted {
		price *= quantity
	}
	return price, ok
}

// LineRate returns the tax rate of a line as a fraction of its amount: 0.19 for 19 (percent) and for 0.19. It reports
// false if none.
func LineRate(line map[string]any) (float64, bool) {
	rate, ok := firstOf(line, names().rate)
	if rate > 1 {
		rate /= 100
	}
	return rate, ok
}
