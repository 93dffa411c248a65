package fields

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

func productName(f *formats.Faker) string {
	return pick(f, "Oak", "Linen", "Walnut", "Steel", "Wool", "Ceramic", "Leather", "Bamboo", "Cotton",
		"Glass", "Cork", "Copper") + " " +
		pick(f, "Desk", "Travel", "Garden", "Kitchen", "Wall", "Floor", "Reading", "Office", "Table",
			"Camping", "Classic", "Compact") + " " +
		pick(f, "Lamp", "Chair", "Shelf", "Backpack", "Organizer", "Clock", "Blanket", "Stool", "Tray",
			"Notebook", "Bottle", "Basket")
}

func companyName(f *formats.Faker) string {
	if l := f.Locale; l != nil && l.Companies != nil {
		return f.LastName() + l.Companies[f.IntN(len(l.Companies))]
	}
	return pick(f, "Northwind", "Brightwater", "Hartmann", "Silverline", "Oakfield", "Lakeside", "Bergmann",
		"Whitmore", "Castell", "Fairview",
		"Redwood", "Norden", "Ashford", "Kestrel", "Marlowe", "Stonebridge") + " " +
		pick(f, "Trading", "Logistics", "Foods", "Systems", "Partners", "Industries", "Labs", "Supply",
			"Media", "Energy") +
		pick(f, "", " Ltd", " GmbH", " Inc", " Group")
}

func amount(f *formats.Faker) string {
	return strconv.Itoa(2+f.IntN(480)) + "." + pick(f, "00", "50", "90", "95", "99", "25")
}

var commerce = []rule{
	{names: "company companyname organization organisation organizationname organisationname employer vendor " +
		"vendorname manufacturer brand merchant merchantname " +
		"businessname legalname tradingname supplier suppliername carrier publisher provider providername " +
		"institution agency " +
		"bankname issuingbank airline operatorname storename shopname doingbusinessas dba network carriername " +
		"cardissuer label2",
		texts: writes(companyName)},
	{names: "name legalname =title", under: "company", texts: writes(companyName)},
	{names: "productname product itemname =item variantname articlename productitle", texts: writes(productName)},
	{names: "sku productcode itemcode articlenumber partnumber modelnumber itemnumber stockcode mpn",
		texts: patterns("@@@-####")},
	{names: "=model modelname productmodel devicemodel", texts: patterns("@X-##0")},
	{names: "flavor flavour", texts: oneOf("Vanilla|Chocolate|Lemon|Strawberry|Mint|Caramel")},
	{names: "material", texts: oneOf("oak|steel|cotton|glass|leather|ceramic|bamboo")},
	{names: "=size clothingsize shoesize", under: "product variant", texts: oneOf("S|M|L|XL")},
	{names: "=size tiersize plansize sizename", texts: oneOf("small|medium|large")},
	{names: "price amount cost total subtotal fee balance salary revenue budget tax discount payment charge " +
		"unitprice totalprice totalamount " +
		"grandtotal tip gratuity surcharge deposit refund netamount grossamount taxamount paid due totaltax " +
		"totaldiscount credit debit fare commission " +
		"wage income spend sales profit money sum listprice fees charges turnover",
		formats: "decimal", texts: writes(amount), numbers: scaled(299, 49_999, 100), units: true,
		phrases: "amount of money|price of|cost of"},
	{names: "value", under: "money amount price currency total fee balance cost tax discount", formats: "decimal",
		texts: writes(amount), numbers: scaled(299, 49_999, 100), units: true},
	{names: "amountcents pricecents cents amountminor minorunits", phrases: "in cents|minor unit|smallest " +
		"currency|smallest denomination|smallest unit",
		numbers: between(299, 49999),
		texts:   writes(func(f *formats.Faker) string { return strconv.Itoa(299 + f.IntN(49700)) })},
	{names: "taxrate vatrate", numbers: between(5, 25), texts: oneOf("19.0|20.0|7.0|8.1")},
	{names: "exchangerate currencyrate conversionrate fxrate", numbers: scaled(5000, 19999, 10000),
		texts: patterns("1.0###"), formats: "decimal"},
	{names: "rate interestrate commissionrate", numbers: scaled(50, 2500, 100), texts: patterns("#.##"),
		formats: "decimal"},
	{names: "quantity qty", numbers: between(1, 12), formats: "decimal",
		texts: writes(func(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(12)) })},
	{names: "stock instock stocklevel inventory available", numbers: between(3, 240)},
	{names: "rating stars averagerating avgrating starrating userrating", numbers: scaled(20, 50, 10),
		texts: patterns("4.#")},
	{names: "ordernumber orderno salesordernumber", texts: patterns("SO-20####")},
	{names: "invoicenumber invoiceno creditnotenumber billnumber receiptnumber", texts: patterns("INV-00####")},
	{names: "purchaseordernumber ponumber", texts: patterns("PO-0####")},
	{names: "trackingnumber trackingcode tracking shipmentnumber", texts: patterns("1Z%%%####0#########")},
	{names: "serialnumber serial serialno", texts: patterns("SN-####-####")},
	{names: "reference referencenumber ref referenceno paymentreference customerreference merchantreference " +
		"externalreference " +
		"pspreference transactionreference", texts: patterns("REF-####-@@#")},
	{names: "ticketnumber casenumber contractnumber policynumber quotenumber documentnumber customernumber " +
		"membernumber employeenumber " +
		"reservationnumber bookingnumber confirmationnumber deliverynumber", texts: patterns("@@-######")},
	{names: "couponcode discountcode vouchercode promocode giftcardcode referralcode coupon",
		texts: patterns("@@@@@-##")},
	{names: "unit unitofmeasure uom measureunit", texts: oneOf("piece|kg|box|hour|m|l")},
	{names: "paymentmethod paymenttype tendertype", texts: oneOf("card|bank_transfer|invoice|cash|wallet")},
	{names: "paymentmethodtype acceptedpaymentmethod paymentoption", texts: oneOf("card|sepa_debit|paypal|bank_transfer|ideal|klarna|apple_pay")},
	{names: "shippingmethod deliverymethod shipmethod", texts: oneOf("standard|express|pickup")},
	{names: "courier", texts: oneOf("Parcel Express|City Courier|Nordpost")},
	{names: "paymentterms terms", texts: oneOf("Net 30|Net 14|Due on receipt")},
}
