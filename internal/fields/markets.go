package fields

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

const (
	coins       = "BTC|ETH|USDT|SOL|ADA|XRP"
	tradeThings = "tradingorder ticker candle kline orderbook"
)

// quoted is a price of a market, so far from others of the same object.
type quoted int

func (q quoted) base(f *formats.Faker, at Place) int {
	return 18_000 + f.Seed(at.decision(30)).IntN(42_000) + int(q)
}

func (q quoted) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		base := q.base(f, at)
		return strconv.Itoa(base+f.Seed(at.Key).IntN(60)) + "." + pattern("#0")(f)
	}}
}

func (q quoted) window(f *formats.Faker, at Place) Window {
	base := int64(q.base(f, at))
	return Window{100 * base, 100*base + 6_000, 100}
}

const walletAddress = patterns("0x%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%")

// markets are rules for exchanges, subscriptions and gifts.
var markets = []rule{
	{names: "symbol market pair marketsymbol tradingpair instrument", under: tradeThings, texts: together("BTC-USDT|ETH-EUR|SOL-USDT|ADA-EUR")},
	{names: "asset baseasset basecurrency coin", under: tradeThings + " balance deposit withdrawal wallet", texts: together("BTC|ETH|SOL|ADA")},
	{names: "quoteasset quotecurrency feeasset feecurrency", under: tradeThings, texts: together("USDT|EUR|USDT|EUR")},
	{names: "baseasset quoteasset feeasset cryptocurrency coin", texts: oneOf(coins)},
	{names: "code symbol ticker", under: "cryptoasset coin cryptocurrency", texts: together("BTC|ETH|SOL|ADA|XRP|DOT")},
	{names: "name", under: "cryptoasset coin cryptocurrency", texts: together("Bitcoin|Ethereum|Solana|Cardano|XRP|Polkadot")},
	{names: "blockchain network chain", under: "deposit withdrawal coin cryptoasset", texts: oneOf("Bitcoin|Ethereum|Solana|Tron")},
	{names: "blockchain", texts: oneOf("Bitcoin|Ethereum|Solana")},
	{names: "address fromaddress toaddress walletaddress depositaddress contractaddress", under: "deposit withdrawal wallet coin cryptoasset", texts: walletAddress},
	{names: "walletaddress contractaddress depositaddress btcaddress receiveaddress bitcoinaddress cryptoaddress", texts: walletAddress},
	{names: "txhash transactionhash txid blockhash", texts: patterns("0x%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%")},
	{names: "memo tag destinationtag", under: "deposit withdrawal", texts: patterns("10#######")},
	{names: "decimals", numbers: between(2, 18)},
	{names: "circulatingsupply totalsupply", numbers: between(12_000_000, 420_000_000)},
	{names: "maxsupply", numbers: between(450_000_000, 990_000_000)},
	{names: "price lastprice averageprice open close openprice closeprice stopprice limitprice markprice indexprice", under: tradeThings, texts: quoted(0), numbers: quoted(0), formats: "decimal"},
	{names: "high highprice high24h askprice ask bestask", under: tradeThings, texts: quoted(400), numbers: quoted(400), formats: "decimal"},
	{names: "low lowprice low24h bidprice bid bestbid", under: tradeThings, texts: quoted(-400), numbers: quoted(-400), formats: "decimal"},
	{names: "volume24h volume quotevolume openinterest basevolume", under: tradeThings, texts: patterns("1###.##"), numbers: scaled(12_000, 4_200_000, 100), formats: "decimal"},
	{names: "makerfee takerfee fundingrate tradingfee", texts: patterns("0.00##"), numbers: scaled(2, 40, 10_000), formats: "decimal"},
	{names: "minordersize ticksize lotsize stepsize minquantity", under: tradeThings + " contract", texts: oneOf("0.0001|0.001|0.01"), numbers: scaled(1, 100, 10_000), formats: "decimal"},
	{names: "ticksize stepsize minordersize", texts: oneOf("0.0001|0.001|0.01"), formats: "decimal"},
	{names: "pricechangepercent24h pricechangepercent pricechange24h changepercent percentchange", texts: patterns("1.##"), numbers: scaled(-480, 620, 100), formats: "decimal"},
	{names: "available locked staked frozen pending", under: "balance wallet", texts: patterns("#.##"), numbers: scaled(1, 980, 100), formats: "decimal"},
	{names: "timeinforce", texts: oneOf("GTC|IOC|FOK")},
	{names: "dailywithdrawallimit withdrawallimit dailylimit", texts: oneOf("10000|25000|50000"), formats: "decimal"},
	{names: "kyclevel verificationlevel", numbers: between(0, 3)},
	{names: "feetier makertier viplevel", texts: oneOf("Tier 1|Tier 2|VIP 1")},
	{names: "ipwhitelist allowedips iprestrictions allowedipaddresses trustedips", texts: oneOf("192.0.2.10|198.51.100.24|203.0.113.7")},
	{names: "label name", under: "apikey accesskey", texts: kindNames("key")},
	{names: "opentime closetime starttime endtime", under: "candle kline", formats: "int64 date-time", unix: 1, texts: unixTexts(1)},
	{names: "periodstart currentperiodstart billingperiodstart periodfrom trialstart contractstart", formats: "date date-time int64", unix: 1, texts: eventTexts{}},
	{names: "periodend currentperiodend billingperiodend trialend trialends periodto", formats: "date date-time int64", unix: 1, texts: eventTexts{}},
	{names: "nextpaymentattempt nextretry nextbilling", formats: "date date-time int64", unix: 1, texts: eventTexts{}},
	{names: "intervalcount billingintervalcount", numbers: between(1, 3)},
	{names: "trialperioddays trialdays", numbers: between(7, 30)},
	{names: "daysuntildue duedays", numbers: between(14, 30)},
	{names: "attemptcount", numbers: between(0, 3)},
	{names: "features feature featurelist", under: "plan subscriptionplan pricingplan tier", texts: oneOf("Unlimited projects|Priority support|Single sign-on|Audit log|API access|Custom reports")},
	{names: "featurekey featurename feature", texts: oneOf("api_calls|seats|storage_gb|projects|exports")},
	{names: "nickname", under: "plan price", texts: oneOf("Monthly|Yearly|Launch offer|Partner price")},
	{names: "taxbehavior taxbehaviour", texts: oneOf("exclusive|inclusive")},
	{names: "collectionmethod", texts: oneOf("charge_automatically|send_invoice")},
	{names: "funding fundingtype", under: "card paymentmethod", texts: oneOf("credit|debit|prepaid")},
	{names: "brand network", under: "paymentmethod card", texts: oneOf("visa|mastercard|amex")},
	{names: "billingname nameonaccount", texts: person(fullName)},
	{names: "invoicepdf pdf pdfurl pdflink documenturl", formats: URIFormats, texts: made(page)},
	{names: "number", under: "invoice bill", texts: patterns("INV-00####")},
	{names: "number", under: "creditnote", texts: patterns("CN-00####")},
	{names: "number", under: "certificate certificateanalysis", texts: patterns("COA-25-####")},
	{names: "description", under: "invoiceline subscriptionline", texts: oneOf("Professional plan, monthly|Additional seats|Storage add-on|Setup fee|Support, per month")},
	{names: "metricname metric", under: "usagerecord usage meter entitlement", texts: oneOf("api_calls|active_users|storage_gb|messages_sent")},
	{names: "=unit", under: "usagerecord usage entitlement", texts: oneOf("calls|users|GB|messages")},
	{names: "name", under: "dunningcampaign dunning", texts: oneOf("Standard retries|Enterprise reminders|Card expired|Last notice")},
	{names: "emailtemplate templatekey messagetemplate", texts: oneOf("payment_failed|card_expiring|final_notice|welcome")},
	{names: "finalaction", texts: oneOf("cancel|mark_unpaid|pause")},
	{names: "title name", under: "fundingcampaign donationcampaign fundraisingcampaign appeal", texts: oneOf("Clean water for five villages|A new roof for the shelter|School books for every child|Plant 10,000 trees|" +
		"Warm meals this winter|Save the harbour lighthouse")},
	{names: "story pitch", texts: oneOf("Every gift brings us closer to the goal.|It began with a few neighbours and a borrowed van.|With your help we open the doors again in spring.")},
	{names: "tagline slogan motto claim", texts: oneOf("Small steps, big change|Together we make it work|Good things, close to home|Made for every day")},
	{names: "category cause causearea programarea programareas focusarea", under: "fundingcampaign donationcampaign charity grant fundraiser nonprofit", texts: oneOf("Children|Environment|Health|Education|Animals|Emergency aid")},
	{names: "programarea causearea focusarea", texts: oneOf("Children|Environment|Health|Education|Animals")},
	{names: "mission missionstatement vision", texts: oneOf("We bring clean water to villages.|Every child deserves a good start.|We protect rivers and the life in them.|Help where it is needed most.")},
	{names: "program programs programme programmes", texts: oneOf("School meals|Emergency relief|Tree planting|Evening classes|Mobile clinic")},
	{names: "trustees boardmembers board committeemembers patrons", texts: writes(someone)},
	{names: "funder grantor foundation", texts: oneOf("Castell Foundation|Lakeside Trust|Northwind Charitable Fund|City Council")},
	{names: "title name", under: "grant", texts: oneOf("Youth centre renovation|Mobile library|Community garden|Digital skills for seniors|River clean-up|After-school music")},
	{names: "name title", under: "fundraiser", texts: oneOf("Anna runs for clean water|Bake sale at Riverside School|Ride for the hospice|Birthday instead of gifts|Team Harbour at the marathon|Quiz night")},
	{names: "eventname assignedevent event", under: "fundraiser volunteer donor attendee", texts: oneOf("City marathon|Summer fair|Charity gala|River clean-up day")},
	{names: "teamname", under: "fundraiser event", texts: oneOf("Team Harbour|The Early Birds|Riverside Runners")},
	{names: "dedication inmemoryof inhonorof", texts: oneOf("In memory of Clara|For my grandmother|Happy birthday, Leo")},
	{names: "message personalmessage", under: "donation gift fundraiser pledge", texts: oneOf("Keep up the good work!|For a good cause.|With love from all of us.|Thank you for everything you do.")},
	{names: "segment customersegment donorsegment", texts: oneOf("New|Loyal|Major|At risk|Occasional")},
	{names: "preferredchannel contactchannel contactpreference", texts: oneOf("email|phone|post|sms")},
	{names: "availability", under: "volunteer person helper worker", texts: oneOf("Weekends|Weekday evenings|Flexible|Tuesday mornings")},
	{names: "tshirtsize shirtsize", texts: oneOf("S|M|L|XL")},
	{names: "amountinwords", texts: oneOf("one hundred and twenty|fifty|two hundred and forty")},
	{names: "restrictions fundingrestrictions", under: "grant fund", texts: oneOf("For equipment only|No staff costs|Within one year")},
	{names: "installments installmentcount numberofinstallments", numbers: between(6, 24)},
	{names: "paidinstallments installmentspaid", numbers: between(1, 5)},
	{names: "goalamount targetamount fundinggoal", numbers: between(8_000, 60_000)},
	{names: "raisedamount amountraised", numbers: between(1_200, 7_900)},
	{names: "raised", under: "fundraiser campaign fundingcampaign", numbers: between(60, 480)},
	{names: "target goal", under: "fundraiser", numbers: between(500, 3_000)},
	{names: "amountawarded awardedamount", numbers: between(2_000, 7_900)},
	{names: "organizer organiser organizername", texts: writes(companyName)},
	{names: "amountrequested requestedamount", numbers: between(8_000, 60_000)},
	{names: "maxscreens maxdevices simultaneousstreams maxstreams", numbers: between(1, 4)},
	{names: "price amount monthlyprice", under: "plan subscriptionplan pricingplan", formats: "decimal", texts: cents{499, 2_999}, numbers: cents{499, 2_999}, units: true},
}
