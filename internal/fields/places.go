package fields

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/naming"
)

// town is a row of the gazetteer: all fields of one address come from one row.
type town struct {
	city, region, regionCode, postal string // postal: as for pattern
	country, code, code3, number     string // ISO 3166-1
	currency, currencyName, symbol   string // ISO 4217
	calling                          string // of the country, with "+"
	phone                            string // as for pattern, behind the calling code
	lat, lng                         float64
	zone, language, streets          string
}

// townOf returns the town that an object is in.
func townOf(f *formats.Faker, at Place) *town {
	towns := gazetteer()
	if f.Locale != nil {
		towns = townsOf()[f.Locale.Tag]
	}
	if at.Town != 0 {
		at.Object = at.Town
	}
	return &towns[f.Seed(at.decision(3)).IntN(len(towns))]
}

// streetsOf returns the streets of the town, and draws those of several addresses in it apart.
func streetsOf(f *formats.Faker, at Place) []string {
	names := strings.Split(townOf(f, at).streets, ";")
	if at.Town != 0 && at.Town != at.Object {
		f.Seed(at.decision(7))
	}
	return names
}

// local words end the names of objects, and lists of these, that are where the object around them is.
var local = naming.LazySet(`address addresses geo geolocation coordinates coordinate coords position latlng gps phone phones telephone
	telephones mobile location headquarter headquarters place city country region`)

// inPlace reads something of the town.
type inPlace func(*town) string

func (read inPlace) makers([]string, Thing) []Maker { return inPlaces{read}.makers(nil, Thing{}) }

// inPlaces read several things, the first that conforms counts.
type inPlaces []func(*town) string

func (reads inPlaces) makers([]string, Thing) []Maker {
	var all []Maker
	for _, read := range reads {
		all = append(all, func(f *formats.Faker, at Place, _ string) string { return read(townOf(f, at)) })
	}
	return all
}

// streetName writes a street of the town.
func streetName(f *formats.Faker, at Place, _ string) string {
	names := streetsOf(f, at)
	return strings.TrimPrefix(names[f.IntN(len(names))], "# ")
}

// street writes a street of the town with a number.
func street(f *formats.Faker, at Place, _ string) string {
	names := streetsOf(f, at)
	name := names[f.IntN(len(names))]
	number := strconv.Itoa(1 + f.IntN(180))
	if before, isBefore := strings.CutPrefix(name, "# "); isBefore {
		return number + " " + before
	}
	return name + " " + number
}

// otherStreet writes one of the town to which a way from the first leads.
func otherStreet(f *formats.Faker, at Place, _ string) string {
	names := strings.Split(townOf(f, at).streets, ";")
	first := f.Seed(at.Object).IntN(len(names))
	name, isBefore := strings.CutPrefix(names[(first+1)%len(names)], "# ")
	number := strconv.Itoa(1 + f.Seed(at.Key).IntN(180))
	if isBefore {
		return number + " " + name
	}
	return name + " " + number
}

func phone(f *formats.Faker, at Place, _ string) string {
	return townOf(f, at).calling + nationalNumber(f, at, "")
}

// phones writes the numbers by which somebody is reached: a mobile number is none of an office.
func phones(words []string, _ Thing) []Maker {
	n := uint64(4)
	for i, others := range []string{"mobile cell movil handy", "fax", "work office business", "home private"} {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(strings.Fields(others), w) }) {
			n = 20 + uint64(i)
		}
	}
	own := func(f *formats.Faker, at Place, _ string) string {
		t := townOf(f, at)
		return t.calling + pattern(t.phone)(f.Seed(at.decision(n)))
	}
	return []Maker{own, func(f *formats.Faker, at Place, format string) string { return own(f, at, format)[1:] },
		writing(pattern("202555####")), func(f *formats.Faker, at Place, _ string) string { // +44-2079460958
			t := townOf(f, at)
			return strings.TrimSpace(t.calling) + "-" + strings.ReplaceAll(pattern(t.phone)(f.Seed(at.decision(n))), " ", "")
		}}
}

// nationalNumber writes a phone number without the calling code of its country.
func nationalNumber(f *formats.Faker, at Place, _ string) string {
	t := townOf(f, at)
	return pattern(t.phone)(f.Seed(at.decision(4)))
}

// near is a coordinate within some kilometres of the town, with five decimals.
type near func(*town) float64

func (read near) window(f *formats.Faker, at Place) Window {
	middle := int64(read(townOf(f, at)) * 100_000)
	return Window{middle - 4000, middle + 4000, 100_000}
}

