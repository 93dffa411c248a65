package fields

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

// airports are those of towns of the gazetteer, that of other towns first. Sources: IATA and ICAO location identifiers.
var airports = [][3]string{
	{"Berlin", "BER", "EDDB"},
	{"New York", "JFK", "KJFK"}, {"Chicago", "ORD", "KORD"}, {"Seattle", "SEA", "KSEA"}, {"Austin", "AUS", "KAUS"},
	{"Denver", "DEN", "KDEN"}, {"Boston", "BOS", "KBOS"}, {"San Francisco", "SFO", "KSFO"}, {"Toronto", "YYZ", "CYYZ"},
	{"Vancouver", "YVR", "CYVR"}, {"London", "LHR", "EGLL"}, {"Manchester", "MAN", "EGCC"}, {"Edinburgh", "EDI", "EGPH"},
	{"Dublin", "DUB", "EIDW"}, {"Hamburg", "HAM", "EDDH"}, {"Munich", "MUC", "EDDM"},
	{"Cologne", "CGN", "EDDK"}, {"Vienna", "VIE", "LOWW"}, {"Salzburg", "SZG", "LOWS"}, {"Zurich", "ZRH", "LSZH"},
	{"Geneva", "GVA", "LSGG"}, {"Paris", "CDG", "LFPG"}, {"Lyon", "LYS", "LFLL"}, {"Bordeaux", "BOD", "LFBD"},
	{"Madrid", "MAD", "LEMD"}, {"Barcelona", "BCN", "LEBL"}, {"Rome", "FCO", "LIRF"}, {"Milan", "MXP", "LIMC"},
	{"Lisbon", "LIS", "LPPT"}, {"Amsterdam", "AMS", "EHAM"}, {"Brussels", "BRU", "EBBR"}, {"Stockholm", "ARN", "ESSA"},
	{"Copenhagen", "CPH", "EKCH"}, {"Oslo", "OSL", "ENGM"}, {"Kraków", "KRK", "EPKK"}, {"Tokyo", "HND", "RJTT"},
	{"Osaka", "KIX", "RJBB"}, {"Sydney", "SYD", "YSSY"}, {"Melbourne", "MEL", "YMML"}, {"Auckland", "AKL", "NZAA"},
}

// airport is a code of the object's town.
type airport int

const (
	iata airport = 1 + iota
	icao
)

func (code airport) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string { return code.of(townOf(f, at)) }}
}

func (code airport) of(t *town) string {
	i := slices.IndexFunc(airports, func(row [3]string) bool { return row[0] == t.city })
	return airports[max(i, 0)][code]
}

// anyTown is the name of a town, which need not be the object's, between two texts.
type anyTown struct{ before, after string }

func (a anyTown) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		at.Object = at.Key
		return a.before + townOf(f, at).city + a.after
	}}
}

// anyAirport writes the IATA code of an airport, which need not be the object's.
func anyAirport(f *formats.Faker, at Place, _ string) string {
	at.Object = at.Key
	return iata.of(townOf(f, at))
}

// shipCode writes a container's number with its check digit. Source: ISO 6346.
func shipCode(f *formats.Faker) string {
	const letters = "0123456789A.BCDEFGHIJK.LMNOPQRSTU.VWXYZ" // each at its value, less one from A on
	code := pick(f, "MSKU", "HLXU", "CMAU") + pattern("######")(f)
	sum := 0
	for i := range code {
		for v := range letters {
			if letters[v] == code[i] {
				sum += v << i
			}
		}
	}
	return code + strconv.Itoa(sum%11%10)
}

func seatCode(f *formats.Faker) string {
	return strconv.Itoa(1+f.IntN(32)) + pick(f, "A", "B", "C", "D", "E", "F")
}

const (
	stations      = "Central Station|Harbour|Town Hall|University|Old Market|North Park|Museum Island|Airport"
	trafficThings = "flight trip journey leg segment itinerary route connection departure train bus ferry voyage service"
	seatThings    = "seat ticket passenger booking cell boardingpass pass"
)

