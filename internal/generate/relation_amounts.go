package generate

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

const (
	quantityNames = "quantity qty units itemquantity hours nights numberofnights days " +
		"rentaldays numberofdays quantityordered orderedquantity orderedqty copiesordered unitsordered " +
		"quantityreceived seats licenses " +
		"seatcount hourslogged laborhours labourhours installments yieldtonnes weighttonnes liters litres"
	unitNames = "unitprice unitamount priceperunit unitcost priceeach costprice priceperkg pricepertonne " +
		"nightlyrate pricepernight " +
		"ratepernight dailyrate priceperday " +
		"hourlyrate laborrate labourrate priceperliter priceperlitre installmentamount baseprice price rate"
	subtotalNames = "subtotal taxablebase taxbase baseamount netvalue subtotalprice subtotalamount " +
		"subtotalmoney netamount totalnet net totalexcltax " +
		"itemtotal itemstotal"
	totalNames = "total totalprice grandtotal totalamount amounttotal totalmoney ordertotal invoicetotal grossamount " +
		"totalgross gross totalincltax"
	lineTotalNames = "totalcost linetotal totalrevenue laborcost labourcost pledgedamount lineprice " +
		"totalprice pricetotal lineamount " +
		"extendedprice subtotal totalprice total totalamount amount"
	lineNames = "items lineitems positions lines orderitems products orderlines invoicelines " +
		"cartitems entries basketitems"
	partNames = "taxamount totaltax tax taxes vat vatamount totalvat vattotal gst gstamount totalgst " +
		"taxtotal totaltaxmoney amountvat taxesamount"
	rateNames = "taxrate vatrate taxpercent vatpercent taxratepercent vatratepercent vattype ratetax " +
		"taxpercentage vatpercentage"
)

// amountRelations make sums and products right: lines first, which stand inside what they are added up in.
var amountRelations = []relation{
	{parts: []string{lineTotalNames, quantityNames, unitNames, "?taxes"}, sums: true,
		apply: func(m *members) {
			quantity, ok := amountOf(m.value(1))
			price, both := amountOf(m.value(2))
			if !ok || !both {
				return
			}
			if taxes, taxed := amountOf(m.value(3)); taxed && m.plan(2).name != "price" { // a stay has them beside its rate
				quantity, price = 1, quantity*price+taxes
			}
			m.setAmount(0, quantity*price)
		}},
	{parts: []string{"partscost materialcost partstotal materialscost", "parts materials partsused partusages"}, sums: true, apply: addLines},
	{parts: []string{subtotalNames, lineNames}, sums: true, apply: addLines},
	{parts: []string{partNames, subtotalNames, rateNames}, sums: true, apply: setTax},
	{parts: []string{partNames, subtotalNames, "?" + rateNames}, sums: true, apply: func(m *members) {
		tax, ok := amountOf(m.value(0))
		if amount, both := amountOf(m.value(1)); ok && both && !m.has(2) && tax > amount/4 {
			m.setAmount(0, math.Round(amount*float64(5+m.at.key.at(49).intN(15)))/100)
		}
	}},
	{parts: []string{totalNames, lineNames, "?" + subtotalNames,
		"?currency currencycode tax taxes status orderid orderdate customer customerid shipping discount orderstatus"},
		sums: true, paged: true, apply: func(m *members) {
			if !m.has(2) && (m.has(3) || !strings.EqualFold(m.plan(0).name, "total")) { // of a page otherwise
				addLines(m)
			}
		}},
	{parts: []string{totalNames, subtotalNames, "?" + partNames,
		"?shipping shippingcost shippingprice totalshipping shippingamount shippingtotal deliveryfee deliverycost freight freightcost freightamount freightcharge postage",
		"?fee fees servicefee handlingfee", "?tip tipamount gratuity",
		"?discount discounts discountamount totaldiscount totaldiscounts discounttotal"}, sums: true, apply: addParts},
	{parts: []string{"amountdue", totalNames, "amountremaining amountpaid"}, sums: true, apply: func(m *members) {
		if total, ok := amountOf(m.value(1)); ok {
			m.setAmount(0, total)
		}
	}},
}

