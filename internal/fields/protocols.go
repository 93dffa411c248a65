package fields

import (
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

const dnsThings = "domain dns dnsrecord zone record records tld website"

const headerNames = "Content-Type|Authorization|Accept-Language|X-Request-Id|Cache-Control|ETag"

// protocols are rules for headers, keys and origins of HTTP, for what is known of weaknesses of programs, and for the
// parts of messages.
var protocols = []rule{
	{names: "name key headername header", under: "header httpheader requestheader responseheader", texts: together(headerNames)},
	{names: "value headervalue", under: "header httpheader requestheader responseheader",
		texts: together(`application/json|Bearer 5f2c9a71e0|en|7d2f41c8|no-cache|"33a64df5"`)},
	{names: "headername authheadername authheader allowedheaders exposedheaders exposeheaders allowheaders corsheaders varyheaders", texts: oneOf(headerNames)},
	{names: "allowedorigins alloworigins corsorigins allowedorigin alloworigin", formats: URIFormats,
		texts: oneOf("https://app.example.com|https://www.example.com|https://admin.example.com")},
	{names: "use publickeyuse keyuse", under: "key jwk keys signingkey", texts: oneOf("sig")},
	{names: "x5c certificatechain certchain", texts: Maker(certificate)},
	{names: "signingmethod jwtsigningmethod jwtalgorithm jwtalg", texts: oneOf("RS256|ES256|HS256")},
	{names: "cve cveid cveids cves", texts: patterns("CVE-2024-#####")},
	{names: "cwe cweid cwes", texts: oneOf("CWE-79|CWE-89|CWE-20|CWE-352|CWE-787")},
	{names: "cpe cpeuri cpename", texts: oneOf("cpe:2.3:a:example:portal:2.4.1:*:*:*:*:*:*:*|cpe:2.3:o:example:linux:5.10:*:*:*:*:*:*:*")},
	{names: "cvssvector cvssvectorstring", texts: oneOf("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H|CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N")},
	{names: "advisory advisoryid bulletin", texts: patterns("ADV-2025-####")},
	{names: "urn", formats: "uri", texts: patterns("urn:example:item:######")},
	{names: "src srcurl", formats: URIFormats, texts: made(page)},
	{names: "operator op comparator", under: "filter condition rule query criterion criteria clause predicate constraint search", texts: oneOf("eq|ne|gt|lt|contains")},
	{names: "minimum recommended", under: "requirement", texts: oneOf("4 GB RAM, 2 CPU cores, 10 GB of disk|8 GB RAM, 4 CPU cores, 20 GB of disk")},
	{names: "name title", under: "platform", texts: oneOf("Windows|macOS|Linux|Android|iOS|Web")},
	{names: "slug", under: "platform", formats: "slug", texts: oneOf("windows|macos|linux|android|ios|web")},
	{names: "name component service", under: "health healthcheck healthz dependencyhealth", texts: oneOf("database|cache|queue|storage|search|mail")},
	{names: "exchange mailserver", under: "mx mxrecord", formats: "hostname", texts: oneOf("mail.example.com|mx1.example.com|mx2.example.com")},
	{names: "=a =arecord =arecords", under: dnsThings, formats: "ipv4", texts: patterns("192.0.2.1##")},
	{names: "=aaaa =aaaarecord =aaaarecords", under: dnsThings, formats: "ipv6", texts: patterns("2001:db8::%%")},
	{names: "=ns =nsrecord =nsrecords", under: dnsThings, formats: "hostname", texts: oneOf("ns1.example.com|ns2.example.com|ns3.example.com")},
	{names: "=mx =mxrecord =mxrecords", under: dnsThings, texts: oneOf("10 mail.example.com|20 mail2.example.com")},
	{names: "=txt =txtrecord =txtrecords", under: dnsThings, texts: oneOf("v=spf1 include:mail.example.com -all|site-verification=5f2c9a71e0|v=DMARC1; p=none")},
	{names: "tld topleveldomain", texts: oneOf("com|org|net|de|io|fr")},
	{names: "zone tld", under: "tld statistic stat", texts: oneOf("com|org|net|de|io|fr")},
	{names: "attemptsremaining remainingattempts attemptsleft triesleft retriesleft retriesremaining", numbers: between(1, 5), texts: oneOf("3|2|1")},
	{names: "aspectratio displayaspectratio", texts: oneOf("16:9|4:3|1:1|9:16")},
	{names: "channel paymentchannel saleschannel orderchannel", under: "payment transaction order booking deposit withdrawal sale", texts: oneOf("web|mobile|branch|phone")},
	{names: "avgsentencelength averagesentencelength wordspersentence", numbers: between(8, 26)},
	{names: "=type mediakind", under: "media medium mediafile", texts: oneOf("image|video|document")},
	{names: "exchange exchangename stockexchange exchangecode primaryexchange listingexchange", texts: oneOf("NASDAQ|NYSE|LSE|XETRA|Euronext")},
	{names: "sector industry", under: "company stock security", texts: together(strings.Join(industries, "|"))},
	{names: "broker brokername dealer brokerdealer", texts: writes(companyName)},
	{names: "acronym abbreviation abbr abbrev initialism", texts: patterns("@@@")},
	{names: "fallback fallbacktext", texts: oneOf("New order from Berlin|Build finished|Weekly report is ready")},
	{names: "footer footertext pretext preheader", texts: oneOf("Sent by the order service|You receive this because you follow the project|All times are UTC")},
	{names: "pobox postofficebox", texts: patterns("PO Box 1###")},
	{names: "complement addresscomplement addressextra streetcomplement =extra", under: "address shippingaddress billingaddress", texts: oneOf("Apt 4|Floor 2|Building B|Rear entrance")},
	{names: "area areaname zonename", texts: oneOf("Old Town|North District|Riverside|Central District|Harbour Quarter|West End")},
	{names: "religion denomination", texts: oneOf("none|Catholic|Protestant|Muslim|Jewish|Hindu|Buddhist")},
	{names: "copay copayamount coinsurance", texts: oneOf("15.00|20.00|35.00|50.00")},
	{names: "meaning lifestory fineprint instruction smallprint legaltext legalnotice", texts: made(describe)},
	{names: "nameoriginal nameoriginallanguage namelocal namenative nameen namede namefr namees officialname nameofficial commonname namelong nameshort nameascii namealternative",
		texts: made(nameOf)},
	{names: "fromname sendername publishfromname replytoname", texts: oneOf("Northwind Support|Oakfield News|The Kestrel Team")},
	{names: "fullname", under: "file folder path repository location company team category product", texts: made(nameOf)},
	{names: "creditscore creditrating ficoscore", numbers: between(580, 820), texts: patterns("7##")},
	{names: "eyecolor eyecolour eyes", texts: oneOf("brown|blue|green|hazel|grey")},
	{names: "haircolor haircolour hair", texts: oneOf("black|brown|blond|red|grey")},
	{names: "isocode iso iso6391 isolang", under: "language lang locale", texts: oneOf("en|de|fr|es|it|nl|pt|ja|sv|pl")},
	{names: "returncode resultcode retcode errno exitcode", numbers: between(0, 0), texts: oneOf("0")},
	{names: "yearstart startyear yearfrom yearto yearend endyear firstyear lastyear", numbers: between(1998, 2025), texts: patterns("20##")},
	{names: "destination target destinationurl", under: "click redirect alias shortlink shorturl link clickpg", formats: URIFormats, texts: made(page)},
	{names: "region receivingregion sendingregion", under: "message queue queuemessage node deployment function volume datacenter disk network vpc image",
		texts: oneOf("eu-west-1|us-east-1|ap-south-1|eu-central-1")},
	{names: "role", under: "artist band musician ensemble performer track album", texts: oneOf("performer|composer|vocals|conductor|producer")},
	{names: "=type =kind releasetype albumtype", under: "album release", texts: oneOf("album|single|ep|compilation")},
	{names: "=first =given", under: "name personname humanname fullname", texts: person(func(_ *formats.Faker, first, _ string) string { return first })},
	{names: "=last =family", under: "name personname humanname fullname", texts: person(func(_ *formats.Faker, _, last string) string { return last })},
	{names: "=middle", under: "name personname humanname fullname", texts: writes((*formats.Faker).FirstName)},
	{names: "markeddown rendered htmltext", texts: made(describe)},
	{names: "label", under: "contactmethod contactdevice usercontact contactphone contactemail phone", texts: oneOf("Work|Home|Mobile")},
	{names: "branch branchname", under: "bank account bankaccount bankdetail", texts: oneOf("Main Street Branch|Harbour Branch|Old Town Branch|Central Branch")},
	{names: "maskedaccountnumber accountmask maskedaccount maskediban", texts: patterns("****####")},
	{names: "peer peers", formats: "hostname", texts: patterns("node##.example.com")},
	{names: "acct webfinger", texts: person(func(f *formats.Faker, first, last string) string { return userName(f, first, last) + "@social.example" })},
	{names: "shortcode", under: "emoji customemoji", texts: oneOf("smile|party|thumbsup|rocket|wave|heart")},
	{names: "category", under: "emoji customemoji", texts: oneOf("People|Nature|Food|Travel|Objects|Symbols")},
	{names: "responsetype responsetypes", texts: oneOf("code|id_token")},
	{names: "applicationtype clienttype", under: "client application app oauthclient", texts: oneOf("web|native")},
	{names: "obis obiscode", texts: oneOf("1-0:1.8.0*255|1-0:2.8.0*255|1-0:16.7.0*255")},
	{names: "doctype documenttype", texts: oneOf("contract|invoice|report|letter")},
	{names: "wikipediapage wikipediaurl", formats: URIFormats, texts: made(page)},
	{names: "text verse translation", under: "verse stanza poem sutra lyric hymn psalm", texts: oneOf("The river keeps its own way to the sea.|Who plants a tree has thought of others.|" +
		"Speak softly, and the hills will answer.|The lamp is lit; the road is long.")},
	{names: "jockey trainer breeder", texts: writes(someone)},
	{names: "sire dam damsire horse horsename", texts: oneOf("Northern Light|Sea Breeze|Golden Mile|Silver Harbour|Quiet Storm|Morning Star")},
	{names: "going goingdescription", texts: oneOf("Good|Good to Soft|Soft|Firm|Standard")},
	{names: "headgear", texts: oneOf("b|t|v|h|p")},
	{names: "draw", under: "runner horse entry result", texts: patterns("#")},
	{names: "rpr tsr officialrating performancerating topspeed", texts: oneOf("74|88|96|103|112"), numbers: between(60, 125)},
	{names: "prizepool prizemoney purse", texts: oneOf("10,000|25,000|50,000"), numbers: between(5_000, 250_000)},
	{names: "formatteddecimal formatteddoubledecimal formattednumber formattedamount formattedprice formattedvalue formattedtotal", texts: patterns("1,2##.##")},
	{names: "formattedsingledecimal", texts: patterns("1,2##.#")},
	{names: "formattednodecimal formattedinteger", texts: patterns("1,2##")},
	{names: "=type", under: "geometry geojsongeometry", texts: oneOf("Point")},
	{names: "=type", under: "feature geojsonfeature", texts: oneOf("Feature")},
	{names: "=type", under: "featurecollection", texts: oneOf("FeatureCollection")},
	{names: "mtu", numbers: between(1500, 1500), texts: oneOf("1500")},
	{names: "ageband agegroup", texts: oneOf("18-24|25-34|35-49|50-64|65+")},
	{names: "salaryband payband taxband priceband ratingband incomeband band", under: "employee position race salary tax rate fee", texts: oneOf("A|B|C|D")},
	{names: "salaryband payband taxband priceband ratingband incomeband", texts: oneOf("A|B|C|D")},
	{names: "leavetypename absencetypename timeofftypename", texts: oneOf("Annual leave|Sick leave|Parental leave|Unpaid leave")},
	{names: "=start =end =stop =finish =until", under: "range daterange period interval timeslot slot window span timespan timerange timeperiod",
		formats: "date date-time", texts: eventTexts{}},
}

// certificate writes the beginning of a certificate in base64.
func certificate(f *formats.Faker, at Place, _ string) string {
	return "MIIB" + formats.Letters(f.Seed(at.Key), 60, formats.Lower36+upper)
}

var industries = strings.Split("Retail|Logistics|Healthcare|Software|Manufacturing|Hospitality|Education", "|")

// greetings are texts by the tags of the languages that they are in, as properties of translated texts are called.
var greetings = []struct{ tag, texts string }{
	{"en engb enus", "Welcome|Thank you|Good morning|Your order"}, {"de dede", "Willkommen|Vielen Dank|Guten Morgen|Ihre Bestellung"},
	{"fr frfr", "Bienvenue|Merci|Bonjour|Votre commande"}, {"es eses", "Bienvenido|Gracias|Buenos días|Su pedido"},
	{"it itit", "Benvenuto|Grazie|Buongiorno|Il tuo ordine"}, {"nl nlnl", "Welkom|Dank u wel|Goedemorgen|Uw bestelling"},
	{"pt ptbr ptpt", "Bem-vindo|Obrigado|Bom dia|O seu pedido"}, {"pl plpl", "Witamy|Dziękujemy|Dzień dobry|Twoje zamówienie"},
	{"ja jajp", "ようこそ|ありがとう|おはようございます|ご注文"}, {"sv svse", "Välkommen|Tack|God morgon|Din beställning"},
	{"da dadk", "Velkommen|Tak|Godmorgen|Din ordre"}, {"ru ruru", "Добро пожаловать|Спасибо|Доброе утро|Ваш заказ"},
	{"zh zhcn", "欢迎|谢谢|早上好|您的订单"}, {"ko kokr", "환영합니다|감사합니다|좋은 아침|주문"}, {"tr trtr", "Hoş geldiniz|Teşekkürler|Günaydın|Siparişiniz"},
}

// inLanguages are rules for texts by the names of their languages.
func inLanguages() (all []rule) {
	for _, g := range greetings {
		all = append(all, rule{names: "=" + strings.ReplaceAll(g.tag, " ", " ="), texts: together(g.texts)})
	}
	return all
}
