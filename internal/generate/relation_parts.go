package generate

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
)

// partRelations keep numbers within the wholes that they are parts of, and what is left over right.
var partRelations = append([]relation{
	{parts: []string{"progress progresspercent progresspercentage percentcomplete completionpercent completionrate",
		"raisedamount amountraised raised currentvalue current currentamount completedcount done", "goalamount fundinggoal targetvalue target goal targetamount totalcount"}, apply: func(m *members) {
		m.within(1, 2)
		if part, whole, ok := m.pair(1, 2); ok && whole > 0 {
			m.setNumber(0, math.Round(100*part/whole))
		}
	}},
	{parts: []string{"quantityavailable available remaining quantityremaining availablecount seatsleft ticketsremaining availablequantity " +
		"freespaces amountremaining availablespaces remainingquantity", "quantitysold sold soldcount used usedcount filledquantity quantityfilled amountpaid locked occupied reserved ticketssold",
		"quantitytotal total totalquantity capacity totalseats totalspaces limit onhand quantityonhand stockonhand physicalstock amountdue quantity"}, apply: func(m *members) {
		m.within(1, 2)
		if part, whole, ok := m.pair(1, 2); ok {
			m.setNumber(0, whole-part)
		}
	}},
	{parts: []string{"discrepancy difference variance quantitydifference missing", receivedNames, orderedNames}, apply: func(m *members) {
		m.within(1, 2)
		if part, whole, ok := m.pair(1, 2); ok {
			m.setNumber(0, whole-part)
		}
	}},
	{parts: []string{"consumption usage consumptionkwh usagekwh difference", "previousvalue previousreading valueprevious meterreadingprevious previousmeterreading startreading",
		"value reading meterreading currentvalue currentreading endreading"}, apply: func(m *members) {
		m.within(1, 2)
		if before, now, ok := m.pair(1, 2); ok {
			m.setNumber(0, now-before)
		}
	}},
	{parts: []string{"netamount net payoutamount", "amount grossamount gross", "feeamount fee fees"}, sums: true, apply: func(m *members) {
		m.withinMoney(2, 1)
		amount, ok := amountOf(m.value(1))
		if fee, both := amountOf(m.value(2)); ok && both {
			m.setAmount(0, amount-fee)
		}
	}},
	{parts: []string{"totalcost total", "laborcost labourcost", "partscost materialcost"}, sums: true, apply: func(m *members) {
		labor, ok := amountOf(m.value(1))
		if parts, both := amountOf(m.value(2)); ok && both {
			m.setAmount(0, labor+parts)
		}
	}},
	{parts: []string{"goaldifference", "goalsfor scored", "goalsagainst conceded"}, apply: func(m *members) {
		if scored, conceded, ok := m.pair(1, 2); ok {
			m.setNumber(0, scored-conceded)
		}
	}},
	{parts: []string{"played matchesplayed", "won wins", "drawn draws", "lost losses", "?points"}, apply: func(m *members) {
		won, drawn, ok := m.pair(1, 2)
		if lost, both := numberOf(m.value(3)); ok && both {
			m.setNumber(0, won+drawn+lost)
			m.setNumber(4, 3*won+drawn)
		}
	}},
	{parts: []string{"possessionaway awaypossession", "possessionhome homepossession"}, apply: func(m *members) {
		if home, ok := numberOf(m.value(1)); ok {
			m.setNumber(0, 100-home)
		}
	}},
	{parts: []string{"ctr clickthroughrate", "clicks", "impressions"}, apply: func(m *members) {
		m.within(1, 2)
		if clicks, seen, ok := m.pair(1, 2); ok && seen > 0 {
			m.setNumber(0, math.Round(10_000*clicks/seen)/100)
		}
	}},
	{parts: []string{"totaltimeminutes totaltime totalminutes", "preptimeminutes preptime prepminutes", "cooktimeminutes cooktime cookminutes"}, apply: func(m *members) {
		if prep, cook, ok := m.pair(1, 2); ok {
			m.setNumber(0, prep+cook)
		}
	}},
	{parts: []string{"age", "dateofbirth birthdate birthday dob"}, apply: func(m *members) {
		const year = 365.25 * 24
		if born, _, ok := ReadTime(m.value(1)); ok {
			m.setNumber(0, math.Floor(m.r.fake.Epoch().Sub(born).Hours()/year))
		}
	}},
	{parts: []string{"netpay netsalary netamount takehomepay totalnet", "grosspay grosssalary grossamount totalgross",
		"totaldeductions deductionstotal totaltax deductedamount"}, sums: true, apply: func(m *members) {
		m.withinMoney(2, 1)
		gross, ok := amountOf(m.value(1))
		less, both := amountOf(m.value(2))
		if ok && both {
			m.setAmount(0, gross-less)
		}
	}},
	{parts: []string{"closingbalance endingbalance", "openingbalance startingbalance", "totalcredits credits totalin", "totaldebits debits totalout"},
		sums: true, apply: func(m *members) {
			sum, ok := amountOf(m.value(1))
			more, both := amountOf(m.value(2))
			less, all := amountOf(m.value(3))
			if ok && both && all {
				m.setAmount(0, sum+more-less)
			}
		}},
	{parts: []string{"totalminutes totalsleepminutes totalsleep", "deepminutes deepsleepminutes", "lightminutes lightsleepminutes",
		"remminutes remsleepminutes"}, apply: func(m *members) {
		deep, light, ok := m.pair(1, 2)
		if rem, both := numberOf(m.value(3)); ok && both {
			m.setNumber(0, deep+light+rem)
		}
	}},
	{parts: []string{"maskedpan maskedcardnumber maskednumber", "last4 lastfour lastdigits"}, apply: func(m *members) {
		if pan, last := m.text(0), m.text(1); len(pan) > 4 && len(last) == 4 {
			m.set(0, pan[:len(pan)-4]+last)
		}
	}},
	{parts: []string{"weightedamount weightedvalue", "amount value", "probability winprobability"}, sums: true, apply: func(m *members) {
		amount, ok := amountOf(m.value(1))
		if share, both := numberOf(m.value(2)); ok && both {
			m.setAmount(0, math.Round(amount*share)/100)
		}
	}},
	{parts: []string{"bmi bodymassindex", "weightkg weight bodyweight", "heightcm height"}, apply: func(m *members) {
		if kg, cm, ok := m.pair(1, 2); ok && cm > 100 {
			bmi := kg / (cm / 100) / (cm / 100)
			m.setNumber(0, math.Round(bmi*10)/10)
		}
	}},
}, slices.Concat(
	twinRows(keepRange, "avg max", "average max", "min avg", "min average", "average longest", "avg longest", "average peak"),
	atMost(
		"ticketssold soldtickets occupied occupiedpallets occupiedspaces enrolled enrolledcount registered attendees attendeecount: "+
			"capacity capacitypallets totalspaces maxcapacity maxparticipants maxattendees",
		"timesused usecount redemptions currentuses uses usedcount: maxuses usagelimit maxredemptions uselimit",
		receivedNames+": "+orderedNames,
		"membercount memberscount participantcount signupcount: maxmembers maxparticipants memberlimit capacity",
		"usedmb usedgb usedbytes storageused storageusedmb storageusedgb storageusedbytes usedspace diskused quotaused memoryused: "+
			"totalmb totalgb totalbytes storagetotal storagetotalmb storagetotalgb storagelimit storagelimitbytes quota storagequota storagequotabytes "+
			"totalspace disktotal memorytotal quotabytes",
		"paid amountpaid paidamount paidtotal amountrefunded refundedamount: total totalamount amountdue amounttotal grandtotal invoicetotal",
		"votesfor passed passedcount failedcount openrate clickrate: totalvotes totalcount testcount",
		"availablecount availablecopies: holdingscount copiescount totalcopies copies",
		"price pricenow saleprice currentprice: compareatprice msrp rrp originalprice strikeprice regularprice",
		"queueposition positioninqueue: queuelength queuesize",
		"costprice cost: price sellingprice listprice saleprice unitprice",
		"matchesplayed wins draws losses: gamesplayed played matches games",
		"concessionprice reducedprice childprice memberprice studentprice: ticketprice price adultprice fullprice",
		"filledquantity quantityfilled: quantity",
		"amountpaid paidamount: amountdue total",
		"deductibleamount outstanding outstandingamount: amount totalamount total",
		"shotsontarget: shots totalshots",
		"amountawarded awardedamount: amountrequested requestedamount",
		"paidinstallments installmentspaid: installments",
		"bandwidthused bandwidthusedgb trafficusedgb: bandwidthlimit bandwidthlimitgb trafficlimitgb",
		"diskusedgb diskused: diskgb disk storagegb",
		"memoryusedmb memoryused: memorymb memory",
		"sizemb: storagelimitmb",
		"activeconnections: connectionlimit maxconnections",
		"spent spentamount amountspent: budget totalbudget",
		"circulatingsupply: maxsupply totalsupply",
		"fee feeamount: amount total",
		"areaplanted plantedarea usedarea: totalarea area",
		"raised raisedamount amountraised currentamount pledged: goal target goalamount targetamount fundinggoal",
		"availablerooms availableseats availablebikes availabledocks: totalrooms totalseats seatcapacity capacity totaldocks",
		"downpayment outstandingbalance remainingprincipal: loanamount principal originalamount",
		"availablebalance: balance currentbalance",
		"diastolic diastolicpressure: systolic systolicpressure",
		"availablefunds withdrawablefunds availableamount: balance accountbalance currentbalance",
		"sentencecount sentences: wordcount words",
		"longsentencecount passivesentencecount: sentencecount",
		"offer offerprice specialprice discountedprice promotionalprice promoprice: default price regularprice listprice baseprice",
		"elapsed elapsedtime elapsedseconds: duration durationseconds",
		"earnestmoney depositamount: amount price totalprice"),
)...)

