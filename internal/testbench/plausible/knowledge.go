package main

import (
	"slices"
	"strings"
)

// countries has, for each country, its codes, its currency and some of its cities.
var countries = func() map[string]country {
	all := map[string]country{}
	for line := range strings.Lines(atlas) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 4 {
			continue
		}
		codes := strings.Fields(fields[1])
		c := country{name: strings.Split(fields[0], ";")[0], codes: codes, currency: fields[2], cities: strings.Split(fields[3], ";")}
		for _, name := range strings.Split(fields[0], ";") {
			all[strings.ToLower(name)] = c
		}
		for _, code := range codes {
			all[strings.ToLower(code)] = c
		}
	}
	return all
}()

type country struct {
	name, currency string
	codes, cities  []string
}

// atlas has a line for each country: names, codes (ISO 3166-1), currency (ISO 4217), large cities.
const atlas = `
United States;United States of America;USA|US USA|USD|New York;Los Angeles;Chicago;Houston;Phoenix;Philadelphia;San Antonio;San Diego;Dallas;Austin;San Jose;Jacksonville;Columbus;Charlotte;Indianapolis;San Francisco;Seattle;Denver;Washington;Boston;Nashville;Detroit;Portland;Las Vegas;Memphis;Baltimore;Milwaukee;Albuquerque;Tucson;Fresno;Sacramento;Kansas City;Atlanta;Miami;Omaha;Oakland;Minneapolis;Tulsa;Tampa;New Orleans;Cleveland;Honolulu;St. Louis;Pittsburgh;Cincinnati;Anchorage;Buffalo;Raleigh;Salt Lake City;Springfield;Brooklyn;Madison;Orlando;Arlington;Boulder;Mountain View;Palo Alto
Germany;Deutschland|DE DEU|EUR|Berlin;Hamburg;Munich;München;Cologne;Köln;Frankfurt;Frankfurt am Main;Stuttgart;Düsseldorf;Leipzig;Dresden;Hanover;Hannover;Nuremberg;Nürnberg;Bremen;Dortmund;Essen;Bonn;Heidelberg;Mannheim;Karlsruhe;Freiburg
France|FR FRA|EUR|Paris;Marseille;Lyon;Toulouse;Nice;Nantes;Strasbourg;Montpellier;Bordeaux;Lille;Rennes;Grenoble;Dijon;Reims
United Kingdom;Great Britain;England|GB GBR UK|GBP|London;Birmingham;Manchester;Leeds;Glasgow;Liverpool;Edinburgh;Bristol;Sheffield;Cardiff;Belfast;Leicester;Nottingham;Newcastle;Cambridge;Oxford;Brighton;York;Bath
Spain;España|ES ESP|EUR|Madrid;Barcelona;Valencia;Seville;Sevilla;Zaragoza;Málaga;Bilbao;Granada;Palma
Italy;Italia|IT ITA|EUR|Rome;Roma;Milan;Milano;Naples;Turin;Torino;Palermo;Genoa;Bologna;Florence;Firenze;Venice;Verona
Netherlands;The Netherlands|NL NLD|EUR|Amsterdam;Rotterdam;The Hague;Utrecht;Eindhoven;Groningen;Leiden;Delft;Haarlem
Belgium|BE BEL|EUR|Brussels;Antwerp;Ghent;Bruges;Liège;Leuven;Namur
Switzerland|CH CHE|CHF|Zurich;Zürich;Geneva;Basel;Bern;Lausanne;Lucerne;Winterthur;Lugano
Austria|AT AUT|EUR|Vienna;Wien;Graz;Linz;Salzburg;Innsbruck
Portugal|PT PRT|EUR|Lisbon;Lisboa;Porto;Braga;Coimbra;Faro
Ireland|IE IRL|EUR|Dublin;Cork;Galway;Limerick;Waterford
Poland|PL POL|PLN|Warsaw;Kraków;Krakow;Łódź;Wrocław;Wroclaw;Poznań;Gdańsk;Gdansk;Lublin
Czechia;Czech Republic|CZ CZE|CZK|Prague;Brno;Ostrava;Plzeň
Sweden|SE SWE|SEK|Stockholm;Gothenburg;Malmö;Uppsala;Lund
Norway|NO NOR|NOK|Oslo;Bergen;Trondheim;Stavanger
Denmark|DK DNK|DKK|Copenhagen;Aarhus;Odense;Aalborg
Finland|FI FIN|EUR|Helsinki;Espoo;Tampere;Turku;Oulu
Iceland|IS ISL|ISK|Reykjavik;Reykjavík
Hungary|HU HUN|HUF|Budapest;Debrecen;Szeged
Romania|RO ROU|RON|Bucharest;Cluj-Napoca;Timișoara;Iași
Bulgaria|BG BGR|BGN|Sofia;Plovdiv;Varna
Croatia|HR HRV|EUR|Zagreb;Split;Rijeka
Slovenia|SI SVN|EUR|Ljubljana;Maribor
Slovakia|SK SVK|EUR|Bratislava;Košice
Greece|GR GRC|EUR|Athens;Thessaloniki;Patras;Heraklion
Turkey;Türkiye|TR TUR|TRY|Istanbul;Ankara;Izmir;Antalya;Bursa
Ukraine|UA UKR|UAH|Kyiv;Lviv;Odesa;Kharkiv
Estonia|EE EST|EUR|Tallinn;Tartu
Latvia|LV LVA|EUR|Riga
Lithuania|LT LTU|EUR|Vilnius;Kaunas
Luxembourg|LU LUX|EUR|Luxembourg;Luxembourg City
Canada|CA CAN|CAD|Toronto;Montreal;Montréal;Vancouver;Calgary;Edmonton;Ottawa;Winnipeg;Quebec City;Québec;Hamilton;Halifax;Victoria
Mexico|MX MEX|MXN|Mexico City;Guadalajara;Monterrey;Puebla;Tijuana;Cancún;Mérida
Brazil;Brasil|BR BRA|BRL|São Paulo;Sao Paulo;Rio de Janeiro;Brasília;Salvador;Fortaleza;Belo Horizonte;Curitiba;Recife;Porto Alegre
Argentina|AR ARG|ARS|Buenos Aires;Córdoba;Rosario;Mendoza
Chile|CL CHL|CLP|Santiago;Valparaíso;Concepción
Colombia|CO COL|COP|Bogotá;Medellín;Cali;Cartagena
Peru|PE PER|PEN|Lima;Cusco;Arequipa
Japan|JP JPN|JPY|Tokyo;Osaka;Kyoto;Yokohama;Nagoya;Sapporo;Kobe;Fukuoka;Sendai;Hiroshima
China|CN CHN|CNY|Beijing;Shanghai;Guangzhou;Shenzhen;Chengdu;Hangzhou;Wuhan;Nanjing
South Korea;Korea, Republic of|KR KOR|KRW|Seoul;Busan;Incheon;Daegu;Daejeon
India|IN IND|INR|Mumbai;Delhi;New Delhi;Bangalore;Bengaluru;Hyderabad;Chennai;Kolkata;Pune;Jaipur;Ahmedabad
Singapore|SG SGP|SGD|Singapore
Thailand|TH THA|THB|Bangkok;Chiang Mai;Phuket
Vietnam|VN VNM|VND|Hanoi;Ho Chi Minh City;Da Nang
Indonesia|ID IDN|IDR|Jakarta;Surabaya;Bandung;Denpasar
Malaysia|MY MYS|MYR|Kuala Lumpur;Penang;Johor Bahru
Philippines|PH PHL|PHP|Manila;Cebu City;Davao City;Quezon City
Taiwan|TW TWN|TWD|Taipei;Kaohsiung;Taichung
Hong Kong|HK HKG|HKD|Hong Kong
Australia|AU AUS|AUD|Sydney;Melbourne;Brisbane;Perth;Adelaide;Canberra;Hobart;Darwin;Gold Coast
New Zealand|NZ NZL|NZD|Auckland;Wellington;Christchurch;Hamilton;Dunedin
South Africa|ZA ZAF|ZAR|Cape Town;Johannesburg;Durban;Pretoria
Egypt|EG EGY|EGP|Cairo;Alexandria;Giza
Morocco|MA MAR|MAD|Casablanca;Rabat;Marrakesh;Fez
Kenya|KE KEN|KES|Nairobi;Mombasa;Kisumu
Nigeria|NG NGA|NGN|Lagos;Abuja;Kano;Ibadan
Ghana|GH GHA|GHS|Accra;Kumasi
Israel|IL ISR|ILS|Tel Aviv;Jerusalem;Haifa
United Arab Emirates|AE ARE|AED|Dubai;Abu Dhabi;Sharjah
Saudi Arabia|SA SAU|SAR|Riyadh;Jeddah;Mecca
Uruguay|UY URY|UYU|Montevideo
Costa Rica|CR CRI|CRC|San José;San Jose
Ecuador|EC ECU|USD|Quito;Guayaquil
`

