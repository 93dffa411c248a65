package fields

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

// taxNumbers are the forms of the tax numbers of companies by country: in Europe those of value added tax.
var taxNumbers = map[string]string{
	"AT": "ATU########", "FR": "FR###########", "GB": "GB#########", "NL": "NL#########B##", "ES": "ESB########", "IT": "IT###########", "BE": "BE0#########",
	"PT": "PT#########", "SE": "SE##########01", "DK": "DK########", "PL": "PL##########", "IE": "IE#######@", "CH": "CHE-###.###.###",
	"NO": "#########MVA", "US": "##-#######", "CA": "#########", "AU": "###########", "NZ": "#########", "JP": "T#############",
}

// accounts are the forms of account numbers behind the check digits of an IBAN, by country. Source: ISO 13616.
var accounts = map[string]string{
	"DE": "##################", "NL": "EXBK##########", "ES": "####################", "FR": "#######################", "AT": "################",
	"BE": "############", "CH": "#################", "IT": "X######################", "PT": "#####################", "IE": "EXBK##############",
	"GB": "EXBK##############", "PL": "########################", "SE": "####################", "DK": "##############", "NO": "###########",
}

// iban writes an account's number with valid check digits, of the country where the object is.
func iban(f *formats.Faker, at Place, _ string) string {
	country := townOf(f, at).code
	f.Seed(at.Key)
	if accounts[country] == "" {
		country = pick(f, "DE", "NL", "ES")
	}
	account := pattern(accounts[country])(f)
	remainder := 0
	for _, c := range account + country + "00" {
		if c >= 'A' {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		} else {
			remainder = (remainder*10 + int(c-'0')) % 97
		}
	}
	check := 98 - remainder
	return country + strconv.Itoa(check/10) + strconv.Itoa(check%10) + account
}