// memberRelations come before sums of amounts, of which they may be part: a total tax of lines.
var memberRelations = []relation{{totals: true, apply: addMembers}}

const (
	receivedNames = "quantityreceived receivedquantity received quantitypicked pickedquantity picked " +
		"quantityshipped quantityfulfilled " +
		"quantitydelivered quantityreturned returnedquantity copiesreceived unitsreceived"
	orderedNames = "quantityordered orderedquantity ordered quantitysent sentquantity quantityrequested " +
		"copiesordered unitsordered sent " +
		"quantity qty"
)

// atMost keeps numbers at or below others: "part: whole".
func atMost(pairs ...string) []relation {
	var rows []relation
	for _, pair := range pairs {
		part, whole, _ := strings.Cut(pair, ":")
		rows = append(rows, relation{parts: []string{part, whole}, apply: func(m *members) { m.within(0, 1) }})
	}
	return rows
}

// pair reads two numbers.
func (m *members) pair(a, b int) (x, y float64, ok bool) {
	x, first := amountOf(m.value(a))
	y, second := amountOf(m.value(b))
	return x, y, first && second
}

// within keeps a part at or below its whole: it makes it a share of it, or the whole as large as it.
func (m *members) within(part, whole int) {
	if x, y, ok := m.pair(part, whole); ok && x > y {
		share := y * float64(30+m.at.key.at(47).intN(60)) / 100
		if !m.set(part, json.Number(strconv.FormatFloat(math.Floor(share), 'f', 0, 64))) {
			m.setNumber(whole, x)
		}
	}
}