// fileTypes are the media types of files by the end of their names.
var fileTypes = map[string][]string{
	"pdf": {"application/pdf"}, "png": {"image/png"}, "jpg": {"image/jpeg", "image/jpg"}, "jpeg": {"image/jpeg", "image/jpg"},
	"gif": {"image/gif"}, "csv": {"text/csv"}, "txt": {"text/plain"}, "html": {"text/html"}, "zip": {"application/zip"},
	"docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	"xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
}

func isCountry(text string) bool { return countries[strings.ToLower(text)].name != "" }

func isCity(text string) bool {
	for _, c := range countries {
		if slices.Contains(c.cities, text) {
			return true
		}
	}
	return false
}

func isCurrency(text string) bool {
	for _, c := range countries {
		if strings.EqualFold(c.currency, text) {
			return true
		}
	}
	return false
}

var (
	languageCodes = listed(`en de fr es it nl pt ja zh ko sv no nb da fi pl cs hu ro tr uk ru ar he hi th vi id el bg hr sk sl et lv lt
		english german french spanish italian dutch portuguese japanese chinese korean swedish norwegian danish finnish polish czech
		hungarian romanian turkish ukrainian russian arabic hebrew hindi thai vietnamese indonesian greek
		go python javascript typescript java ruby rust c c++ c# php swift kotlin scala shell html css eng deu fra spa ita jpn`)
	states = listed(`alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana
		iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada
		ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming bavaria bayern hesse saxony
		ontario quebec québec alberta manitoba columbia victoria queensland tasmania scotland wales catalonia lombardy tuscany normandy brittany
		provence dakota york jersey hampshire carolina mexico island andalusia hokkaido flanders tyrol zealand skåne munster leinster bihar kerala punjab gujarat holland saskatchewan
		capital brandenburg thuringia hamburg berlin vienna salzburg styria zurich geneva bern vaud burgundy piedmont veneto sicily lazio galicia`)
	statuses = listed(`active inactive pending open closed completed complete done failed success succeeded ok error queued running
		processing processed paid unpaid shipped delivered cancelled canceled refunded draft published archived enabled disabled approved
		rejected accepted declined new in_progress in-progress inprogress started stopped paused finished created available unavailable
		online offline healthy ready waiting blocked suspended expired verified unverified confirmed unconfirmed placed sold scheduled
		resolved assigned review deleted trial past_due live connected disconnected merged building deployed idle up down passing sent
		received settled authorized captured operational degraded expended`)
	roles = listed(`admin administrator owner member user editor viewer guest moderator manager developer maintainer contributor author
		reader writer customer support operator analyst auditor billing superuser staff agent employee read write maintain triage
		collaborator subscriber teacher student`)
	household = listed(`acorn anchor apple arrow basket beacon birch bridge button cable candle canvas cedar circle clover cloud comet
		coral cotton crystal daisy ember engine fable feather fern field flint forest fountain garden glacier granite harbor hazel hollow
		island ivory jasmine juniper kettle ladder lagoon lantern laurel lemon lily linen maple marble meadow mirror moss mountain needle
		nettle oak ocean olive orchard paper pebble pepper pine planet plum pocket prairie quartz quill rain raven ribbon river rocket rose
		saffron sage sail shadow shore silver sparrow spruce stone summit thistle timber trail tulip valley velvet violet walnut willow
		winter alpha bravo charlie delta echo foxtrot lorem ipsum dolor amet tree flower table chair window lamp spoon bird fish horse
		grass leaf sand snow wind storm moon star sun hill lake pond creek brook dawn dusk bell boat bottle bowl box brush bucket coat cup
		door drum fence glass glove hat house key knife nail pencil pillow plate road rope shirt shoe string sword tower wall wheel`)
)

func listed(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

func isLanguage(text string) bool {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(text, "_", "-")), "-")
	return languageCodes[base]
}

func isState(text string) bool { return isRegion(text) || statuses[strings.ToLower(text)] }

func isRegion(text string) bool {
	lower := strings.ToLower(text)
	words := strings.Fields(lower)
	isCode := len(text) == 2 && strings.ToUpper(text) == text || strings.Contains(text, "-")
	return isCode || isCountry(text) || isCity(text) || len(words) > 0 && (states[words[0]] || states[words[len(words)-1]])
}

func isStatus(text string) bool {
	lower := strings.ToLower(strings.ReplaceAll(text, " ", "_"))
	return statuses[lower] || statuses[strings.ReplaceAll(lower, "_", "")]
}

func isRole(text string) bool {
	isBetween := func(r rune) bool { return strings.ContainsRune("_- :", r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), isBetween) {
		if roles[word] {
			return true
		}
	}
	return false
}

func isHouseholdWord(word string) bool { return household[word] }