// amountOf reads an amount of money: a number, a text, or an object such as {amount, currency}.
func amountOf(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		return numberOf(v)
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	case map[string]any:
		for _, name := range []string{"amount", "value"} {
			if f, ok := amountOf(v[name]); ok {
				return f, ok
			}
		}
	}
	return 0, false
}

// setAmount returns a part an amount, written as the one that it has.
func (m *members) setAmount(part int, f float64) {
	old, ok := amountOf(m.value(part))
	if !ok || math.Abs(old-f) < 0.005 {
		return
	}
	m.set(part, amounts(m.value(part), f)...)
}

func amounts(like any, f float64) []any {
	switch like := like.(type) {
	case string:
		if strings.Contains(like, ".") {
			return []any{fmt.Sprintf("%.2f", f), fmt.Sprintf("%.0f", f)}
		}
		return []any{fmt.Sprintf("%.0f", f), fmt.Sprintf("%.2f", f)}
	case map[string]any:
		for _, name := range []string{"amount", "value"} {
			if _, ok := amountOf(like[name]); ok {
				var objects []any
				for _, v := range amounts(like[name], f) {
					objects = append(objects, jsonvalue.WithMember(like, name, v))
				}
				return objects
			}
		}
	}
	return rounded(f)
}

// addLines makes part 0 the sum of the lines in part 1, where each has an amount.
func addLines(m *members) {
	lines, _ := m.value(1).([]any)
	sum := 0.0
	for _, line := range lines {
		object, _ := line.(map[string]any)
		amount, ok := lineAmount(object)
		if !ok {
			return
		}
		sum += amount
	}
	if len(lines) > 0 || m.isSent(1) {
		m.setAmount(0, sum)
	}
}

// setTax makes a tax of the amount that is taxed and its rate: a share (0.2), or percent (20, and what is named so).
func setTax(m *members) {
	amount, ok := amountOf(m.value(1))
	rate, both := amountOf(m.value(2))
	if !ok || !both || rate < 0 || rate > 100 {
		return
	}
	if rate > 1 || strings.Contains(strings.ToLower(m.plan(2).name), "percent") {
		rate /= 100
	}
	m.setAmount(0, math.Round(amount*rate*100)/100)
}

func lineAmount(line map[string]any) (float64, bool) {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	amount, ok := lineAmountOf(line, plain)
	if !ok {
		amount, ok = lineAmountOf(line, func(name string) string { return relatedName(fields.Words(name)) })
	}
	return amount, ok
}

// lineAmountOf reads a line whose names are written as tables have them.
func lineAmountOf(line map[string]any, tableName func(string) string) (float64, bool) {
	named := map[string]any{}
	for name, v := range line {
		named[tableName(name)] = v
	}
	first := func(names string) (float64, bool) {
		for name := range strings.FieldsSeq(names) {
			if f, ok := amountOf(named[name]); ok {
				return f, true
			}
		}
		return 0, false
	}
	if f, ok := first(lineTotalNames + " totalmoney"); ok {
		return f, true
	}
	price, ok := first(unitNames)
	if quantity, counted := first(quantityNames); counted {
		price *= quantity
	}
	return price, ok
}

// addParts makes a total of the subtotal and what is added to it; the last part is taken off.
func addParts(m *members) {
	sum, ok := amountOf(m.value(1))
	if !ok {
		return
	}
	last := len(m.parts) - 1
	for part := 2; part < last; part++ {
		if f, ok := amountOf(m.value(part)); ok {
			sum += f
		}
	}
	if discount, ok := amountOf(m.value(last)); ok {
		if math.Abs(discount) > sum { // nothing costs less than nothing
			m.setAmount(last, 0)
			discount, _ = amountOf(m.value(last))
		}
		sum -= math.Abs(discount)
	}
	m.setAmount(0, sum)
}
