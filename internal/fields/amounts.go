package fields

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

// cents are money of a magnitude.
type cents struct{ lo, hi int64 }

func (c cents) window(*formats.Faker, Place) Window { return Window{c.lo, c.hi, 100} }

func (c cents) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return decimal(c.lo + int64(f.IntN(int(c.hi-c.lo+1)))) })}
}

// hundreds are money in whole hundreds.
type hundreds struct{ lo, hi int64 }

func (h hundreds) in(f *formats.Faker) int64 { return h.lo/100 + int64(f.IntN(int((h.hi-h.lo)/100)+1)) }

func (h hundreds) window(f *formats.Faker, at Place) Window {
	n := 100 * h.in(f.Seed(at.Key))
	return Window{n, n, 1}
}

func (h hundreds) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return decimal(10_000 * h.in(f)) })}
}

const homeThings = "home property apartment house realestate listing showing"

// sums are rules for money by its magnitude, before those for any.
var sums = []rule{
	{names: "price listprice askingprice saleprice soldprice", under: homeThings, formats: "decimal", texts: hundreds{180_000, 890_000}, numbers: hundreds{180_000, 890_000}, units: true},
	{names: "amount offeramount", under: "offer bid", formats: "decimal", texts: hundreds{180_000, 890_000}, numbers: hundreds{180_000, 890_000}, units: true},
	{names: "soldprice propertyvalue homevalue appraisedvalue assessedvalue askingprice loanamount mortgageamount", formats: "decimal", texts: hundreds{180_000, 890_000}, numbers: hundreds{180_000, 890_000}, units: true},
	{names: "downpayment carprice vehicleprice dealamount dealvalue contractvalue opportunityamount principal loanprincipal", formats: "decimal", texts: hundreds{12_000, 48_000}, numbers: hundreds{12_000, 48_000}, units: true},
	{names: "outstandingbalance remainingprincipal remainingbalance earnestmoney", formats: "decimal", texts: hundreds{4_000, 11_000}, numbers: hundreds{4_000, 11_000}, units: true},
	{names: "amount value price", under: "deal opportunity contract", formats: "decimal", texts: hundreds{12_000, 48_000}, numbers: hundreds{12_000, 48_000}, units: true},
	{names: "salary basesalary annualsalary grosssalary salarymin minsalary yearlysalary netsalary compensation annualincome", formats: "decimal", texts: hundreds{38_000, 68_000}, numbers: hundreds{38_000, 68_000}, units: true},
	{names: "salarymax maxsalary", formats: "decimal", texts: hundreds{69_000, 112_000}, numbers: hundreds{69_000, 112_000}, units: true},
	{names: "budget budgetamount estimatedbudget totalbudget annualbudget revenue annualrevenue totalgross turnover salesvolume totalpayroll", formats: "decimal", texts: hundreds{120_000, 2_400_000}, numbers: hundreds{120_000, 2_400_000}, units: true},
	{names: "creditlimit overdraftlimit", formats: "decimal", texts: hundreds{500, 8_000}, numbers: hundreds{500, 8_000}, units: true},
	{names: "dailylimit spendinglimit transferlimit propertytaxannual annualpropertytax deductible", formats: "decimal", texts: hundreds{500, 3_000}, numbers: hundreds{500, 3_000}, units: true},
	{names: "coveragelimit coverageamount suminsured insuredvalue limitamount", formats: "decimal", texts: hundreds{20_000, 400_000}, numbers: hundreds{20_000, 400_000}, units: true},
	{names: "priceperkwh kwhprice", formats: "decimal", texts: cents{29, 79}, numbers: cents{29, 79}, units: true},
	{names: "priceperminute", formats: "decimal", texts: cents{5, 45}, numbers: cents{5, 45}, units: true},
	{names: "sessionfee startfee connectionfee", formats: "decimal", texts: cents{50, 250}, numbers: cents{50, 250}, units: true},
	{names: "fee", under: "reservation loan", formats: "decimal", texts: cents{150, 2_500}, numbers: cents{150, 2_500}, units: true},
	{names: "fine fineamount finedue finesowed finesdue outstandingfines latefee overduefee", formats: "decimal", texts: cents{50, 1_200}, numbers: cents{50, 1_200}, units: true},
	{names: "grosspay monthlysalary", formats: "decimal", texts: cents{280_000, 620_000}, numbers: cents{280_000, 620_000}, units: true},
	{names: "incometax monthlyinstallment monthlypayment installment", formats: "decimal", texts: cents{42_000, 120_000}, numbers: cents{42_000, 120_000}, units: true},
	{names: "socialsecurity pensioncontribution healthinsurance pension bonus overtimepay holidaypay", formats: "decimal", texts: cents{12_000, 48_000}, numbers: cents{12_000, 48_000}, units: true},
	{names: "monthlyrent rent", formats: "decimal", texts: cents{65_000, 240_000}, numbers: cents{65_000, 240_000}, units: true},
	{names: "price amount rent deposit", under: "lease rental apartment", formats: "decimal", texts: cents{65_000, 240_000}, numbers: cents{65_000, 240_000}, units: true},
	{names: "securitydeposit", formats: "decimal", texts: cents{130_000, 480_000}, numbers: cents{130_000, 480_000}, units: true},
	{names: "hoafee hoafeemonthly monthlyfee premium premiumamount insurancepremium", formats: "decimal", texts: cents{8_000, 42_000}, numbers: cents{8_000, 42_000}, units: true},
	{names: "nightlyrate pricepernight pricefrom roomrate rackrate ratepernight", formats: "decimal", texts: cents{7_900, 24_900}, numbers: cents{7_900, 24_900}, units: true},
	{names: "price baseprice rate", under: "room roomtype hotel", formats: "decimal", texts: cents{7_900, 24_900}, numbers: cents{7_900, 24_900}, units: true},
	{names: "dailyrate priceperday rateperday daily", formats: "decimal", texts: cents{2_900, 11_900}, numbers: cents{2_900, 11_900}, units: true},
	{names: "hourlywage hourlyrate wage hourlypay", formats: "decimal", texts: cents{1_350, 4_900}, numbers: cents{1_350, 4_900}, units: true},
	{names: "consultationfee", formats: "decimal", texts: cents{5_000, 18_000}, numbers: cents{5_000, 18_000}, units: true},
	{names: "deliveryfee servicefee bookingfee handlingfee transactionfee bankfee tip gratuity extraprice", formats: "decimal", texts: cents{150, 890}, numbers: cents{150, 890}, units: true},
	{names: "fee", under: "transfer transaction tickettype", formats: "decimal", texts: cents{150, 890}, numbers: cents{150, 890}, units: true},
	{names: "minimumorder minorder minimumordervalue minorderamount", formats: "decimal", texts: cents{1_000, 2_500}, numbers: cents{1_000, 2_500}, units: true},
	{names: "price baseprice cost unitprice", under: "dish menu menuitem food drink meal", formats: "decimal", texts: cents{240, 2_490}, numbers: cents{240, 2_490}, units: true},
	{names: "unitprice price", under: "orderline", formats: "decimal", texts: cents{240, 2_490}, numbers: cents{240, 2_490}, units: true},
	{names: "price amount", under: "fare", formats: "decimal", texts: cents{1_900, 24_000}, numbers: cents{1_900, 24_000}, units: true},
	{names: "price fare amount", under: "ticket pass", formats: "decimal", texts: cents{240, 8_900}, numbers: cents{240, 8_900}, units: true},
	{names: "price fee", under: "seat", formats: "decimal", texts: cents{900, 4_900}, numbers: cents{900, 4_900}, units: true},
	{names: "taxes tax", under: "booking reservation stay", formats: "decimal", texts: cents{900, 6_400}, numbers: cents{900, 6_400}, units: true},
	{names: "limit", under: "coverage", formats: "decimal", texts: hundreds{20_000, 400_000}, numbers: hundreds{20_000, 400_000}, units: true},
	{names: "totalnet", formats: "decimal", texts: hundreds{90_000, 900_000}, numbers: hundreds{90_000, 900_000}, units: true},
	{names: "totaltaxes2 totalwithholding", formats: "decimal", texts: hundreds{20_000, 60_000}, numbers: hundreds{20_000, 60_000}, units: true},
	{names: "totaltax", under: "run payrun payroll", formats: "decimal", texts: hundreds{20_000, 60_000}, numbers: hundreds{20_000, 60_000}, units: true},
	{names: "fare price amount", under: "journey trip ride", formats: "decimal", texts: cents{240, 890}, numbers: cents{240, 890}, units: true},
	{names: "price minprice", under: "tickettype ticketcategory event concert", formats: "decimal", texts: cents{1_800, 8_900}, numbers: cents{1_800, 8_900}, units: true},
	{names: "maxprice", under: "tickettype event concert", formats: "decimal", texts: cents{9_000, 16_900}, numbers: cents{9_000, 16_900}, units: true},
	{names: "cost costperunit price", under: "ingredient", formats: "decimal", texts: cents{120, 1_450}, numbers: cents{120, 1_450}, units: true},
	{names: "balance availablebalance currentbalance balanceafter openingbalance closingbalance accountbalance ytdnet", formats: "decimal", texts: cents{12_000, 640_000}, numbers: cents{12_000, 640_000}, units: true},
	{names: "ytdgross", formats: "decimal", texts: cents{640_000, 4_200_000}, numbers: cents{640_000, 4_200_000}, units: true},
	{names: "totalfare fare price baseprice amount", under: "booking flight fare itinerary", formats: "decimal", texts: cents{8_900, 64_000}, numbers: cents{8_900, 64_000}, units: true},
	{names: "amount estimatedamount approvedamount paidamount claimedamount claimamount", under: "claim", formats: "decimal", texts: cents{45_000, 480_000}, numbers: cents{45_000, 480_000}, units: true},
	{names: "estimatedamount approvedamount claimedamount claimamount paidamount estimateddamage", formats: "decimal", texts: cents{45_000, 480_000}, numbers: cents{45_000, 480_000}, units: true},
}

func decimal(cents int64) string {
	return strconv.FormatInt(cents/100, 10) + "." + strconv.FormatInt(cents/10%10, 10) + strconv.FormatInt(cents%10, 10)
}