func (read near) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		middle := read(townOf(f, at))
		return strconv.FormatFloat(middle+float64(f.Seed(at.Key).IntN(8000)-4000)/100_000, 'f', 5, 64)
	}}
}

func country(t *town) string    { return t.country }
func alpha2(t *town) string     { return t.code }
func alpha3(t *town) string     { return t.code3 }
func region(t *town) string     { return t.region }
func latitude(t *town) float64  { return t.lat }
func longitude(t *town) float64 { return t.lng }

var places = []rule{
	{names: "city town commune locality cityname municipality suburb placename sublocality",
		texts: inPlace(func(t *town) string { return t.city })},
	{names: "country countryname shipcountry", listed: true, texts: inPlaces{country, alpha2, alpha3}},
	{names: "=code countrycode countryiso isocountry countrycode2 iso2 alpha2 isocode", under: "country",
		texts: inPlaces{alpha2, alpha3}},
	{names: "isosubdivision subdivisioncode", phrases: "iso 3166-2|iso-3166-2|iso_3166-2|iso3166-2",
		texts: inPlace(func(t *town) string { return t.code + "-" + t.regionCode })},
	{names: "countrycode countryiso isocountry isocode code2 iso2 alpha2 countrycode2 market markets availablemarkets " +
		"countryofresidence issuingcountry",
		listed: true, phrases: "iso 3166|iso-3166|country code|two-letter country|two letter country|" +
			"two-character country", texts: inPlaces{alpha2, alpha3}},
	{names: "=land", under: "address place", listed: true, texts: inPlaces{country, alpha2}},
	{names: "=number", under: "address", texts: writes(func(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(180)) })},
	{names: "countrycode3 code3 iso3 alpha3 countryalpha3", texts: inPlaces{alpha3, alpha2}},
	{names: "mobilecountrycode mcc", texts: oneOf("262|208|234|310|272|204"), numbers: between(202, 310)},
	{names: "mobilenetworkcode mnc", texts: oneOf("01|02|03|10"), numbers: between(1, 20)},
	{names: "callingcountrycode phonecountrycode callingcode dialcode dialingcode phonecode countrycallingcode",
		phrases: "country calling code|dialing code|dialling code",
		texts:   inPlaces{func(t *town) string { return t.calling }, func(t *town) string { return t.calling[1:] }}},
	{names: "province prefecture region statename county administrativearea administrativedistrict " +
		"administrativedistrictlevel1 stateorprovince " +
		"addressstate billingstate shippingstate mailingstate homestate incorporationstate licensestate " +
		"subdivision subregion stateprovince regionstate birthstate issuingstate officestate " +
		"residencestate vatstate stateofbirth stateofissue stateofresidence", listed: true, texts: inPlaces{region,
		func(t *town) string { return t.regionCode }}},
	{names: "=state", under: "address location city place shippingaddress headquarters venue",
		texts: inPlaces{region, func(t *town) string { return t.regionCode }}},
	{names: "statecode regioncode provincecode", sure: true, phrases: "us state|state or territory|state abbreviation|two-letter state|two letter state", texts: inPlace(func(t *town) string { return t.regionCode })},
	{names: "street streetaddress =address addressline1 line1 address1 addressline streetline1 street1 streetline " +
		"fulladdress physicaladdress " +
		"billingaddress shippingaddress mailingaddress postaladdress", texts: Maker(street)},
	{names: "adminarea1 administrativearea1", texts: inPlaces{region, func(t *town) string { return t.regionCode }}},
	{names: "adminarea2 administrativearea2", texts: inPlace(func(t *town) string { return t.city })},
	{names: "streetname roadname", texts: Maker(streetName)},
	{names: "addressline2 line2 address2 street2 streetline2 apartment suite unitnumber",
		texts: writes(func(f *formats.Faker) string {
			return pick(f, "Unit ", "Suite ", "Floor ") + strconv.Itoa(2+f.IntN(18))
		})},
	{names: "addressline3 line3 address3 building buildingname", texts: oneOf("North Building|Building C|East " +
		"Wing|Main Building")},
	{names: "adminarea3 adminarea4 administrativedistrictlevel2 administrativedistrictlevel3 sublocality2 sublocality3 district " +
		"neighborhood neighbourhood borough",
		texts: oneOf("Old Town|North District|Riverside|Central District|Harbour Quarter|West End")},
	{names: "housenumber streetnumber housenumberorname",
		texts:   writes(func(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(180)) }),
		numbers: between(1, 180)},
	{names: "zip zipcode postal postalcode postcode plz postalzip codepostal codigopostal", phrases: "postal code|zip code",
		texts: several{Maker(func(f *formats.Faker, at Place, _ string) string {
			t := townOf(f, at)
			return pattern(t.postal)(f.Seed(at.decision(5)))
		}), patterns("#####")}, numbers: between(10000, 99999)},
	{names: "timezone tz timezoneid timezonename zoneinfo", phrases: "time zone|timezone",
		texts: inPlace(func(t *town) string { return t.zone })},
	{names: "language lang languagecode primarylanguage", under: "repository", texts: oneOf("Go|TypeScript|" +
		"Python|Rust|Java|Kotlin|Ruby")},
	{names: "language lang languagecode =languages preferredlanguage", listed: true, phrases: "iso 639|language " +
		"code", formats: "language",
		texts: inPlace(func(t *town) string { return t.language })},
	{names: "locale culture", listed: true, phrases: "bcp 47|bcp-47|ietf language", formats: "language",
		texts: inPlaces{func(t *town) string { return t.language + "-" + t.code },
			func(t *town) string { return t.language + "_" + t.code },
			func(t *town) string { return t.language }}},
	{names: "phone phonenumber telephone pager pagernumber mobile mobilenumber mobilephone fax faxnumber faxno cell tel telnumber telno telephonenumber telephoneno phoneno mobileno homephone workphone " +
		"contactnumber msisdn phonenumbers recipientnumber sendernumber destinationnumber callernumber tonumber fromnumber callerid " +
		"whatsapp", phrases: "phone number|e.164", formats: "phone phonenumber", texts: made(phones)},
	{names: "nationalnumber", phrases: "national number", texts: Maker(nationalNumber)},
	{names: "latitude lat", numbers: near(latitude), texts: near(latitude)},
	{names: "longitude lng lon =long", numbers: near(longitude), texts: near(longitude)},
	{names: "altitude elevation", numbers: between(5, 900), texts: patterns("3## m")},
	{names: "continent", texts: oneOf("Europe|Asia|Africa|North America|South America|Oceania")},
	{names: "currency currencycode currencyiso defaultcurrency basecurrency", listed: true, phrases: "iso 4217|" +
		"iso-4217|currency code|three-letter currency",
		texts: inPlace(func(t *town) string { return t.currency })},
	{names: "=code isocode", under: "currency", texts: inPlace(func(t *town) string { return t.currency })},
	{names: "currencysymbol =symbol", under: "currency", texts: inPlace(func(t *town) string { return t.symbol })},
	{names: "currencysymbol", texts: inPlace(func(t *town) string { return t.symbol })},
	{names: "formattedaddress", texts: Maker(func(f *formats.Faker, at Place, format string) string {
		line := street(f, at, format)
		t := townOf(f, at)
		return line + ", " + pattern(t.postal)(f.Seed(at.decision(5))) + " " + t.city + ", " + t.country
	})},
	{names: "streettype streetsuffix thoroughfaretype", texts: oneOf("street|avenue|road|lane|square|court")},
	{names: "geohash", texts: patterns("u33d****")},
	{names: "=location headquarters hometown birthplace placeofbirth",
		texts: inPlace(func(t *town) string { return t.city + ", " + t.country })},
}