// travel are rules for journeys, what runs on them, and where guests stay.
var travel = []rule{
	{names: "features options extras equipment", under: "car vehicle rental", texts: oneOf("Navigation|Air conditioning|Cruise control|Roof rack|Heated seats|Child seat")},
	{names: "name", under: "extra addon", texts: oneOf("Child seat|Navigation|Additional driver|Winter tyres|Snow chains|Roof rack|Booster seat|Phone holder")},
	{names: "pickupbranch dropoffbranch returnbranch homebranch branch branchname", under: "rental reservation booking car vehicle employee person", texts: kindNames("location")},
	{names: "co2emissions emissions", under: "car vehicle", numbers: between(0, 178)},
	{names: "luggagecapacity luggage bags", numbers: between(1, 5)},
	{names: "issuedin issuingcountry licenseissuedin", texts: inPlaces{country, alpha2}},
	{names: "damages damage", texts: oneOf("Scratch on the front door|Dent in the rear bumper|Cracked windscreen|Worn tyre")},
	{names: "description", under: "damage", texts: oneOf("Scratch on the front door|Dent in the rear bumper|Cracked windscreen|Worn tyre")},
	{names: "severity", under: "damage fault", texts: oneOf("minor|moderate|severe")},
	{names: "type connectortype plugtype", under: "connector plug outlet", texts: oneOf("Type 2|CCS|CHAdeMO")},
	{names: "accesstype", texts: oneOf("public|private|customers only")},
	{names: "authmethod authenticationmethod authorizationmethod", texts: oneOf("app|rfid|credit card|password")},
	{names: "energykwh kwh", under: "session chargingsession transaction", numbers: scaled(40, 620, 10)},
	{names: "batterycapacity batterycapacitykwh", numbers: scaled(380, 980, 10)},
	{names: "brand make", under: "ev", texts: together("Toyota|Volkswagen|Renault|Volvo")},
	{names: "model", under: "ev", texts: together("bZ4X|ID.3|Megane E-Tech|EX30")},
	{names: "voltage", under: "connector", numbers: between(230, 400)},
	{names: "amperage current amps", numbers: between(16, 125)},
	{names: "name", under: "tariff", texts: oneOf("Day tariff|Night tariff|Flex|Basic rate|Fast charging|Member tariff|Weekend|City tariff")},
	{names: "stopreason endreason", texts: oneOf("Stopped by the driver|Battery full|Connector unplugged")},
	{names: "description", under: "fault defect", texts: oneOf("The display stays dark.|The cable does not unlock.|No connection to the network.|The card reader does not respond.")},
	{names: "errorcode faultcode", under: "fault defect", texts: patterns("E-###")},
	{names: "iata iatacode airportcode", texts: iata},
	{names: "icao icaocode", under: "airport", texts: icao},
	{names: "icaocode icao", texts: icao},
	{names: "=code", under: "airport", texts: iata},
	{names: "airlinecode carriercode iataairlinecode", texts: together("NW|KA|OF|AU")},
	{names: "airlinename airline", texts: together("Northwind Air|Kestrel Airways|Oakfield Airlines|Aurora Air")},
	{names: "=carrier operator operatingcarrier", under: "flight segment", texts: oneOf("Northwind Air|Kestrel Airways|Oakfield Airlines|Aurora Air")},
	{names: "operator operatorname transitoperator", under: trafficThings + " line stop station vehicle charger",
		texts: oneOf("Metro Lines|Regional Rail|City Transit|Coastal Buses")},
	{names: "name agencyname", under: "agency", texts: oneOf("Metro Lines|Regional Rail|City Transit|Coastal Buses|Northern Trams")},
	{names: "flightnumber flightno flightcode", texts: patterns("NW###")},
	{names: "codeshare codeshares", texts: patterns("KA####")},
	{names: "departureairport arrivalairport originairport destinationairport", texts: Maker(anyAirport)},
	{names: "pnr recordlocator bookingcode bookingreference reservationcode confirmationcode bookingref", texts: patterns("@##@@@")},
	{names: "=locator", under: "booking reservation ticket", texts: patterns("@##@@@")},
	{names: "gate gatenumber boardinggate departuregate arrivalgate", texts: patterns("@#")},
	{names: "terminal", under: "flight airport departure arrival segment leg", texts: oneOf("1|2|3|A|B")},
	{names: "baggagebelt baggageclaim carousel", texts: oneOf("3|5|7|12")},
	{names: "baggageallowance baggageallowancekg luggageallowance", numbers: between(8, 32), texts: oneOf("23 kg|2 x 23 kg|8 kg")},
	{names: "registration tailnumber aircraftregistration", under: "aircraft plane flight airplane", texts: patterns("D-A@@@")},
	{names: "registration registrationplate platenumber licenseplatenumber", texts: patterns("B @@ ###")},
	{names: "model aircraftmodel type aircrafttype aircraft planetype equipment", under: "aircraft plane airplane flight",
		texts: together("A320neo|737-800|E195-E2|ATR 72-600")},
	{names: "aircraft aircrafttype", texts: oneOf("A320neo|737-800|A350-900|E195-E2")},
	{names: "manufacturer make", under: "aircraft plane airplane", texts: together("Airbus|Boeing|Embraer|ATR")},
	{names: "cabin cabinclass travelclass bookingclass", texts: oneOf("economy|premium economy|business|first")},
	{names: "=class fareclass farefamily", under: trafficThings + " fare ticket seat", texts: oneOf("economy|business|first")},
	{names: "farebasis farebasiscode", texts: patterns("@LOWEU")},
	{names: "faretype tickettype passengertype ridertype", texts: oneOf("adult|child|student|senior")},
	{names: "fareclass", texts: oneOf("flex|standard|saver")},
	{names: "frequentflyernumber loyaltynumber loyaltyid memberid membershipnumber loyaltycardnumber", texts: patterns("LY########")},
	{names: "loyaltytier loyaltylevel loyaltystatus membershiplevel membershiptier", texts: oneOf("Bronze|Silver|Gold|Platinum")},
	{names: "mealpreference meal dietarypreference specialmeal", texts: oneOf("standard|vegetarian|vegan|halal|gluten-free")},
	{names: "seat seatnumber seatno seatcode assignedseat", texts: writes(seatCode)},
	{names: "=number", under: "seat", texts: writes(seatCode)},
	{names: "=row", under: seatThings, numbers: between(1, 34), texts: oneOf("C|F|K|12|18")},
	{names: "=column", under: seatThings, texts: oneOf("A|B|C|D|E|F")},
	{names: "section block tier", under: seatThings, texts: oneOf("A|B|C|Balcony|Floor")},
	{names: "=type seattype", under: "seat", texts: oneOf("window|aisle|middle")},
	{names: "rank", under: "member crew crewmember pilot officer employee", texts: oneOf("Captain|First Officer|Purser|Cabin Crew")},
	{names: "=base homebase homeairport", under: "member crew crewmember pilot person employee", texts: iata},
	{names: "flighthours", numbers: between(1200, 14000)},
	{names: "stops layovers transfers changes", under: trafficThings, numbers: between(0, 3)},
	{names: "stopscount numberofstops", numbers: between(2, 18)},
	{names: "distancemiles", under: "flight segment", numbers: between(220, 4800)},
	{names: "distancekm distance", under: "flight segment", numbers: between(350, 7800)},
	{names: "durationminutes duration flighttime", under: "flight segment", numbers: between(55, 540)},
	{names: "delay delayminutes delaymins minuteslate", numbers: between(0, 25)},
	{names: "delayseconds", numbers: between(0, 420)},
	{names: "seatcapacity numberofseats seatcount totalseats", under: "aircraft plane flight bus train", numbers: between(72, 340)},
	{names: "=seats seatcount numberofseats", under: "table car vehicle", numbers: between(2, 8)},
	{names: "seatsleft seatsavailable availableseats remainingseats", numbers: between(1, 42)},
	{names: "elevationft elevationfeet", numbers: between(10, 1800)},
	{names: "headsign tripheadsign", texts: oneOf("Central Station|Airport|Harbour|University|Old Town|North Park")},
	{names: "routeshortname shortname linenumber linename =line", under: trafficThings + " line stop", texts: oneOf("U2|M10|S41|142|7|12")},
	{names: "affectedlines lines line", texts: oneOf("U2|M10|S41|142|7|12")},
	{names: "routelongname longname", under: trafficThings + " line", texts: oneOf("Central Station - Airport|Harbour - University|Old Town - North Park")},
	{names: "routedesc description desc", under: "route line", texts: oneOf("Every ten minutes on weekdays.|Runs from five to midnight.|Express service with few stops.")},
	{names: "stopname stationname currentstop nextstop previousstop parentstation boardingstop alightingstop affectedstops " +
		"departurestation arrivalstation stationfrom stationto", texts: kindNames("stop")},
	{names: "=from origin", under: "journey leg trip ride", texts: together(stations)},
	{names: "=to destination", under: "journey leg trip ride", texts: shifted{stations, 3}},
	{names: "=from =to origin destination destinationcity origincity departurecity arrivalcity", texts: anyTown{"", ""}},
	{names: "from to", under: "message email mail", texts: person(emailAddress)},
	{names: "zones zone zoneid farezone farezones", under: "ticket stop fare station pass", texts: oneOf("A|B|C")},
	{names: "=platform platformcode platformnumber track", under: trafficThings + " stop station time stoptime",
		texts: oneOf("1|2|3|4a|7"), numbers: between(1, 12)},
	{names: "stopcode", texts: patterns("1####")},
	{names: "locationtype", under: "stop station", texts: oneOf("stop|station|entrance")},
	{names: "mode", under: "leg segment journey trip transport route ride connection line", texts: oneOf("bus|train|tram|car|ferry")},
	{names: "transportmode travelmode modeoftransport", texts: oneOf("bus|train|tram|car|ferry")},
	{names: "cause", under: "alert disruption incident", texts: oneOf("Construction|Accident|Weather|Technical problem|Strike")},
	{names: "effect impact", under: "alert disruption incident", texts: oneOf("Delays|Detour|Reduced service|Stop closed")},
	{names: "description message", under: "servicealert disruption advisory", texts: oneOf("Trains run every 20 minutes because of track work.|" +
		"Please use the replacement buses from the station square.|The stop is closed until the end of the month.")},
	{names: "routetype", numbers: between(0, 3)},
	{names: "directionid", numbers: between(0, 1)},
	{names: "header headertext title headline", under: "servicealert disruption",
		texts: oneOf("Line U2: delays in both directions|Station closed for repairs|Replacement buses on weekends|Changed timetable on holidays")},
	{names: "vehicletype bodytype carclass vehicleclass cartype", texts: oneOf("car|van|bicycle|scooter|truck")},
	{names: "cartype carclass vehicleclass category bodytype vehiclecategory", under: "vehicle car rental",
		texts: oneOf("Compact|Mid-size|Estate|SUV|Van")},
	{names: "make manufacturer", under: "truck", texts: together("Volvo|Scania|MAN|DAF")},
	{names: "model", under: "truck", texts: together("FH 460|R 450|TGX 18.510|XF 480")},
	{names: "make carmake vehiclemake brand manufacturer", under: "vehicle car motorcycle van",
		texts: together("Toyota|Volkswagen|Ford|Renault|Volvo|Skoda")},
	{names: "model carmodel vehiclemodel =name", under: "car van", texts: together("Corolla|Golf|Focus|Clio|V60|Octavia")},
	{names: "model vehiclemodel", under: "vehicle", texts: together("Corolla|Golf|Focus|Clio|V60|Octavia")},
	{names: "make carmake vehiclemake", texts: together("Toyota|Volkswagen|Ford|Renault|Volvo|Skoda")},
	{names: "fueltype fuel engine enginetype powertrain", texts: oneOf("petrol|diesel|electric|hybrid")},
	{names: "transmission gearbox", texts: oneOf("manual|automatic")},
	{names: "=color colour exteriorcolor", under: "vehicle car truck van bicycle", texts: oneOf("silver|black|white|blue|red|grey")},
	{names: "odometer odometerkm mileage mileagekm currentmileage odometerreading", numbers: between(4_200, 148_000)},
	{names: "axles", numbers: between(2, 5)},
	{names: "doors numberofdoors", numbers: between(3, 5)},
	{names: "fuellevel fuellevelpercent", numbers: between(15, 100)},
	{names: "licenseclass licenceclass driverslicenseclass licensecategory", texts: oneOf("B|C|CE|C1|D")},
	{names: "driverslicense driverlicense driverslicensenumber driverlicensenumber", texts: patterns("@########")},
	{names: "depot homedepot depotname hub facility facilityname terminalname dropofflocation pickuplocation returnlocation",
		texts: kindNames("location")},
	{names: "dock dockdoor loadingdock bay dockname", texts: oneOf("Dock 2|Dock 5|Dock 11|Bay C")},
	{names: "servicelevel shippingservice servicetype deliveryservice", texts: oneOf("standard|express|economy|overnight")},
	{names: "incoterm incoterms", texts: oneOf("DAP|DDP|EXW|FOB|CIF")},
	{names: "hscode tariffcode harmonizedcode", texts: oneOf("8471.30|9403.60|6109.10|8517.12")},
	{names: "unlocode portcode", texts: oneOf("DEHAM|NLRTM|GBFXT|SEGOT")},
	{names: "portofloading portofdischarge originport destinationport homeport portname", texts: oneOf("Hamburg|Rotterdam|Felixstowe|Gothenburg|Antwerp")},
	{names: "vessel vesselname shipname", texts: oneOf("MV Aurora|MV Northern Star|MV Meridian|MV Polaris")},
	{names: "voyage voyagenumber", texts: patterns("###@")},
	{names: "billoflading blnumber bolnumber", texts: patterns("BL########")},
	{names: "containernumber containerno", texts: writes(shipCode)},
	{names: "isotype containertype containersize", texts: oneOf("22G1|42G1|45G1|45R1")},
	{names: "sealnumber", texts: patterns("SL######")},
	{names: "packagingtype packagetype packaging", texts: oneOf("carton|pallet|crate|envelope")},
	{names: "customsdescription goodsdescription contentsdescription commodity cargo", texts: oneOf("Garden furniture|Spare parts|Printed books|Cotton shirts|Office lamps")},
	{names: "description content contents", under: "parcel package", texts: oneOf("Garden furniture|Spare parts|Printed books|Cotton shirts|Office lamps")},
	{names: "statuscode eventcode", under: "event trackingevent shipment", texts: oneOf("PU|IT|AR|OD|DL")},
	{names: "description message", under: "trackingevent scan checkpoint",
		texts: oneOf("Picked up by the carrier|Arrived at the sorting centre|Left the facility|Out for delivery|Delivered to the recipient")},
	{names: "weightkg weight", under: "parcel package box", numbers: scaled(4, 280, 10)},
	{names: "lengthcm widthcm heightcm length width height", under: "parcel package box", numbers: between(12, 118)},
	{names: "tareweight tareweightkg", numbers: between(2200, 3900)},
	{names: "grossweight grossweightkg", numbers: between(8_400, 29_800)},
	{names: "maxpayload maxpayloadkg payloadkg", numbers: between(7_500, 24_000)},
	{names: "transitdays leadtimedays deliverydays", numbers: between(1, 9)},
	{names: "capacitypallets palletcapacity", numbers: between(800, 9_000)},
	{names: "occupiedpallets", numbers: between(200, 780)},
	{names: "amenity amenities facilities roomamenities", texts: oneOf("Free Wi-Fi|Parking|Breakfast|Air conditioning|Gym|Sauna|Bicycle storage")},
	{names: "chain hotelchain", texts: oneOf("Lakeside Hotels|Northern Inns|Castell Collection")},
	{names: "bedtype bedding", texts: oneOf("King|Queen|Twin|Double|Single")},
	{names: "=view roomview", under: "room roomtype suite apartment", texts: oneOf("Sea view|Garden view|City view|Courtyard")},
	{names: "mealplan boardtype board", texts: oneOf("Room only|Breakfast included|Half board|Full board")},
	{names: "cancellationpolicy cancellationterms refundpolicy",
		texts: oneOf("Free cancellation up to 24 hours before arrival|Non-refundable|Free cancellation up to 7 days before")},
	{names: "name title", under: "rateplan", texts: oneOf("Flexible rate|Saver rate|Weekend rate|Breakfast rate|Long stay|Early booker|Last minute|Member rate")},
	{names: "bookingsource bookingchannel", texts: oneOf("website|phone|travel agency|walk-in")},
	{names: "specialrequests specialrequest guestrequests specialinstructions",
		texts: oneOf("A quiet room, please.|Late arrival, around 22:00.|A table by the window, please.|High floor if possible.")},
	{names: "occasion", texts: oneOf("Birthday|Anniversary|Business dinner|Graduation")},
	{names: "room roomnumber roomno clinicroom examroom meetingroom classroom conferenceroom",
		texts: writes(func(f *formats.Faker) string {
			return pick(f, "Room ", "Room ", "Room ", "") + strconv.Itoa(101+f.IntN(340))
		}),
		numbers: between(101, 440)},
	{names: "floor floornumber storey", numbers: between(0, 9), texts: oneOf("Ground floor|1st floor|2nd floor|3rd floor")},
	{names: "adults numberofadults adultcount", numbers: between(1, 3)},
	{names: "children infants numberofchildren childcount kids", numbers: between(0, 3)},
	{names: "guests numberofguests guestcount partysize covers pax passengercount maxguests maxoccupancy", numbers: between(1, 6)},
	{names: "maxoccupancy sleeps", under: "room roomtype", numbers: between(1, 5)},
	{names: "nights numberofnights nightcount lengthofstay minstay minimumstay minnights", numbers: between(1, 6)},
	{names: "maxstay maxnights maximumstay", numbers: between(14, 30)},
	{names: "starrating hotelstars", numbers: between(2, 5)},
	{names: "totalrooms roomcount numberofrooms roomscount", under: "hotel property venue", numbers: between(24, 260)},
	{names: "availablerooms roomsavailable", numbers: between(1, 18)},
	{names: "sizesqm areasqm floorareasqm squaremeters sqm aream2 floorspace livingspace livingarea", numbers: between(24, 180)},
	{names: "sizesqm areasqm", under: "room roomtype", numbers: between(14, 62)},
}
