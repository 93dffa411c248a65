package fields

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

// technical are rules for names that many kinds of programs have: texts of formats and languages, settings, codes.
var technical = []rule{
	{names: "css stylesheet style customcss", texts: oneOf(".header { color: #336677; }|body { margin: 0; }|a { text-decoration: none; }")},
	{names: "javascript js script customjs", texts: oneOf("console.log('ready');|return items.length;|document.title = 'Orders';")},
	{names: "sql sqlquery querysql", texts: oneOf("SELECT id, name FROM orders WHERE status = 'open'|SELECT count(*) FROM customers")},
	{names: "xml xmlbody", texts: oneOf(`<order id="42"><status>open</status></order>|<customer id="7"><name>Ada Fields</name></customer>`)},
	{names: "json jsonbody jsondata jsonstring metadata", texts: oneOf(`{"id":42,"status":"open"}|{"source":"web","priority":2}|{"team":"sales","region":"north"}`)},
	{names: "csv csvdata", texts: oneOf("id,name,quantity\n1,Desk lamp,4\n2,Oak chair,2")},
	{names: "yaml yml", texts: oneOf("name: orders\nreplicas: 2\n")},
	{names: "expression formula", texts: oneOf(`status == "open"|price * quantity|total > 100|country in ["DE", "FR"]`)},
	{names: "regex regexp", texts: oneOf(`^[A-Z]{2}-\d{4}$|\d{5}|^https://`)},
	{names: "log logs logline logentry stdout console consoleoutput", texts: oneOf("09:12:44 INFO Started|09:12:47 INFO 12 files processed|09:13:02 INFO Done in 18 s")},
	{names: "stacktrace traceback backtrace", texts: oneOf("TypeError: value is undefined\n    at parse (orders.js:42:7)|ValueError: empty list\n  File \"report.py\", line 18")},
	{names: "config configuration configname profilename", texts: oneOf("default|production|staging|minimal")},
	{names: "namespace realm", texts: oneOf("billing|shop|platform|analytics|public")},
	{names: "=alias =aliases", texts: oneOf("harbour-team|blue-fox|main-office|north-wing|green-desk|old-mill")},
	{names: "=level", texts: oneOf("low|medium|high")},
	{names: "=schema =entity =resource =object entityname", texts: oneOf("order|customer|invoice|document")},
	{names: "default defaultvalue", texts: oneOf("none|10|standard|true")},
	{names: "dateformat", texts: oneOf("YYYY-MM-DD|DD.MM.YYYY|MM/DD/YYYY")},
	{names: "timeformat", texts: oneOf("HH:mm|h:mm a")},
	{names: "decimalseparator decimalpoint", texts: oneOf(".|,")},
	{names: "thousandsseparator groupingseparator", texts: oneOf(",|.")},
	{names: "delimiter separator", texts: oneOf(",|;|\t")},
	{names: "timeframe timerange daterange lookbackwindow", texts: oneOf("24h|7d|30d|90d")},
	{names: "acl accesscontrol", texts: oneOf("public-read|private|authenticated-read")},
	{names: "utmmedium =medium", texts: oneOf("email|social|search|print|web")},
	{names: "utmcampaign campaigncode", texts: oneOf("spring-sale|newsletter-may|summer-launch")},
	{names: "networkaddress hostaddress gateway defaultgateway gatewayip nexthop gatewayaddress", texts: patterns("192.0.2.1#"), formats: "ipv4"},
	{names: "netmask subnetmask", texts: oneOf("255.255.255.0|255.255.0.0|255.255.255.128"), formats: "ipv4"},
	{names: "crc crc32", texts: patterns("%%%%%%%%")},
	{names: "thumbprint", texts: digest(40)},
	{names: "extendedmetadata jsonmetadata", texts: oneOf(`{"source":"web"}`)},
	{names: "winddirection winddir dir", under: "wind", texts: oneOf("N|NE|E|SE|S|SW|W|NW")},
	{names: "maxmillibpm minmillibpm millibpm", numbers: between(82_000, 168_000)},
	{names: "doi", texts: patterns("10.5555/12######")},
	{names: "orcid", texts: oneOf("0000-0002-1825-0097")},
	{names: "hex hexstring hexdata", texts: digest(32)},
	{names: "exponent", under: "key jwk", texts: oneOf("AQAB")},
	{names: "=kty", texts: oneOf("RSA|EC")},
	{names: "=n =x =y =x5t =x5ts256 =modulus", under: "key jwk cnf", texts: writes(func(f *formats.Faker) string {
		return formats.Letters(f, 43, formats.Lower36+"ABCDEFGHJKLMNPQRSTUVWXYZ-_")
	})},
	{names: "=e", under: "key jwk", texts: oneOf("AQAB")},
	{names: "word term phrase lemma keyphrase", texts: oneOf("garden|harbour|morning|letter|window|bridge|summer")},
	{names: "sentence", texts: oneOf("The delivery arrives on Tuesday.|We meet at the harbour in the morning.|The report is on the desk.")},
	{names: "coordinates latlng latlong latlon geopoint", texts: inPlace(func(p *town) string {
		return strconv.FormatFloat(p.lat, 'f', 4, 64) + ", " + strconv.FormatFloat(p.lng, 'f', 4, 64)
	})},
	{names: "journal journaltitle journalname", texts: oneOf("Journal of Applied Botany|Annals of Urban Studies|Letters in Data Science|Review of Marine Biology")},
	{names: "school university college schoolname universityname", of: func([]string, Thing) []Maker { return kinds["school"].names }},
	{names: "=org", texts: companyName},
	{names: "dealer dealership reseller distributor wholesaler exhibitor", texts: companyName},
	{names: "uptime", numbers: between(3_600, 2_400_000), texts: oneOf("12 days, 4:32|3 days, 17:05|41 days, 9:20")},
	{names: "filemode", texts: oneOf("100644|100755|040000")},
	{names: "mode", under: "diff tree blob", texts: oneOf("100644|100755|040000")},
	{names: "cachingmode cachemode", texts: oneOf("ReadOnly|ReadWrite|None")},
	{names: "storagemode provisioningmode", texts: oneOf("thin|thick")},
	{names: "chromosome", texts: oneOf("1|7|11|17|X")},
	{names: "designation", texts: writes((*formats.Faker).JobTitle)},
	{names: "attribution credits", texts: oneOf("© Northwind Media|© Lakeside Records|Photo: Clara Winter")},
	{names: "build buildno", texts: patterns("1###")},
	{names: "params parameters querystring", texts: oneOf("page=2&sort=name|status=open|from=2025-01-01")},
	{names: "=sort sortexpression", texts: oneOf("name|created_at|-price")},
	{names: "whitelist blacklist allowlist denylist blocklist", texts: oneOf("example.com|192.0.2.10|example.org")},
	{names: "capitalname", texts: inPlace(func(p *town) string { return p.city })},
	{names: "=capital", under: "country", texts: inPlace(func(p *town) string { return p.city })},
	{names: "flg flag indicator ind yn yesno", texts: oneOf("Y|N")},
	{names: "aboutme selfdescription", of: func([]string, Thing) []Maker { return []Maker{sentence(Person)} }},
	{names: "review testimonial", of: saying(comments)},
}