// gazetteer has towns; "# " before a street says that the number stands first. Sources: ISO 3166-1 and -2, ISO 4217,
// ITU-T E.164, the IANA time zone database. Phone numbers are of the ranges kept for fiction where a country has some.
var gazetteer = sync.OnceValue(func() []town { return readTowns(townTable, "") })

// townsOf gives the towns of locales by their tags.
var townsOf = sync.OnceValue(func() map[string][]town {
	all := map[string][]town{}
	for _, tag := range locales.Tags() {
		l := locales.Find(tag)
		switch {
		case l == nil:
		case l.Towns != "":
			all[tag] = readTowns(l.Towns, l.Name)
		default:
			all[tag] = slices.DeleteFunc(slices.Clone(gazetteer()), func(t town) bool { return t.code != l.Country })
		}
	}
	return all
})

// readTowns reads the lines of a table; country is the name of theirs, "" is as in English.
func readTowns(table, country string) []town {
	var all []town
	for line := range strings.Lines(strings.TrimSpace(table)) {
		c := strings.Split(strings.TrimSpace(line), "|")
		lat, _ := strconv.ParseFloat(c[9], 64)
		lng, _ := strconv.ParseFloat(c[10], 64)
		n := strings.Split(nations[c[4]], "|")
		all = append(all, town{
			city: c[0], region: c[1], regionCode: c[2], postal: c[3], code: c[4], phone: c[5], zone: c[6],
			language: c[7],
			streets:  c[8], lat: lat, lng: lng, country: cmp.Or(country, n[0]), code3: n[1], number: n[2], currency: n[3],
			currencyName: n[4],
			symbol:       n[5], calling: n[6],
		})
	}
	return all
}

