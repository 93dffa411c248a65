package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/nearest"
)

// faker says what stands for functions of faker.js (https://fakerjs.dev/api/): one of its fields.
type faker struct {
	names   string // the present name first, then earlier and near ones
	field   string // the property whose rule in package fields writes it
	of      string // the thing that has the property
	call    string // the function of gofakeit
	oneOf   string // texts, separated by "|"
	pattern string // see fields.Patterns
	numbers fields.Window
	advice  string // what to write instead
}

// fakers is the table of all names that x-faker and faker may have, besides the functions of gofakeit and the things
// of package fields.
var fakers = []faker{
	{names: "person.firstName name.firstName", field: "firstName", of: "person"},
	{names: "person.lastName name.lastName", field: "lastName", of: "person"},
	{names: "person.middleName name.middleName", field: "middleName", of: "person"},
	{names: "person.fullName name.fullName name.findName name.name", field: "fullName", of: "person"},
	{names: "person.gender name.gender person.sex name.sex person.sexType", field: "gender"},
	{names: "person.prefix name.prefix", field: "title", of: "person"},
	{names: "person.suffix name.suffix", call: "namesuffix"},
	{names: "person.jobTitle name.jobTitle name.title", field: "jobTitle"},
	{names: "person.jobType name.jobType", call: "job"},
	{names: "person.jobArea name.jobArea", oneOf: "Engineering|Sales|Marketing|Finance|Human Resources|Customer Support|Operations|Legal"},
	{names: "person.jobDescriptor name.jobDescriptor", call: "jobdescriptor"},
	{names: "person.bio", call: "bio"},
	{names: "person.zodiacSign name.zodiacSign", oneOf: "Aries|Taurus|Gemini|Cancer|Leo|Virgo|Libra|Scorpio|" +
		"Sagittarius|Capricorn|Aquarius|Pisces"},

	{names: "location.city address.city address.cityName", field: "city"},
	{names: "location.country address.country", field: "country"},
	{names: "location.countryCode address.countryCode", field: "countryCode"},
	{names: "location.state address.state address.stateAbbr location.county address.county", field: "state", of: "address"},
	{names: "location.street address.streetName address.street", call: "streetname"},
	{names: "location.streetAddress address.streetAddress", field: "street"},
	{names: "location.secondaryAddress address.secondaryAddress", pattern: "Apt. ##"},
	{names: "location.buildingNumber address.buildingNumber", call: "streetnumber"},
	{names: "location.zipCode address.zipCode address.zipCodeByState", field: "postalCode"},
	{names: "location.latitude address.latitude", field: "latitude"},
	{names: "location.longitude address.longitude", field: "longitude"},
	{names: "location.timeZone address.timeZone date.timeZone", field: "timeZone"},
	{names: "location.direction address.direction location.cardinalDirection address.cardinalDirection " +
		"location.ordinalDirection address.ordinalDirection", oneOf: "North|East|South|West"},
	{names: "location.continent", oneOf: "Africa|Asia|Europe|North America|South America|Oceania"},
	{names: "location.language", call: "language"},

	{names: "phone.number phone.phoneNumber phone.phoneNumberFormat phone.phoneFormats", field: "phone"},
	{names: "phone.imei", pattern: "##-######-######-#"},

	{names: "internet.email internet.exampleEmail", field: "email", of: "person"},
	{names: "internet.username internet.displayName", field: "username", of: "person"},
	{names: "internet.password", field: "password"},
	{names: "internet.url", field: "url"},
	{names: "internet.domainName", field: "domain"},
	{names: "internet.domainWord lorem.slug helpers.slugify", field: "slug"},
	{names: "internet.domainSuffix", call: "domainsuffix"},
	{names: "internet.ipv4 internet.ip", call: "ipv4address"},
	{names: "internet.ipv6", call: "ipv6address"},
	{names: "internet.mac", call: "macaddress"},
	{names: "internet.port", numbers: fields.Window{Lo: 1024, Hi: 65535, Scale: 1}},
	{names: "internet.protocol", oneOf: "http|https"},
	{names: "internet.httpMethod", call: "httpmethod"},
	{names: "internet.httpStatusCode", call: "httpstatuscodesimple"},
	{names: "internet.userAgent", call: "useragent"},
	{names: "internet.emoji", call: "emoji"},
	{names: "internet.color color.rgb color.hex", call: "hexcolor"},
	{names: "color.human vehicle.color commerce.color", call: "color"},
	{names: "image.avatar internet.avatar image.avatarGitHub image.personPortrait", field: "avatarUrl"},
	{names: "image.url image.imageUrl image.image image.urlLoremFlickr image.urlPicsumPhotos image.urlPlaceholder " +
		"image.abstract image.animals image.business image.cats image.city image.food image.nature image.people",
		field: "imageUrl"},

	{names: "company.name company.companyName", field: "companyName"},
	{names: "company.companySuffix company.suffixes", call: "companysuffix"},
	{names: "company.catchPhrase", call: "slogan"},
	{names: "company.buzzPhrase company.bs", call: "bs"},
	{names: "company.buzzNoun company.buzzVerb company.buzzAdjective company.bsNoun company.bsBuzz", call: "buzzword"},
	{names: "commerce.productName commerce.product", call: "productname"},
	{names: "commerce.productDescription", call: "productdescription"},
	{names: "commerce.productMaterial", call: "productmaterial"},
	{names: "commerce.productAdjective", call: "adjectivedescriptive"},
	{names: "commerce.department", call: "productcategory"},
	{names: "commerce.price", field: "price"},
	{names: "commerce.isbn", call: "productisbn"},
	{names: "commerce.upc", call: "productupc"},

	{names: "finance.accountNumber finance.account", field: "accountNumber"},
	{names: "finance.accountName", oneOf: "Checking Account|Savings Account|Credit Card Account|Investment Account"},
	{names: "finance.amount", field: "amount"},
	{names: "finance.bic", pattern: "@@@@DE@@"},
	{names: "finance.iban", field: "iban"},
	{names: "finance.routingNumber", field: "routingNumber"},
	{names: "finance.bitcoinAddress", call: "bitcoinaddress"},
	{names: "finance.creditCardNumber", call: "creditcardnumber"},
	{names: "finance.creditCardCVV", call: "creditcardcvv"},
	{names: "finance.creditCardIssuer", call: "creditcardtype"},
	{names: "finance.currencyCode finance.currency", field: "currency"},
	{names: "finance.currencyName", call: "currencylong"},
	{names: "finance.currencySymbol", oneOf: "$|€|£|¥"},
	{names: "finance.pin finance.maskedNumber finance.mask", pattern: "####"},
	{names: "finance.transactionType", oneOf: "deposit|withdrawal|payment|invoice"},

	{names: "date.past date.recent date.between date.betweens date.anytime git.commitDate", field: "createdAt"},
	{names: "date.future date.soon", field: "expiresAt"},
	{names: "date.birthdate", field: "birthday"},
	{names: "date.month", call: "monthstring"},
	{names: "date.weekday", call: "weekday"},

	{names: "lorem.word random.word word.noun", call: "noun"},
	{names: "lorem.words random.words word.words word.sample", call: "phrase"},
	{names: "lorem.sentence lorem.sentences lorem.lines lorem.text", call: "sentence"},
	{names: "lorem.paragraph lorem.paragraphs", call: "paragraph"},
	{names: "word.verb", call: "verb"},
	{names: "word.adjective", call: "adjective"},
	{names: "word.adverb", call: "adverb"},
	{names: "word.preposition", call: "preposition"},
	{names: "word.conjunction", call: "connective"},
	{names: "word.interjection", call: "interjection"},

	{names: "number.int datatype.number random.number number.bigInt datatype.bigInt",
		numbers: fields.Window{Lo: 0, Hi: 99999, Scale: 1}},
	{names: "number.float datatype.float random.float", numbers: fields.Window{Lo: 0, Hi: 100_00, Scale: 100}},
	{names: "datatype.boolean random.boolean", call: "bool"},
	{names: "string.uuid datatype.uuid random.uuid", call: "uuid"},
	{names: "string.alpha random.alpha", pattern: "@"},
	{names: "string.alphanumeric random.alphaNumeric datatype.string string.sample", pattern: "**********"},
	{names: "string.numeric random.numeric", pattern: "#"},
	{names: "string.hexadecimal datatype.hexadecimal git.commitSha", pattern: "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%"},
	{names: "string.nanoid", pattern: "*********************"},
	{names: "database.mongodbObjectId", pattern: "%%%%%%%%%%%%%%%%%%%%%%%%"},
	{names: "git.branch", field: "branch"},
	{names: "git.shortSha", pattern: "%%%%%%%"},
	{names: "git.commitMessage", oneOf: "Fix rounding of totals|Add a test for empty lists|Update the changelog|Remove dead code|Validate the delivery address|Bump version"},

	{names: "system.fileName system.commonFileName", field: "fileName"},
	{names: "system.fileExt system.commonFileExt", field: "extension"},
	{names: "system.filePath system.directoryPath", field: "path"},
	{names: "system.mimeType", field: "mimeType"},
	{names: "system.semver", field: "version"},

	{names: "animal.type", call: "animal"},
	{names: "animal.petName", call: "petname"},
	{names: "animal.dog", call: "dog"},
	{names: "animal.cat", call: "cat"},
	{names: "animal.bird", call: "bird"},
	{names: "airline.flightNumber", call: "airlineflightnumber"},
	{names: "airline.seat", call: "airlineseat"},
	{names: "airline.recordLocator", call: "airlinerecordlocator"},
	{names: "airline.aircraftType", call: "airlineaircrafttype"},
	{names: "book.title", call: "booktitle"},
	{names: "book.author", call: "bookauthor"},
	{names: "book.genre", call: "bookgenre"},
	{names: "food.dish", call: "dinner"},
	{names: "food.fruit", call: "fruit"},
	{names: "food.vegetable food.ingredient", call: "vegetable"},
	{names: "hacker.abbreviation", call: "hackerabbreviation"},
	{names: "hacker.adjective", call: "hackeradjective"},
	{names: "hacker.ingverb", call: "hackeringverb"},
	{names: "hacker.noun", call: "hackernoun"},
	{names: "hacker.phrase", call: "hackerphrase"},
	{names: "hacker.verb", call: "hackerverb"},
	{names: "music.genre", call: "songgenre"},
	{names: "music.songName", call: "songname"},
	{names: "music.artist", call: "songartist"},
	{names: "vehicle.manufacturer", call: "carmaker"},
	{names: "vehicle.model vehicle.vehicle", call: "carmodel"},
	{names: "vehicle.type", call: "cartype"},
	{names: "vehicle.fuel", call: "carfueltype"},
	{names: "vehicle.vin", pattern: "@@#@@##@#@#######"},
	{names: "vehicle.vrm", pattern: "@@##@@@"},

	{names: "helpers.arrayElement helpers.arrayElements helpers.enumValue helpers.objectValue random.arrayElement " +
		"helpers.weightedArrayElement helpers.randomize", advice: "give the values as a list: x-coldframe-value: [a, b]"},
	{names: "helpers.fake fake helpers.mustache helpers.replaceSymbols helpers.replaceSymbolWithNumber " +
		"helpers.fromRegExp helpers.regexpStyleStringParse",
		advice: "give the form as a pattern in the schema, or the values as a list: x-coldframe-value: [a, b]"},
}

