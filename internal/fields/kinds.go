package fields

import (
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
)

// kind is what things of a kind are called and what is said of them.
type kind struct {
	name   string
	things string // in the singular, lower case, without separators
	names  texts  // for "name" and "title"
	said   string // sentences separated by "|"; {t} stands for the thing's words
}

// called returns the names of things of the kind.
func (k *kind) called() []Maker { return k.names.makers(nil, Thing{}) }

// kinds are all kinds by the things that they have.
var kinds = sync.OnceValue(func() map[string]*kind {
	m := map[string]*kind{}
	for i := range kindTable {
		for thing := range strings.FieldsSeq(kindTable[i].things) {
			m[thing] = &kindTable[i]
		}
	}
	return m
})

const ticketTypes = "General admission|Early bird|VIP|Student|Balcony|Front row|Family ticket|Weekend pass"

var kindTable = []kind{
	{"person", `person user owner author customer member contact employee people passenger guest patient student teacher actor
		assignee creator reviewer sender recipient payer buyer lead subscriber contributor attorney lawyer counsel judge witness timekeeper paralegal curator conservator librarian translator illustrator
		facilitator picker packer dispatcher mechanic engineer architect surveyor auditor accountant analyst consultant farmer grower shareholder trustee volunteer
		recruiter interviewer referee umpire goalkeeper captain chef baker caller inspector observer enduser patron supervisor profile individual client driver committer player
		participant attendee traveler traveller cardholder holder worker crew astronaut performer doctor signer signatory donor
		representative ubo kontakt developer principal caller initiator narrator human requester requestor approver mentor
		representative ubo kontakt physician practitioner nurse dentist therapist clinician adjuster underwriter claimant insured
		beneficiary counterparty landlord visitor courier courierdriver pilot candidate voter instructor tutor pupil colleague staff
		prospect salesperson technician trainer coach athlete host renter lessee policyholder applicant manager speaker moderator payee approver learner requester reporter
		counterpart resident caregiver judge rider salesrep accountmanager`, person(fullName),
		"Leads a small team and enjoys long walks.|Works on data quality and writes about it.|Designs " +
			"interfaces for mobile apps.|" +
			"Looks after customers in the north.|Has been with the company for five years.|Writes software and " +
			"plays the cello.|" +
			"Plans events and keeps the calendar tidy.|Teaches evening classes in photography."},
	{"company", `company organization organisation merchant vendor supplier manufacturer brand publisher business bank employer
		carrier agency institution org enterprise issuer shop provider studio insurer airline tenant charity nonprofit partner lender organizer organiser shipper consignee brokerage leasingcompany`,
		writes(companyName),
		"Makes furniture from reclaimed wood.|Delivers fresh food to offices in the city.|Builds software for " +
			"small clinics.|" +
			"Rents bicycles by the hour.|A family business since 1978.|Advises cities on clean transport.|Sells " +
			"parts for older cameras."},
	{"product", `product item variant article good ware sku catalogitem orderitem lineitem cartitem basketitem merchandise stockitem
		offer listing deal`, writes(productName),
		"A compact design that fits every desk.|Made of solid oak, with a matt finish.|Light, quiet and easy to " +
			"clean.|" +
			"Our best seller, now in three colours.|Comes with a charger and a two-year warranty.|Hand-made in " +
			"small batches.|" +
			"Waterproof, with a soft lining.|Spare parts are available for ten years."},
	{"matter", "matter lawsuit legalcase courtcase litigation", oneOf("Hartmann v. Lakeside Media|Sale of Oakfield Foods|Estate of Clara Winter|Trademark Northwind"),
		"Claim for damages after late delivery.|Review of the purchase agreement."},
	{"artwork", artThings, oneOf("Still Life with Lemons|Portrait of a Merchant|Bronze Figure of a Dancer|View of the Harbour|Carved Oak Chest"),
		"Signed at the lower right; in the original frame.|One of a pair, with traces of gilding."},
	{"farmland", "agriculturalfield farmland paddock", oneOf("North Meadow|Long Field|Mill Paddock|River Bottom|Church Field|Upper Twenty|Stony Acre"),
		"Sown in spring, with good drainage.|Lies fallow this year."},
	{"homeroom", "livingroom kitchen homeroom", oneOf("Kitchen|Living room|Bedroom|Bathroom|Hallway|Study|Garage|Children's room"), "Faces the garden."},
	{"smartdevice", "smartdevice appliance", oneOf("Hall lamp|Front door lock|Kitchen plug|Window sensor|Bedroom thermostat|Garage door|Smoke alarm|Desk light|Blinds"),
		"Reports its readings once a minute."},
	{"deviceevent", "deviceevent sensorevent alarmevent", oneOf("Motion|Door opened|Battery low"), "Reported by a sensor."},
	{"smarthome", "smarthome household", oneOf("Home|Lake house|Flat in town|Parents' house|Cabin"), "Two floors and a garden."},
	{"readinggroup", "readinggroup bookclub readingcircle", oneOf("Thursday Readers|Crime Club|Page Turners|Classics Circle|Young Readers|World Stories"),
		"Meets once a month to talk about a book.|Open to all, no registration needed."},
	{"pricelist", "pricelist pricebook", oneOf("Retail EUR|Wholesale|Summer Sale 2025|Partner prices|Export|Staff"), "For customers with a contract."},
	{"timeentry", "timeentry timerecord worklog", oneOf("Customer support|Code review|Planning|Site visit|Documentation"), "Work on site.|Call and notes."},
	{"league", "league competition championship", oneOf("Premier Division|Northern League|City Cup|First Division|Women's League|Youth League"), "Twelve clubs, two rounds."},
	{"club", "club footballclub sportsclub", oneOf(clubs), "Founded by dock workers more than a century ago."},
	{"newsitem", "newsitem newsarticle pressarticle", oneOf("Late goal decides the derby|Rovers sign young midfielder|Record crowd on opening day"), "What it means for the coming weeks."},
	{"workorder", "workorder repairorder serviceorder", oneOf("Replace brake pads|Oil and filter change|Annual inspection|Repair the door lock"), "Parts are in stock."},
	{"cryptoasset", "cryptoasset cryptocurrency coin", together("Bitcoin|Ethereum|Solana|Cardano|XRP|Polkadot"), "Traded around the clock."},
	{"database", "database db datastore", oneOf("shop_production|billing|analytics|customers|events|sessions"), "Backed up every night."},
	{"dnsrecord", "dnsrecord", oneOf("www|@|mail|api|_dmarc|shop|blog|status"), "Points to the load balancer."},
	{"mealplan", "mealplan dietplan", oneOf("Light week|Family favourites|Vegetarian week|Quick and easy|Winter warmers"), "Seven days, two people."},
	{"shoppinglist", "shoppinglist grocerylist", oneOf("Weekly groceries|Party on Saturday|Breakfast|Baking day|Barbecue"), "Shared with the family."},
	{"cookingclass", "cookingclass", oneOf("Fresh pasta from scratch|Sourdough for beginners|Thai street food|Cakes and tarts"), "Cook together and eat together."},
	{"passwordpolicy", "passwordpolicy", oneOf("Default|Administrators|Contractors|Service accounts"), "For all users of the group."},
	{"translationkey", "translationkey translationstring", oneOf("cart.add|order.shipped|login.forgot|form.save"), "Button on the product page."},
	{"tradingorder", "tradingorder", oneOf("BTC-USDT|ETH-EUR|SOL-USDT|ADA-EUR"), "Traded around the clock."},
	{"playertransfer", "playertransfer", oneOf("Summer transfer|Winter transfer"), "Signed for three years."},
	{"analyticalresult", "analyticalresult assay", oneOf("Nitrate|Lead|Glucose|Chloride"), "Within the limits."},
	{"cijob", "cijob buildjob", oneOf("unit-tests|lint|build-image|deploy-staging|integration-tests|publish-docs"), "Runs on every push."},
	{"domain", "domain dnszone", writes(siteName), "Renewed every year."},
	{"show", "tvshow videotitle documentary", oneOf("The Last Harbour|Night Train North|A Winter Abroad|Small Machines"), "Two sisters return to the house by the sea."},
	{"fundingcampaign", "fundingcampaign donationcampaign fundraisingcampaign appeal", oneOf("Clean water for five villages|A new roof for the shelter|School books for every child|" +
		"Plant 10,000 trees|Warm meals this winter"), "Every gift brings us closer to the goal."},
	{"farm", "farm ranch vineyard orchard", oneOf("Hillcrest Farm|Willow Brook Farm|Oakfield Estate|Meadow View"), "Family-run for three generations."},
	{"livestock", animalThings, oneOf("Bella|Alma|Rosa|Bruno|Flora"), "Calm and in good health."},
	{"mergerequest", "mergerequest pullrequest changerequest codereview", oneOf("Fix login redirect|Add export to CSV|Update dependencies|Speed up the search"),
		"Adds tests and a note in the changelog."},
	{"tickettype", "tickettype tickettypes ticketcategory admission", oneOf(ticketTypes),
		"Entry on the day, free seating.|A seat in the first rows, with a drink.|For students with a valid card."},
	{"room", "room roomtype suite bedroom hotelroom", oneOf("Deluxe Double|Standard Twin|Junior Suite|Single Room|Family Room|Superior King"),
		"A quiet room with a desk and a view of the garden.|Two large beds, a bath and a small balcony."},
	{"hotel", "hotel hostel inn guesthouse resort accommodation lodging", writes(func(f *formats.Faker) string {
		return pick(f, "Hotel ", "Grand Hotel ", "Hotel ", "The ") + pick(f, "Aurora", "Riverside", "Castell", "Bellevue", "Lakeview", "Old Mill",
			"Linden", "Kestrel", "Seaview", "Garden Court")
	}), "A family-run house near the old town, with a garden.|Quiet rooms, a sauna and breakfast until eleven.|Five minutes from the station, with free parking."},
	{"restaurant", "restaurant cafe bistro diner eatery bar", oneOf("Trattoria Lina|The Copper Spoon|Café Linden|Sakura House|Blue Olive|" +
		"La Petite Table|Harbour Grill|Green Fork|Casa Verde|The Old Oven"),
		"Seasonal dishes from local farms.|Home-made pasta and a small wine list.|A neighbourhood kitchen with a large terrace."},
	{"airport", "airport aerodrome", inPlace(func(t *town) string { return t.city + " Airport" }), "Two terminals, twenty minutes from the centre."},
	{"stop", "stop stoppoint station busstop trainstation transitstop", oneOf("Central Station|Harbour|Town Hall|University|Old Market|" +
		"North Park|Museum Island|Airport|Lindenplatz|West Bridge"), "Step-free access from the street."},
	{"school", "school university college academy campus", oneOf("Riverside School|Linden Grammar School|Harbour College|Northfield Academy|Old Town Primary School|Lakeside College|Westgate School"),
		"A day school with a focus on languages and music."},
	{"hospital", "hospital clinic practice surgery medicalcenter pharmacy", oneOf("Riverside Clinic|St. Anna Hospital|Lakeside Medical Centre|Northfield Practice|Harbour Hospital|Old Town Clinic|Westgate Medical Centre|Linden Practice"),
		"Open around the clock, with an emergency department."},
	{"home", "apartment realestate house flat villa condo dwelling", oneOf("Bright apartment near the park|Family house with garden|Loft in the old town|" +
		"Quiet studio by the river|Terraced house with garage|Penthouse with city views|Sunny flat with balcony|Country house with orchard"),
		"Close to schools and the station, with a south-facing balcony.|Renovated two years ago, with a new kitchen and oak floors."},
	{"route", "route tour", oneOf("River Loop|City Centre|Harbour - Airport|North Circle|Coastal Run|Old Town - University|East Valley|Market Round"),
		"Every ten minutes on weekdays.|Runs from five to midnight.|Express service with few stops."},
	{"venue", "venue arena theatre theater stadium concerthall", oneOf("Riverside Hall|Old Town Theatre|Harbour Arena|Lakeside Pavilion|Westgate Club|Castell Hall|The Foundry|City Playhouse"),
		"Doors at the side street, cloakroom on the ground floor."},
	{"course", "course lesson module curriculum training tutorial", oneOf("Introduction to Photography|Spanish for Beginners|Data Analysis|" +
		"Project Management Basics|Modern Art|Web Design|Creative Writing|Music Theory"), "An introduction for beginners, with exercises.|Eight units with videos and a test at the end."},
	{"dish", `menu menuitem dish meal food drink recipe burger pizza dessert beverage coffee sandwich`,
		oneOf("Roasted Vegetable Wrap|Tomato Basil Soup|Lemon Herb Salmon|Mushroom Risotto|Iced Oat Latte|Apple " +
			"Crumble|" +
			"Grilled Cheese Sandwich|Spicy Lentil Curry|Garden Salad|Chocolate Tart|Fresh Mint Lemonade|Classic " +
			"Cheeseburger|" +
			"Chicken Noodle Bowl|Blueberry Pancakes|Caesar Salad|Margherita Pizza"),
		"Served warm with fresh bread.|Light and fresh, with a hint of lemon.|A house favourite since we " +
			"opened.|Vegan, and made to order.|" +
			"Slowly roasted and served with herbs.|Sweet, creamy and not too heavy."},
	{"plant", `plant flower tree shrub herb seed crop`,
		oneOf("Monstera|Snake Plant|Peace Lily|Boston Fern|Aloe Vera|Rubber Plant|Spider Plant|English Ivy|" +
			"Lavender|Rosemary|" +
			"Jade Plant|Golden Pothos|Bird of Paradise|Fiddle-Leaf Fig|Calathea|Dragon Tree"),
		"Likes bright, indirect light and little water.|Grows well in shade and forgives a dry week.|Needs " +
			"warmth and moist soil.|" +
			"Flowers from May to September.|Hardy, and easy to keep indoors."},
	{"pet", `pet animal dog cat horse bird`,
		oneOf("Bella|Max|Luna|Charlie|Milo|Daisy|Rocky|Coco|Oscar|Molly|Toby|Ruby|Simba|Nala|Leo|Poppy|Bailey|" +
			"Willow|Felix|Hazel"),
		"Friendly and good with children.|Shy at first, then very loyal.|Loves long walks and soft blankets.|" +
			"House-trained and fully vaccinated."},
	{"repository", `repository repo package module library crate gem codebase dependency`, writes(repositoryName),
		"Collects readings from sensors and stores them.|A small library for parsing dates.|Command-line tools " +
			"for working with logs.|" +
			"Shared components of the web shop.|Infrastructure as code for the staging environment.|Client for " +
			"the billing API."},
	{"file", `file document attachment upload asset download export scan image photo picture pdf artifact blob`, made(anyFile),
		"Signed version of the contract.|Scan of the original, both sides.|Export of last month's figures.|" +
			"Draft for review by the team."},
	{"report", "report statement analysis", oneOf("Quarterly Sales|Annual Report|Budget Overview|Monthly Expenses|Cash Flow|" +
		"Open Invoices|Stock Levels|Customer Growth|Support Response Times"),
		"Figures of the last quarter, by region.|Compares this year with the last.|Sent to the board every month."},
	{"folder", `folder directory bucket drive`,
		oneOf("Invoices|Contracts|Photos 2025|Project Plans|Marketing Material|Sales Reports|Templates|Meeting " +
			"Notes|Archive 2024|Design Assets"),
		"Everything the team shares with customers.|Old versions, kept for the record.|Documents that wait for " +
			"a signature."},
	{"city", "city town municipality", inPlace(func(p *town) string { return p.city }), "A city with an old " +
		"harbour and a lively centre."},
	{"logevent", "auditevent logevent auditlog auditentry auditlogentry auditlogevent securityevent systemevent webhookevent eventlog logentry usageevent trackingevent",
		oneOf("User signed in|Password changed|Report exported|Role assigned|API key created"), "Recorded automatically.|Done in the web application."},
	{"source", "source datasource newssource leadsource", oneOf("Website|Newsletter|Partner portal|Call centre|Spreadsheet import|Public records|Trade fair"),
		"Updated every night.|Checked by the editors."},
	{"industry", "industry sector subindustry branchofindustry", oneOf("Retail|Logistics|Healthcare|Software|Manufacturing|Hospitality|Education|Construction"),
		"Companies of all sizes."},
	{"jobtype", "jobtype employmenttype contracttype worktype", oneOf("Full-time|Part-time|Contract|Internship|Temporary"), "With social insurance."},
	{"jobposting", "jobposting posting vacancy jobopening jobad jobadvert jobfeed", writes((*formats.Faker).JobTitle),
		"You join a team of eight and work on products that people use every day.|Full-time, with flexible hours."},
	{"linkset", "linkset", writes(siteName), "Leads to what belongs together."},
	{"country", "country nation", inPlace(func(p *town) string { return p.country }), "Ships to all regions " +
		"within five days."},
	{"region", "region state province county territory", inPlace(func(p *town) string { return p.region }),
		"Covers all branches in the area."},
	{"currency", "currency", inPlace(func(p *town) string { return p.currencyName }), "Accepted for all payments."},
	{"language", "language", oneOf("English|German|French|Spanish|Italian|Dutch|Portuguese|Japanese|Swedish|" +
		"Polish"), "Spoken by our support team."},
	{"team", `team department group squad unit division committee crewgroup`,
		oneOf("Platform Engineering|Customer Support|Product Design|Data Science|Field Sales|Finance|Human " +
			"Resources|Site Reliability|" +
			"Mobile Apps|Legal & Compliance|Logistics|Quality Assurance|Research"),
		"Looks after the services that others build on.|Answers customers within one working day.|Plans and " +
			"reviews what is built."},
	{"project", `project workspace initiative program programme board epic portfolio`,
		oneOf("Website Relaunch|Mobile App 2.0|Data Migration|Customer Portal|Office Move|Brand Refresh|" +
			"Checkout Redesign|" +
			"Warehouse Automation|Annual Report|Partner Onboarding"),
		"Replaces the old portal by the end of the year.|Moves all customers to the new platform.|Prepares the " +
			"launch in three markets."},
	{"event", `event meeting appointment webinar conference session workshop concert exhibition lecture booking reservation class`,
		oneOf("Quarterly Planning|Product Demo|Design Review|Team Offsite|Spring Workshop|Customer Webinar|" +
			"Evening Lecture|Summer Concert|" +
			"Open House|Annual Meeting|Guided Tour|Onboarding Session"),
		"An introduction for new members, with time for questions.|Doors open at half past six.|Bring your " +
			"laptop and your ideas."},
	{"album", `album song track single music playlist soundtrack`,
		oneOf("Northern Lights|Paper Boats|Slow Mornings|City at Night|Letters Home|Second Summer|Long Way Down|" +
			"Quiet Hours|" +
			"Golden Coast|After the Rain|Blue Avenue|Winter Songs"),
		"Recorded live in one afternoon.|Twelve calm songs for late evenings.|Remastered from the original tapes."},
	{"artist", "artist band musician ensemble composer orchestra",
		oneOf("The Paper Kites|Clara Winter|Northern Choir|Harbour Lights|Leo Marsh|Velvet Avenue|The Night " +
			"Trains|Ada Fields|Southbound Quartet"),
		"Sings and writes songs about the sea.|A quartet that plays old and new music."},
	{"book", `book chapter publication novel movie film show episode video podcast series season game chapter audiobook story`,
		oneOf("The Last Harbour|A Winter Abroad|Notes on Light|The Glass Garden|Across the Bay|Small Machines|" +
			"The Long Table|" +
			"Under Northern Skies|The Clockmaker's Daughter|An Honest Map"),
		"Two sisters return to the house by the sea.|An introduction for beginners, with exercises.|The story " +
			"of a small town over a hundred years."},
	{"branch", "branch ref gitref", oneOf("main|develop|feature/checkout|fix/login-redirect|release/2.4|" +
		"feature/search-filters|docs/update-readme"),
		"Holds the changes of the next release."},
	{"tag", `label tag topic keyword flag`, made(tags),
		"Marks what needs attention first."},
	{"category", `category genre collectiongroup section subject discipline`, made(categories),
		"Everything for the home and the garden.|New and used, from trusted sellers."},
	{"plan", "plan subscription tier package pricingplan membership license licence edition",
		oneOf("Starter|Professional|Team|Business|Enterprise|Basic Monthly|Premium Yearly"),
		"For small teams that are getting started.|All features, with support by phone."},
	{"device", "device sensor machine server host instance vm node cluster printer terminal camera phone " +
		"gateway agent runner container pod",
		writes(func(f *formats.Faker) string {
			return pick(f, "edge", "sensor", "worker", "gateway", "web", "build", "cache",
				"db") + "-" + pattern("0#")(f)
		}), "Runs in the second rack of the main hall.|Reports its readings once a minute."},
	{"location", "location warehouse store place site office facility building museum branchoffice depot hub",
		writes(func(f *formats.Faker) string {
			return pick(f, "Riverside", "Main Street", "Parkside", "Harbour", "North", "Old Town", "Westgate",
				"Hillside") + " " +
				pick(f, "Warehouse", "Store", "Office", "Branch", "Depot", "Hall")
		}), "Open on weekdays from nine to six.|Close to the station, with free parking."},
	{"address", "address shippingaddress billingaddress postaladdress", oneOf("Home|Office|Warehouse|" +
		"Headquarters|Billing address"), "Deliveries at the side entrance."},
	{"role", "role permission scope privilege policy", oneOf("Administrator|Editor|Viewer|Billing Manager|" +
		"Support Agent|Auditor|Maintainer"),
		"May read and change everything in the workspace.|May read reports and nothing else."},
	{"job", "job workflow pipeline build deployment task schedule process cronjob step action",
		oneOf("Nightly build|Deploy to staging|Import customers|Send weekly report|Clean up old files|Run " +
			"integration tests|Sync inventory|Rebuild search index"),
		"Runs every night and reports failures by e-mail.|Copies new orders to the warehouse."},
	{"channel", "channel chatroom chat forum conversation thread", oneOf("all-hands|announcements|support|off-topic|" +
		"engineering|release-notes|design-feedback"),
		"News and questions about the product."},
	{"field", "field property attribute parameter column variable setting option customfield dimension header",
		oneOf("color|size|due_date|priority|region|notes|language|billing_email|quantity|department|start_date"),
		"Shown on the detail page.|Required for orders from abroad."},
	{"ticket", "ticket issue bug case incident request pullrequest task todo alert problem feedback comment " +
		"message post article page question answer news",
		oneOf("Login fails after password reset|Add export to CSV|Update the delivery address|Search shows old " +
			"results|" +
			"Invoice has the wrong total|Page loads slowly on mobile|Support dark mode|Improve error messages"),
		"Happens on every second attempt since the last release.|Steps to repeat: open the page, sort by date, " +
			"reload.|" +
			"Asked for by three customers this week."},
	{"key", "key apikey secret token credential deploykey webhook integration app application bot service " +
		"connector client plugin extension",
		oneOf("Production Monitor|Order Export|Mobile Client|Release Bot|Billing Service|Analytics Collector|" +
			"Staging Webhook|Inventory Sync|Status Page"),
		"Used by the nightly export.|Sends a notice when an order ships."},
	{"template", "template campaign newsletter audience segment survey form poll design theme", oneOf("Welcome " +
		"e-mail|Spring newsletter|Order confirmation|Customer survey|Password reset|Monthly digest|Feedback form"),
		"Sent to everyone who signed up this month."},
	{"vehicle", "vehicle car truck rocket ship vessel capsule dragon launch mission satellite spacecraft " +
		"aircraft flight train payload core",
		writes(func(f *formats.Faker) string {
			return pick(f, "Aurora", "Pioneer", "Horizon", "Meridian", "Vanguard", "Odyssey", "Polaris",
				"Endeavour") + " " + pattern("#")(f)
		}), "Carries cargo and crew to low orbit.|Made its first trip in the spring of 2021."},
	{"status", "status stage phase", oneOf("New|In progress|Waiting|Done|On hold"), "Set when work has begun."},
	{"tax", "tax taxrate taxcomponent vat", oneOf("Standard rate|Reduced rate|Sales Tax|City Tax|Value added tax"),
		"Applies to most goods."},
	{"discount", "discount coupon voucher promotion reward promo", oneOf("Summer Sale|Welcome Discount|Loyalty " +
		"Reward|Free Shipping|Early Bird"),
		"Ten percent off the first order.|Free shipping on orders above fifty."},
	{"account", "account bankaccount ledger wallet budget fund balance", oneOf("Main Operating Account|Savings|" +
		"Business Current Account|Travel Budget|Petty Cash|Reserve Fund"),
		"Used for day-to-day expenses."},
	{"order", "order purchase invoice payment bill quote transaction refund shipment delivery receipt cart basket",
		oneOf("Office supplies for May|Spring collection|Replacement parts|Monthly subscription|Workshop " +
			"materials|Annual maintenance"),
		"A compact order with free shipping.|Paid by card and delivered to the side entrance.|Replacement for a " +
			"damaged item.|" +
			"Gift wrapped, with a short note.|Second delivery of the month."},
}