// withEAN appends the check digit of EAN-8, UPC-A, EAN-13 and GTIN-14. Source: GS1 General Specifications 7.9.
func withEAN(digits string) string {
	sum := 0
	for i := range digits {
		weight := 1
		if (len(digits)-i)%2 == 1 {
			weight = 3
		}
		sum += weight * int(digits[i]-'0')
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

// withLuhn appends the check digit of card numbers and IMEIs. Source: ISO/IEC 7812-1 annex B.
func withLuhn(digits string) string {
	sum := 0
	for i := range digits {
		d := int(digits[i] - '0')
		if (len(digits)-i)%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

// isbn10 appends the check digit of ISBN-10. Source: ISO 2108.
func isbn10(digits string) string {
	sum := 0
	for i := range digits {
		sum += (10 - i) * int(digits[i]-'0')
	}
	if check := (11 - sum%11) % 11; check < 10 {
		return digits + strconv.Itoa(check)
	}
	return digits + "X"
}

// issn writes eight digits with a valid last one. Source: ISO 3297.
func issn(f *formats.Faker) string {
	digits := pattern("2###" + "###")(f)
	sum := 0
	for i := range digits {
		sum += (8 - i) * int(digits[i]-'0')
	}
	last := "X"
	if check := (11 - sum%11) % 11; check < 10 {
		last = strconv.Itoa(check)
	}
	return digits[:4] + "-" + digits[4:] + last
}

const vinLetters = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"

// vin writes a vehicle's number with a valid ninth character. Source: ISO 3779, 49 CFR 565.
func vin(f *formats.Faker) string {
	const values = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ"
	weights := [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	b := []byte("1HG" + formats.Letters(f, 8, vinLetters) + formats.Letters(f, 6, formats.Digits))
	sum := 0
	for i, c := range b {
		for v := range values {
			if values[v] == c {
				sum += weights[i] * (v % 10)
			}
		}
	}
	b[8] = "0123456789X"[sum%11]
	return string(b)
}

// checked are patterns, separated by spaces, whose check digit is worked out.
type checked struct {
	with    func(string) string
	layouts string
}

func (c checked) makers([]string, Thing) []Maker {
	var all []Maker
	for layout := range strings.FieldsSeq(c.layouts) {
		write := pattern(layout)
		all = append(all, writing(func(f *formats.Faker) string { return c.with(write(f)) }))
	}
	return all
}

var finance = []rule{
	{names: "iban ibannumber internationalbankaccountnumber", phrases: "international bank account number|iban", texts: Maker(iban)},
	{names: "bic businessidentifiercode bankidentifiercode swift swiftcode biccode bicswift swiftbic", phrases: "bic code|swift code|bank identifier " +
		"code", texts: inPlace(func(t *town) string { return "EXBK" + t.code + "FF" })},
	{names: "accountnumber bankaccountnumber accountno bankaccount accountidentifier",
		texts: patterns("00########")},
	{names: "routingnumber aba routing bankcode branchcode", texts: patterns("02100####")},
	{names: "sortcode", texts: patterns("20-##-##")},
	{names: "bsb", texts: patterns("062-0##")},
	{names: "accountname bankaccountname", texts: oneOf("Main Operating Account|Business Current Account|" +
		"Savings|Petty Cash")},
	{names: "cardnumber creditcardnumber ccnumber ccnum pan primaryaccountnumber", texts: checked{withLuhn, "411111######### 378282########"}},
	{names: "maskedcardnumber maskednumber maskedpan cardsummary", texts: patterns("XXXX XXXX XXXX ####")},
	{names: "last4 lastfour last4digits lastfourdigits cardlast4 lastdigits lastchars accountnumbersuffix accountsuffix cardsuffix", phrases: "last 4 digits|last four digits|last few digits",
		texts: patterns("####")},
	{names: "=bin cardbin issuerbin iin", phrases: "bank identification number", texts: patterns("41####")},
	{names: "cvc cvv cvv2 securitycode cardcode cid", texts: patterns("###")},
	{names: "cardbrand cardtype cardscheme", texts: oneOf("visa|mastercard|amex|maestro")},
	{names: "=brand =scheme", under: "card", texts: oneOf("visa|mastercard|amex")},
	{names: "expirymonth expmonth expirationmonth", numbers: between(1, 12), texts: oneOf("03|06|09|11|12")},
	{names: "expiryyear expyear expirationyear", numbers: between(2027, 2031), texts: oneOf("2027|2028|2029|2030")},
	{names: "cardexpiry", texts: oneOf("03/28|09/27|11/29")},
	{names: "eci", texts: oneOf("05|02|07")},
	{names: "cavv xid ucaf", texts: writes(func(f *formats.Faker) string { return "AAAB" + pattern("%%%%%%%%%%%%%%%%%%%%")(f) + "AAA=" }), formats: "byte base64"},
	{names: "mcc merchantcategorycode categorycode", phrases: "merchant category code", texts: oneOf("5411|5732|" +
		"5812|7372|5999|4121"), numbers: between(5411, 5999)},
	{names: "taxid taxnumber vatnumber vatid vat taxidnumber tin ein taxregistrationnumber " +
		"vatregistrationnumber", texts: Maker(func(f *formats.Faker, at Place, _ string) string {
		form := cmp.Or(taxNumbers[townOf(f, at).code], "DE#########")
		return pattern(form)(f.Seed(at.Key))
	})},
	{names: "registrationnumber companynumber companyregistrationnumber licensenumber licencenumber " +
		"passportnumber idnumber nationalid " +
		"socialsecuritynumber ssn abn documentno drivinglicensenumber identitynumber",
		texts: patterns("@########")},
	{names: "lei", texts: patterns("529900@@@@@@@@@@@@##")},
	{names: "isbn isbn13", texts: checked{withEAN, "978######0##"}, phrases: "isbn"},
	{names: "isbn10", texts: checked{isbn10, "3########"}},
	{names: "issn", texts: writes(issn)},
	{names: "ean ean13 gtin gtin13 barcode upcean", texts: checked{withEAN, "40########0# 40####0"},
		phrases: "ean-13|european article number|barcode"},
	{names: "upc upca gtin12", texts: checked{withEAN, "0#########0"}, phrases: "universal product code"},
	{names: "vin", texts: writes(vin), phrases: "vehicle identification number"},
	{names: "licenseplate licenceplate numberplate plate", texts: patterns("B @@ ###")},
	{names: "imei", texts: checked{withLuhn, "35#########01#"}},
	{names: "imsi", texts: patterns("26201##########")},
	{names: "iccid", texts: patterns("8949############")},
	{names: "isrc", phrases: "international standard recording code", texts: patterns("DEA##25#####")},
	{names: "iswc", texts: patterns("T-###.###.###-#")},
	{names: "stocksymbol ticker tickersymbol", texts: oneOf("NWND|BRWT|OAKF|KSTR")},
	{names: "=symbol", texts: oneOf("NWND|BRWT|OAKF|KSTR")},
	{names: "accountcode ledgercode glcode", texts: patterns("4##0")},
	{names: "authcode authorizationcode approvalcode", texts: patterns("######")},
	{names: "avsresultcode cvcresultcode avsresult cvcresult", texts: oneOf("Y|M|Z")},
	{names: "statementdescriptor statementdescription softdescriptor shopperstatement", texts: oneOf("NORTHWIND " +
		"TRADING|OAKFIELD FOODS|LAKESIDE MEDIA")},
	{names: "mandateid mandatereference", texts: patterns("MD-####-@@##")},
}