var fakersByName = func() map[string]*faker {
	byName := map[string]*faker{}
	for i := range fakers {
		for name := range strings.FieldsSeq(fakers[i].names) {
			byName[strings.ToLower(name)] = &fakers[i]
		}
	}
	return byName
}()

// findFaker returns what stands for a name, in any case: a name of faker.js, a thing that package fields knows, whose
// names are meant then, or a function of gofakeit behind anything with a dot. The error says what to write.
func findFaker(name string) (*faker, error) {
	f, lower := fakersByName[strings.ToLower(name)], strings.ToLower(name)
	function := lower[strings.LastIndexByte(lower, '.')+1:]
	if f == nil && !strings.Contains(name, ".") && fields.Named(name).IsKnown() {
		return &faker{field: "name", of: name}, nil
	}
	if f == nil {
		if _, ok := formats.NewFaker().Seed(1).Call(function); ok {
			return &faker{call: function}, nil
		}
		return nil, fmt.Errorf("%s is no function of faker.js that is known%s", quote(name), suggest(name))
	}
	if f.advice != "" {
		return nil, fmt.Errorf("%s needs arguments, which are not read; %s", quote(name), f.advice)
	}
	return f, nil
}

// suggest returns the nearest name, or some of the same module.
func suggest(name string) string {
	all := slices.Sorted(maps.Keys(fakersByName))
	if near := nearest.Word(strings.ToLower(name), all, max(2, len(name)/3)); near != "" {
		return "; did you mean " + quote(spelt(near)) + "?"
	}
	module, _, _ := strings.Cut(strings.ToLower(name), ".")
	var same []string
	for _, known := range all {
		if strings.HasPrefix(known, module+".") && fakersByName[known].advice == "" && len(same) < 8 {
			same = append(same, spelt(known))
		}
	}
	if same != nil {
		return "; there are " + strings.Join(same, ", ")
	}
	return "; write one such as person.fullName, internet.email, commerce.price, lorem.sentence, date.past"
}

// spelt returns a name as the table has it.
func spelt(lower string) string {
	for name := range strings.FieldsSeq(fakersByName[lower].names) {
		if strings.EqualFold(name, lower) {
			return name
		}
	}
	return lower
}