// withinMoney is within for amounts: deductions are a fifth to two fifths of what they are taken from.
func (m *members) withinMoney(part, whole int) {
	x, ok := amountOf(m.value(part))
	y, both := amountOf(m.value(whole))
	if ok && both && x >= y {
		m.setAmount(part, math.Round(y*float64(20+m.at.key.at(48).intN(20)))/100)
	}
}

// totalled finds the list whose members a property adds up by its name: total_calories of foods with calories, and
// total_deductions of deductions with amounts.
func totalled(words []string) string {
	if len(words) < 2 || words[0] != "total" {
		return ""
	}
	if name := strings.Join(words[1:], ""); !strings.Contains(" amount price cost ", " "+name+" ") { // see amountRelations
		return name
	}
	return ""
}

// addMembers makes a total the sum of what the members of a list have under its name.
func addMembers(m *members) {
	words := m.plan(0).words
	name := totalled(words)
	list, ok := m.value(1).([]any)
	if !ok || len(list) == 0 {
		return
	}
	isCounted := strings.Join(m.plan(1).words, "") == name
	sum := 0.0
	for _, v := range list {
		object, _ := v.(map[string]any)
		value, found := memberNamed(object, name)
		if !found && isCounted {
			value, found = memberNamed(object, "amount")
		}
		if !found {
			return
		}
		f, isNumber := amountOf(value)
		if !isNumber {
			return
		}
		sum += f
	}
	m.setAmount(0, sum)
}

func memberNamed(object map[string]any, name string) (any, bool) {
	for key, v := range object {
		if strings.Join(fields.Words(key), "") == name {
			return v, true
		}
	}
	return nil, false
}