// nations: name, alpha-3, number, currency, its name, its symbol, calling code, by alpha-2.
var nations = map[string]string{
	"US": "United States|USA|840|USD|US Dollar|$|+1",
	"CA": "Canada|CAN|124|CAD|Canadian Dollar|$|+1",
	"GB": "United Kingdom|GBR|826|GBP|Pound Sterling|£|+44",
	"IE": "Ireland|IRL|372|EUR|Euro|€|+353",
	"DE": "Germany|DEU|276|EUR|Euro|€|+49",
	"AT": "Austria|AUT|040|EUR|Euro|€|+43",
	"CH": "Switzerland|CHE|756|CHF|Swiss Franc|CHF|+41",
	"FR": "France|FRA|250|EUR|Euro|€|+33",
	"ES": "Spain|ESP|724|EUR|Euro|€|+34",
	"IT": "Italy|ITA|380|EUR|Euro|€|+39",
	"PT": "Portugal|PRT|620|EUR|Euro|€|+351",
	"NL": "Netherlands|NLD|528|EUR|Euro|€|+31",
	"BE": "Belgium|BEL|056|EUR|Euro|€|+32",
	"SE": "Sweden|SWE|752|SEK|Swedish Krona|kr|+46",
	"DK": "Denmark|DNK|208|DKK|Danish Krone|kr|+45",
	"NO": "Norway|NOR|578|NOK|Norwegian Krone|kr|+47",
	"PL": "Poland|POL|616|PLN|Zloty|zł|+48",
	"JP": "Japan|JPN|392|JPY|Yen|¥|+81",
	"AU": "Australia|AUS|036|AUD|Australian Dollar|$|+61",
	"NZ": "New Zealand|NZL|554|NZD|New Zealand Dollar|$|+64",
}

