package fields

import "github.com/coldframe/coldframe/internal/formats"

const (
	artThings  = "artwork museumobject exhibit artifact artefact painting sculpture antiquity"
	bookThings = "book copy holding edition volume catalog catalogue bibliographicrecord"
)

// callNumber writes where a book stands: its class and the first letters of its author. Source: Dewey
// Decimal Classification.
func callNumber(f *formats.Faker) string { return pattern("8##.9# @")(f) + pattern("~~")(f) }

// culture are rules for libraries, museums and archives.
var culture = []rule{
	{names: "callnumber shelfmark shelvingmark", texts: writes(callNumber)},
	{names: "shelf shelfname bookshelf", texts: patterns("Shelf ##")},
	{names: "cabinet cupboard rack drawer", texts: patterns("Cabinet ##")},
	{names: "dewey deweynumber deweydecimal ddc", texts: patterns("8##.9#")},
	{names: "subject subjects", under: bookThings, texts: oneOf("European history|Sea voyages|Families|Art and society|Detective stories|Gardening")},
	{names: "physicaldescription extent", texts: oneOf("312 pages, 24 cm|184 pages, illustrated|1 box, 40 folders|2 volumes")},
	{names: "statementofresponsibility", texts: writes(func(f *formats.Faker) string { return "by " + f.FullName(f.FirstName(), f.LastName()) })},
	{names: "publicationplace placeofpublication placepublished publishedin", texts: anyTown{"", ""}},
	{names: "series seriestitle seriesname", under: bookThings, texts: oneOf("The Harbour Mysteries|Classics of the North|Notes on Nature")},
	{names: "subtitle", under: bookThings, texts: oneOf("A Novel|A Short History|Essays and Letters|A Traveller's Guide|Stories")},
	{names: "volume", under: bookThings + " series journal magazine", numbers: between(1, 12), texts: oneOf("1|2|3|4")},
	{names: "volumenumber seriesvolume seriesnumber issuenumber", numbers: between(1, 12), texts: oneOf("1|2|3|4")},
	{names: "materialtype mediumtype itemformat bookformat binding", texts: oneOf("Hardcover|Paperback|E-book|Audiobook")},
	{names: "loanperioddays loanperiod loandays", numbers: between(14, 28)},
	{names: "rfidtag rfid tagid nfctag epc", texts: patterns("E2%%%%%%%%%%")},
	{names: "branchcode librarycode sitecode locationcode storecode", texts: patterns("BR-0##")},
	{names: "branchcode", under: "bank account bankaccount beneficiary payee", texts: patterns("02100####")},
	{names: "pickupbranch homebranch owningbranch lendingbranch currentbranch returnbranch pickuplocation pickuppoint",
		texts: oneOf("Central Library|Riverside Branch|Old Town Branch|Westgate Branch|Northfield Branch")},
	{names: "name", under: "librarybranch library", texts: oneOf("Central Library|Riverside Branch|Old Town Branch|Westgate Branch|Northfield Branch|Harbour Library|University Library|" +
		"Lakeside Branch|Hillside Branch|Children's Library")},
	{names: "cardnumber librarycard cardno", under: "person patron reader borrower loan", texts: patterns("2000######")},
	{names: "bookofthemonth currentbook featuredbook currentlyreading", texts: kindNames("book")},
	{names: "title booktitle itemtitle", under: "loan hold bookloan reservationrequest", texts: kindNames("book")},
	{names: "renewalsleft renewalsremaining renewedcount timesrenewed reopens reopencount remindercount reminders reminderlevel dunninglevel",
		numbers: between(0, 3)},
	{names: "accessionnumber objectnumber inventorynumber inventoryno", texts: writes(func(f *formats.Faker) string { return pattern("19##.##.##")(f) })},
	{names: "name title objectname objecttitle", under: artThings, texts: oneOf("Still Life with Lemons|Portrait of a Merchant|Bronze Figure of a Dancer|View of the Harbour|" +
		"Carved Oak Chest|Glazed Bowl with Birds|Landscape with Windmill|Study of Hands|Silver Coffee Pot|Winter Scene|Map of the World|Marble Head of a Youth")},
	{names: "description summary", under: artThings, texts: oneOf("Signed at the lower right; in the original frame.|One of a pair, with traces of gilding.|" +
		"Shows a quiet street in the early morning.|Made for a merchant's house, and little restored.")},
	{names: "objectname objecttype worktype", under: artThings, texts: oneOf("Painting|Sculpture|Drawing|Vessel|Furniture|Print")},
	{names: "medium materials technique", under: artThings, texts: oneOf("Oil on canvas|Bronze|Ink on paper|Glazed earthenware|Carved oak|Tempera on panel")},
	{names: "materialsused", texts: oneOf("Japanese tissue|Wheat starch paste|Microcrystalline wax|Deionised water|Gold leaf")},
	{names: "culture dynasty", under: artThings, texts: oneOf("Dutch|French|Roman|Greek|Italian|Egyptian")},
	{names: "period era epoch artperiod artmovement", under: artThings, texts: oneOf("Baroque|Renaissance|Late Antiquity|Romanticism|Early Modern")},
	{names: "era epoch artperiod artmovement artstyle", texts: oneOf("Baroque|Renaissance|Romanticism|Impressionism")},
	{names: "displaydate", under: artThings, texts: oneOf("c. 1640|late 18th century|1887|about 1720")},
	{names: "datetext dating artistdisplaydate objectdate", texts: oneOf("c. 1640|late 18th century|1887|about 1720|first half of the 19th century")},
	{names: "begindate enddate", under: artThings, numbers: between(1640, 1890)},
	{names: "dimension dimensions", texts: oneOf("42 x 60 cm|18 x 12 x 9 cm|31.5 x 24 cm|110 x 75 cm")},
	{names: "creditline", texts: oneOf("Gift of the Friends of the Museum, 1954|Purchased in 1931|Bequest of Clara Winter, 1972")},
	{names: "provenance", texts: oneOf("Private collection, until 1931; bought at auction.|By descent in the family of the artist.|Acquired from the estate in 1968.")},
	{names: "inscription inscriptions markings", texts: oneOf("Signed lower left|Dated on the back|Maker's mark under the base")},
	{names: "classification", under: artThings, texts: oneOf("Paintings|Sculpture|Decorative arts|Prints|Ceramics")},
	{names: "department", under: artThings + " curator", texts: oneOf("European Paintings|Decorative Arts|Prints and Drawings|Antiquities|Photographs")},
	{names: "findspot excavationsite placefound", texts: anyTown{"near ", ""}},
	{names: "condition conditionbefore conditionafter conditionreport itemcondition bookcondition", texts: oneOf("good|very good|fair|like new")},
	{names: "imagerights copyrightstatus rightsstatus rights rightsstatement usagerights", texts: oneOf("Public domain|In copyright|CC BY 4.0|Rights reserved")},
	{names: "title name", under: "exhibition", texts: oneOf("Light and Shadow|Treasures of the Harbour|Women at Work|The Art of Glass|Colours of the North|Faces of the City|" +
		"Gardens in Bloom|From Sketch to Canvas|A Century of Posters|Ships and Stars")},
	{names: "subtitle", under: "exhibition", texts: oneOf("Paintings from 1850 to 1920|Works from the collection|A journey in forty objects")},
	{names: "sponsor sponsors sponsorname borrower borrowername insurer insurername", texts: writes(companyName)},
	{names: "lender borrower", under: "loanagreement exhibitionloan", texts: oneOf("City Museum|National Gallery|Northfield Museum of Art|University Collection")},
	{names: "facilityreport", texts: oneOf("Received and approved|Climate record attached")},
	{names: "packinginstructions handlinginstructions", texts: oneOf("Crate with foam corners; keep upright.|Wrap in acid-free tissue.|Handle with gloves, by two people.")},
	{names: "treatment", under: "conservationreport conservation restoration report", texts: oneOf("Surface cleaning|Consolidation of flaking paint|Removal of old varnish|New mount")},
	{names: "recommendation recommendations", texts: oneOf("Check again in six months.|Repeat every two years.|No further action needed.")},
	{names: "humidityrange", texts: oneOf("45 - 55 %|40 - 50 %")},
	{names: "lightlevel lightlevellux lux illuminance", numbers: between(40, 420)},
	{names: "hoursspent manhours effort efforthours laborhours labourhours", numbers: scaled(4, 96, 4)},
	{names: "accessrestrictions accessconditions", texts: oneOf("Open for research|Closed until 2040|By appointment only")},
	{names: "findingaid", texts: oneOf("Online inventory|Typed list in the reading room|Card index")},
	{names: "scopeandcontent scopecontent", texts: oneOf("Letters, accounts and photographs of the family.|Minutes of the council and its committees.|Plans and drawings of public buildings.")},
	{names: "title name", under: "archivefolder archive fonds archivalunit", texts: oneOf("Correspondence 1921-1934|Council minutes|Photographs of the harbour|Building plans|Estate papers|Account books|" +
		"Press cuttings|Maps of the county")},
	{names: "languageofmaterial", texts: oneOf("English|German|French|Latin")},
	{names: "repositoryname holdinginstitution heldby", under: "archivefolder archive folder fonds manuscript", texts: oneOf("City Archives|County Record Office|University Library")},
	{names: "format fileformat", under: "digitalasset media photo image", texts: oneOf("JPEG|TIFF|PNG|PDF")},
	{names: "colorspace colourspace colorprofile", texts: oneOf("sRGB|Adobe RGB|CMYK")},
	{names: "dpi ppi", numbers: between(72, 600)},
	{names: "iiifmanifest manifesturl", formats: URIFormats, texts: made(page)},
	{names: "accessibilityneeds accessneeds specialneeds", texts: oneOf("Wheelchair access|Hearing loop|None")},
	{names: "guide tourguide guidename curator conservator", texts: writes(someone)},
	{names: "groupname name", under: "visit tour groupvisit", texts: oneOf("Riverside School, class 7b|Friends of the Museum|Lakeside Walking Club|University seminar")},
	{names: "concessions concessioncount seniors", under: "visit booking order", numbers: between(0, 6)},
	{names: "deathyear yearofdeath", numbers: between(2006, 2024)},
	{names: "deathdate dateofdeath diedon", formats: "date date-time", texts: past{0, 14}},
	{names: "birthdate dateofbirth birthday", under: "artist painter composer writer poet contributor", formats: "date date-time", texts: past{90, 160}},
	{names: "deathdate dateofdeath", under: "artist painter composer writer poet contributor", formats: "date date-time", texts: past{15, 60}},
	{names: "birthyear yearofbirth", under: "artist painter composer writer poet contributor", numbers: between(1858, 1949)},
	{names: "deathyear yearofdeath", under: "artist painter composer writer poet contributor", numbers: between(1951, 2018)},
	{names: "role", under: "contributor credit credits", texts: oneOf("author|editor|translator|illustrator|narrator")},
	{names: "role", under: "artwork exhibition", texts: oneOf("painter|sculptor|printmaker|photographer")},
	{names: "sortname indexname sortablename", texts: person(func(_ *formats.Faker, first, last string) string { return last + ", " + first })},
	{names: "wikidataid wikidata", texts: patterns("Q4######")},
	{names: "authorityid viafid ulanid gndid", texts: patterns("500######")},
	{names: "totalvisitors visitorcount visitors", under: "visit tour", numbers: between(2, 28)},
	{names: "visitorcount visitors attendance footfall", numbers: between(480, 38_000)},
	{names: "insurancevalue", numbers: scaled(1_200_000, 48_000_000, 100)},
}
