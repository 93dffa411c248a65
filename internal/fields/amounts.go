package fields

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

// sized is a rule for money of a magnitude, in cents.
func sized(lo, hi int64, under, names string) rule {
	numbers := scaled(lo, hi, 100)
	return rule{names: names, under: under, formats: "decimal", numbers: numbers, units: true,
		texts: []Maker{func(f *formats.Faker, at Place, _ string) string {
			cents := lo + int64(f.Seed(at.Key).IntN(int(hi-lo+1)))
			return decimal(cents)
		}}}
}

// thousands suggests money in whole hundreds.
func thousands(lo, hi int64, under, names string) rule {
	return rule{names: names, under: under, formats: "decimal", units: true,
		numbers: func(f *formats.Faker, at Place) Window {
			n := 100 * (lo/100 + int64(f.Seed(at.Key).IntN(int((hi-lo)/100)+1)))
			return Window{n, n, 1}
		},
		texts: []Maker{func(f *formats.Faker, at Place, _ string) string {
			return decimal(10_000 * (lo/100 + int64(f.Seed(at.Key).IntN(int((hi-lo)/100)+1))))
		}}}
}

const homeThings = "home property apartment house realestate listing showing"

// sums are rules for money by its magnitude, before those for any.
var sums = []rule{
	thousands(180_000, 890_000, homeThings, "price listprice askingprice saleprice soldprice"),
	thousands(180_000, 890_000, "offer bid", "amount offeramount"),
	thousands(180_000, 890_000, "", "soldprice propertyvalue homevalue appraisedvalue assessedvalue askingprice loanamount mortgageamount"),
	thousands(12_000, 48_000, "", "downpayment carprice vehicleprice dealamount dealvalue contractvalue opportunityamount principal loanprincipal"),
	thousands(4_000, 11_000, "", "outstandingbalance remainingprincipal remainingbalance earnestmoney"),
	thousands(12_000, 48_000, "deal opportunity contract", "amount value price"),
	thousands(38_000, 68_000, "", "salary basesalary annualsalary grosssalary salarymin minsalary yearlysalary netsalary compensation annualincome"),
	thousands(69_000, 112_000, "", "salarymax maxsalary"),
	thousands(120_000, 2_400_000, "", "budget budgetamount estimatedbudget totalbudget annualbudget revenue annualrevenue totalgross turnover salesvolume totalpayroll"),
	thousands(500, 8_000, "", "creditlimit overdraftlimit"),
	thousands(500, 3_000, "", "dailylimit spendinglimit transferlimit propertytaxannual annualpropertytax deductible"),
	thousands(20_000, 400_000, "", "coveragelimit coverageamount suminsured insuredvalue limitamount"),
	sized(29, 79, "", "priceperkwh kwhprice"),
	sized(5, 45, "", "priceperminute"),
	sized(50, 250, "", "sessionfee startfee connectionfee"),
	sized(150, 2_500, "reservation loan", "fee"),
	sized(50, 1_200, "", "fine fineamount finedue finesowed finesdue outstandingfines latefee overduefee"),
	sized(280_000, 620_000, "", "grosspay monthlysalary"),
	sized(42_000, 120_000, "", "incometax monthlyinstallment monthlypayment installment"),
	sized(12_000, 48_000, "", "socialsecurity pensioncontribution healthinsurance pension bonus overtimepay holidaypay"),
	sized(65_000, 240_000, "", "monthlyrent rent"),
	sized(65_000, 240_000, "lease rental apartment", "price amount rent deposit"),
	sized(130_000, 480_000, "", "securitydeposit"),
	sized(8_000, 42_000, "", "hoafee hoafeemonthly monthlyfee premium premiumamount insurancepremium"),
	sized(7_900, 24_900, "", "nightlyrate pricepernight pricefrom roomrate rackrate ratepernight"),
	sized(7_900, 24_900, "room roomtype hotel", "price baseprice rate"),
	sized(2_900, 11_900, "", "dailyrate priceperday rateperday daily"),
	sized(1_350, 4_900, "", "hourlywage hourlyrate wage hourlypay"),
	sized(5_000, 18_000, "", "consultationfee"),
	sized(150, 890, "", "deliveryfee servicefee bookingfee handlingfee transactionfee bankfee tip gratuity extraprice"),
	sized(150, 890, "transfer transaction tickettype", "fee"),
	sized(1_000, 2_500, "", "minimumorder minorder minimumordervalue minorderamount"),
	sized(240, 2_490, "dish menu menuitem food drink meal", "price baseprice cost unitprice"),
	sized(240, 2_490, "orderline", "unitprice price"),
	sized(1_900, 24_000, "fare", "price amount"),
	sized(240, 8_900, "ticket pass", "price fare amount"),
	sized(900, 4_900, "seat", "price fee"),
	sized(900, 6_400, "booking reservation stay", "taxes tax"),
	thousands(20_000, 400_000, "coverage", "limit"),
	thousands(90_000, 900_000, "", "totalnet"),
	thousands(20_000, 60_000, "", "totaltaxes2 totalwithholding"),
	thousands(20_000, 60_000, "run payrun payroll", "totaltax"),
	sized(240, 890, "journey trip ride", "fare price amount"),
	sized(1_800, 8_900, "tickettype ticketcategory event concert", "price minprice"),
	sized(9_000, 16_900, "tickettype event concert", "maxprice"),
	sized(120, 1_450, "ingredient", "cost costperunit price"),
	sized(12_000, 640_000, "", "balance availablebalance currentbalance balanceafter openingbalance closingbalance accountbalance ytdnet"),
	sized(640_000, 4_200_000, "", "ytdgross"),
	sized(8_900, 64_000, "booking flight fare itinerary", "totalfare fare price baseprice amount"),
	sized(45_000, 480_000, "claim", "amount estimatedamount approvedamount paidamount claimedamount claimamount"),
	sized(45_000, 480_000, "", "estimatedamount approvedamount claimedamount claimamount paidamount estimateddamage"),
}

func decimal(cents int64) string {
	return strconv.FormatInt(cents/100, 10) + "." + strconv.FormatInt(cents/10%10, 10) + strconv.FormatInt(cents%10, 10)
}