const townTable = `
New York|New York|NY|100##|US|21255501##|America/New_York|en|# Broadway;# Madison Avenue;# Spring Street|40.7128|-74.0060
Chicago|Illinois|IL|606##|US|31255501##|America/Chicago|en|# Lake Street;# Wabash Avenue;# State Street|41.8781|-87.6298
Seattle|Washington|WA|981##|US|20655501##|America/Los_Angeles|en|# Pine Street;# Harbor Avenue;# Union Street|47.6062|-122.3321
Austin|Texas|TX|787##|US|51255501##|America/Chicago|en|# Congress Avenue;# River Street;# Barton Road|30.2672|-97.7431
Denver|Colorado|CO|802##|US|30355501##|America/Denver|en|# Larimer Street;# Colfax Avenue;# Market Street|39.7392|-104.9903
Boston|Massachusetts|MA|021##|US|61755501##|America/New_York|en|# Beacon Street;# Tremont Street;# State Street|42.3601|-71.0589
San Francisco|California|CA|941##|US|41555501##|America/Los_Angeles|en|# Market Street;# Mission Street;# Valencia Street|37.7749|-122.4194
Toronto|Ontario|ON|M5V 2T6|CA|41655501##|America/Toronto|en|# Queen Street;# King Street;# Bloor Street|43.6532|-79.3832
Vancouver|British Columbia|BC|V6B 1A1|CA|60455501##|America/Vancouver|en|# Granville Street;# Robson Street;# Main Street|49.2827|-123.1207
London|England|ENG|SW1A 1AA|GB|2079460###|Europe/London|en|# Baker Street;# King's Road;# Mill Lane|51.5074|-0.1278
Manchester|England|ENG|M1 1AE|GB|1614960###|Europe/London|en|# Deansgate;# Oxford Road;# Canal Street|53.4808|-2.2426
Edinburgh|Scotland|SCT|EH1 1RE|GB|1314960###|Europe/London|en|# Princes Street;# George Street;# Rose Street|55.9533|-3.1883
Dublin|Leinster|L|D02 AF30|IE|1520####|Europe/Dublin|en|# Grafton Street;# Dame Street;# Mill Street|53.3498|-6.2603
Berlin|Berlin|BE|101##|DE|3023125###|Europe/Berlin|de|Lindenstraße;Kastanienallee;Torstraße|52.5200|13.4050
Hamburg|Hamburg|HH|203##|DE|4066969###|Europe/Berlin|de|Hafenstraße;Lange Reihe;Mühlenweg|53.5511|9.9937
Munich|Bavaria|BY|803##|DE|8999998###|Europe/Berlin|de|Gartenstraße;Sonnenstraße;Bergweg|48.1351|11.5820
Cologne|North Rhine-Westphalia|NW|506##|DE|2214710###|Europe/Berlin|de|Ehrenstraße;Domstraße;Am Rhein|50.9375|6.9603
Vienna|Vienna|9|10#0|AT|1555####|Europe/Vienna|de|Gartengasse;Ringstraße;Marktgasse|48.2082|16.3738
Salzburg|Salzburg|5|50#0|AT|662555###|Europe/Vienna|de|Mozartgasse;Bahnhofstraße;Seeweg|47.8095|13.0550
Zurich|Zurich|ZH|80##|CH|44555####|Europe/Zurich|de|Bahnhofstrasse;Seestrasse;Mühlegasse|47.3769|8.5417
Geneva|Geneva|GE|12##|CH|22555####|Europe/Zurich|fr|Rue du Lac;Rue du Marché;Quai du Rhône|46.2044|6.1432
Paris|Île-de-France|IDF|750##|FR|19900####|Europe/Paris|fr|# Rue de Rivoli;# Rue des Lilas;# Avenue Foch|48.8566|2.3522
Lyon|Auvergne-Rhône-Alpes|ARA|690##|FR|46571####|Europe/Paris|fr|# Rue Victor Hugo;# Rue du Lac;# Cours Lafayette|45.7640|4.8357
Bordeaux|Nouvelle-Aquitaine|NAQ|330##|FR|53639####|Europe/Paris|fr|# Rue Sainte-Catherine;# Quai des Chartrons;# Rue Fondaudège|44.8378|-0.5792
Madrid|Madrid|MD|280##|ES|91555####|Europe/Madrid|es|Calle Mayor;Calle de Alcalá;Gran Vía|40.4168|-3.7038
Barcelona|Catalonia|CT|080##|ES|93555####|Europe/Madrid|es|Carrer de Mallorca;Rambla de Catalunya;Carrer Gran|41.3874|2.1686
Rome|Lazio|62|001##|IT|06555####|Europe/Rome|it|Via Appia;Via del Corso;Via Nazionale|41.9028|12.4964
Milan|Lombardy|25|201##|IT|02555####|Europe/Rome|it|Via Dante;Via Torino;Corso Venezia|45.4642|9.1900
Lisbon|Lisbon|11|1100-###|PT|21555####|Europe/Lisbon|pt|Rua Augusta;Rua da Prata;Avenida da Liberdade|38.7223|-9.1393
Amsterdam|North Holland|NH|1012 AB|NL|20555####|Europe/Amsterdam|nl|Prinsengracht;Damrak;Vijzelstraat|52.3676|4.9041
Utrecht|Utrecht|UT|3511 LM|NL|30555####|Europe/Amsterdam|nl|Oudegracht;Biltstraat;Domplein|52.0907|5.1214
Brussels|Brussels|BRU|10#0|BE|2555####|Europe/Brussels|fr|Rue Neuve;Avenue Louise;Rue Royale|50.8503|4.3517
Stockholm|Stockholm|AB|111 ##|SE|8390060#|Europe/Stockholm|sv|Drottninggatan;Storgatan;Sveavägen|59.3293|18.0686
Copenhagen|Capital Region|84|21##|DK|3312####|Europe/Copenhagen|da|Nørregade;Vestergade;Strandvejen|55.6761|12.5683
Oslo|Oslo|03|015#|NO|2155####|Europe/Oslo|no|Storgata;Karl Johans gate;Parkveien|59.9139|10.7522
Kraków|Lesser Poland|12|30-###|PL|12555####|Europe/Warsaw|pl|Floriańska;Długa;Grodzka|50.0647|19.9450
Tokyo|Tokyo|13|100-00##|JP|35555####|Asia/Tokyo|ja|# Sakura Street;# Ginza Street;# Omotesando|35.6762|139.6503
Osaka|Osaka|27|530-00##|JP|65555####|Asia/Tokyo|ja|# Midosuji;# Umeda Street;# Namba Street|34.6937|135.5023
Sydney|New South Wales|NSW|200#|AU|25550####|Australia/Sydney|en|# George Street;# Pitt Street;# Harbour Street|-33.8688|151.2093
Melbourne|Victoria|VIC|300#|AU|35550####|Australia/Melbourne|en|# Collins Street;# Swanston Street;# Bourke Street|-37.8136|144.9631
Auckland|Auckland|AUK|101#|NZ|9555####|Pacific/Auckland|en|# Queen Street;# Ponsonby Road;# Victoria Street|-36.8509|174.7645
`
