package fields

import (
	"strings"
	"sync"
)

// currencies are the ISO 4217 codes of currencies with the ISO 3166-1 codes of the countries that have them.
const currencies = `
EUR AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK
USD AS EC GU MH MP PR PW SV TL UM US VG VI
GBP GB GG IM JE
AUD AU KI NR TV
NZD CK NU NZ TK
XOF BF BJ CI GW ML NE SN TG
XAF CF CG CM GA GQ TD
XCD AG DM GD KN LC VC
CHF CH LI
DKK DK FO GL
NOK NO SJ
ZAR ZA
AED AE|ALL AL|AMD AM|AOA AO|ARS AR|AZN AZ|BAM BA|BBD BB|BDT BD|BHD BH|BMD BM|BND BN|BOB BO|BRL BR|BSD BS|BWP BW|BZD BZ
CAD CA|CLP CL|CNY CN|COP CO|CRC CR|CVE CV|CZK CZ|DOP DO|DZD DZ|EGP EG|ETB ET|FJD FJ|GEL GE|GHS GH|GTQ GT|GYD GY|HKD HK
HNL HN|HUF HU|IDR ID|ILS IL|INR IN|IQD IQ|ISK IS|JMD JM|JOD JO|JPY JP|KES KE|KGS KG|KHR KH|KRW KR|KWD KW|KZT KZ|LAK LA
LBP LB|LKR LK|LSL LS|MAD MA|MDL MD|MGA MG|MKD MK|MMK MM|MNT MN|MOP MO|MUR MU|MVR MV|MWK MW|MXN MX|MYR MY|MZN MZ|NAD NA
NGN NG|NIO NI|NPR NP|OMR OM|PAB PA|PEN PE|PGK PG|PHP PH|PKR PK|PLN PL|PYG PY|QAR QA|RON RO|RSD RS|RUB RU|RWF RW|SAR SA
SCR SC|SEK SE|SGD SG|SZL SZ|THB TH|TND TN|TRY TR|TTD TT|TWD TW|TZS TZ|UAH UA|UGX UG|UYU UY|UZS UZ|VND VN|ZMW ZM
`

var currencyOf = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for line := range strings.FieldsFuncSeq(currencies, func(r rune) bool { return r == '\n' || r == '|' }) {
		words := strings.Fields(line)
		for _, country := range words[1:] {
			of[country] = words[0]
		}
	}
	return of
})

// Currency returns the ISO 4217 code of the currency of a country, which is named by its ISO 3166-1 code of two
// letters; "" if it is not known.
func Currency(country string) string { return currencyOf()[strings.ToUpper(country)] }
