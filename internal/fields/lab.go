package fields

import "github.com/coldframe/coldframe/internal/formats"

const (
	engines  = "vehicle car truck van bus fleetvehicle"
	labTests = "analyticalresult assay"
)

// odometer suggests what a vehicle of a fleet has run, in kilometres: what an object has of it is near each other.
func odometer(f *formats.Faker, at Place) Window {
	n := int64(20_000 + f.Seed(at.decision(9)).IntN(140_000))
	return Window{n, n + 400, 1}
}

// lab are rules for laboratories and for workshops.
var lab = []rule{
	{names: "matrix samplematrix", texts: oneOf("Drinking water|Soil|Serum|Waste water|Leaf tissue")},
	{names: "sampletype specimentype", under: "sample aliquot", texts: oneOf("Blood|Water|Soil|Tissue|Swab")},
	{names: "storagelocation freezerposition storageposition boxposition", texts: patterns("F2-R#-B0#")},
	{names: "containertype vialtype tubetype", texts: oneOf("Cryotube 2 ml|EDTA tube|Glass vial|Falcon 50 ml")},
	{names: "hazardclass", texts: oneOf("BSL-1|BSL-2|Flammable liquid|None")},
	{names: "purity260280 a260280", numbers: scaled(178, 206, 100)},
	{names: "concentration", texts: oneOf("0.1 mol/l|5 mg/ml|70 %|1 M"), numbers: scaled(40, 4_200, 10)},
	{names: "temperatureonarrival temperatureonarrivalc arrivaltemperature", numbers: scaled(20, 80, 10)},
	{names: "temperaturesetpoint temperaturesetpointc currenttemperature currenttemperaturec", under: "storageunit freezer fridge incubator", numbers: scaled(-820, -180, 10)},
	{names: "analyte parameter compound substance testedfor", under: labTests, texts: together("Nitrate|Lead|Glucose|pH|Chloride")},
	{names: "analyte", texts: together("Nitrate|Lead|Glucose|pH|Chloride")},
	{names: "=unit units", under: labTests, texts: together("mg/l|µg/l|mmol/l|pH|mg/l")},
	{names: "detectionlimit limitofdetection quantificationlimit", numbers: scaled(1, 20, 100)},
	{names: "uncertainty measurementuncertainty", numbers: scaled(2, 90, 10)},
	{names: "dilutionfactor", numbers: between(1, 20)},
	{names: "replicates replicatecount", numbers: between(1, 5)},
	{names: "flag resultflag", under: labTests, texts: oneOf("normal|high|low")},
	{names: "resulttext interpretation", texts: oneOf("Within the limits.|Complies with the specification.|Below the detection limit.|Slightly raised.")},
	{names: "conclusion assessment", under: "certificate certificateanalysis certificateofanalysis report", texts: oneOf("The sample complies with the specification.|All values are within the limits.")},
	{names: "name", under: "instrument labinstrument analyzer", texts: oneOf("HPLC 1200|Centrifuge 5810|Mass spectrometer|pH meter|PCR cycler|Microplate reader|Balance XS204|Gas chromatograph")},
	{names: "assettag tagnumber inventorytag", texts: patterns("AT-0####")},
	{names: "calibrationcertificate certificatenumber accreditationnumber", texts: patterns("DKD-K-####")},
	{names: "name", under: "reagent chemical substance solvent", texts: oneOf("Ethanol|Sodium chloride|Acetonitrile|Tris buffer|Methanol|Agarose|Nitric acid|Potassium iodide")},
	{names: "cas casnumber casno", texts: oneOf("64-17-5|7647-14-5|75-05-8|67-56-1")},
	{names: "catalognumber cataloguenumber catno", texts: patterns("####-#####")},
	{names: "hazardstatement hazardstatements hstatements", texts: oneOf("H225|H302|H319|H332")},
	{names: "storageconditions storagecondition storagetemperature storageinstructions", texts: oneOf("2-8 °C|-20 °C|Room temperature, dry|Protect from light")},
	{names: "=unit", under: "reagent chemical solvent", texts: oneOf("ml|g|l|mg")},
	{names: "molecularweight molarmass", numbers: scaled(320, 4_200, 10)},
	{names: "title name", under: "protocol sop labprotocol method", texts: oneOf("DNA extraction from blood|Determination of nitrate|ELISA for serum|Preparation of buffers|Sterility test|Calibration of balances")},
	{names: "purpose description", under: "protocol sop labprotocol method", texts: oneOf("Isolates DNA for sequencing.|Measures nitrate in drinking water.|Describes cleaning and checks before use.")},
	{names: "safetynotes safetyinstructions precautions", texts: oneOf("Wear gloves and safety goggles.|Work under the fume hood.|Dispose of waste in container B.")},
	{names: "instruction instructions text description", under: "protocolstep recipestep step instruction preparationstep", texts: oneOf("Mix gently for one minute.|Incubate for ten minutes.|Add 5 ml and stir.|" +
		"Let it cool to room temperature.|Repeat twice.")},
	{names: "equipment", under: "protocolstep step protocol", texts: oneOf("Centrifuge|Pipette|Water bath|Vortex mixer")},
	{names: "order stepnumber sequence position", under: "step protocolstep recipestep chapter instruction", numbers: between(1, 6)},
	{names: "sealtype", texts: oneOf("Adhesive foil|Heat seal|Cap mat")},
	{names: "format wellcount", under: "plate microplate", numbers: between(96, 96), texts: oneOf("96 wells|384 wells")},
	{names: "position wellposition", under: "well", texts: together("A1|B4|C7|H12")},
	{names: "row wellrow", under: "well", texts: together("A|B|C|H")},
	{names: "column wellcolumn", under: "well", numbers: between(1, 12)},
	{names: "name", under: "storageunit freezer fridge", texts: oneOf("Freezer 1|Freezer 2|Fridge A|Nitrogen tank|Cold room|Cabinet 3")},
	{names: "odometer odometeratservice odometerreading lastserviceodometer mileage kilometers", under: engines + " workorder inspection fueltransaction service servicereminder trip reminder",
		numbers: windows(odometer)},
	{names: "nextdueodometer nextserviceodometer nextduemileage", numbers: windows(func(f *formats.Faker, at Place) Window {
		w := odometer(f, at)
		return Window{w.Lo + 10_000, w.Hi + 15_000, 1}
	})},
	{names: "co2gramsperkm co2perkm gramsperkm co2", under: engines, numbers: between(48, 178)},
	{names: "odometerunit distanceunit", texts: oneOf("km")},
	{names: "enginesize displacement enginedisplacement enginecapacity", numbers: scaled(10, 30, 10), texts: oneOf("2.0 l|1.6 l|3.0 l")},
	{names: "averageconsumption fuelconsumption fueleconomy litersper100km", numbers: scaled(48, 124, 10)},
	{names: "tiresize tyresize tiredimension", texts: oneOf("205/55 R16|225/45 R17|195/65 R15")},
	{names: "registrationstate licensestate issuingstate issuingauthority", texts: inPlaces{region, func(t *town) string { return t.regionCode }}},
	{names: "fuelgrade fuelproduct", texts: oneOf("Diesel|Super E10|Premium 95")},
	{names: "stationname", under: "fueltransaction fuel refuel fuelstop", texts: oneOf("Northwind Fuel|Lakeside Station|Highway Stop 12|Castell Oil")},
	{names: "priceperliter priceperlitre fuelprice", numbers: scaled(148, 199, 100)},
	{names: "title name description subject", under: "workorder maintenance repairorder serviceorder maintenancetask", texts: oneOf("Replace brake pads|Oil and filter change|Check the engine light|Rotate tyres|" +
		"Repair the door lock|Annual inspection|Replace the battery|Fix coolant leak")},
	{names: "name description", under: "part sparepart partusage vehiclepart", texts: oneOf("Brake pad set|Oil filter|Wiper blade|Air filter|Spark plug|V-belt|Headlight bulb|Shock absorber")},
	{names: "category", under: "part sparepart vehiclepart", texts: oneOf("Brakes|Filters|Electrics|Engine|Tyres")},
	{names: "compatiblemodels compatiblewith fitsmodels", texts: oneOf("Transit|Sprinter|Crafter|Ducato")},
	{names: "brakepadthicknessmm treaddepthmm treaddepth brakepadthickness", numbers: scaled(24, 86, 10)},
	{names: "component affectedcomponent system", under: "defect fault inspectionitem", texts: together("Brakes|Lights|Tyres|Steering|Windscreen")},
	{names: "description", under: "defect inspectionitem", texts: together("Front pads are worn.|Left indicator does not work.|Tread below the limit.|Slight play in the wheel.|Crack in the lower corner.")},
	{names: "inspectiontype", texts: oneOf("Annual|Pre-trip|Safety|Emissions")},
	{names: "servicetype maintenancetype", texts: oneOf("Oil change|Tyre rotation|Brake check|Annual service")},
	{names: "intervalkm servicekm intervalmiles", numbers: between(10_000, 30_000)},
	{names: "maxspeedkph maxspeed topspeed", under: "trip journey ride", numbers: between(88, 138)},
	{names: "averagespeedkph averagespeed avgspeed", under: "trip journey", numbers: between(38, 84)},
	{names: "harshbrakingevents harshaccelerationevents speedingevents hardbrakes accidentcount violations", numbers: between(0, 4)},
	{names: "distancekm distance", under: "trip journey", numbers: scaled(80, 1_400, 10)},
	{names: "purpose", under: "trip journey businesstrip", texts: oneOf("Delivery|Customer visit|Service call|Commute")},
	{names: "endaddress dropoffaddress toaddress destinationaddress", texts: Maker(otherStreet)},
	{names: "startaddress pickupaddress donoraddress fromaddress streetandnumber", texts: Maker(street)},
	{names: "description", under: "accident collision crash", texts: oneOf("Rear-end collision at a crossing.|Scratched a post while parking.|A stone hit the windscreen.|Side mirror hit on a narrow road.")},
	{names: "faultparty atfault responsibleparty", texts: oneOf("Other driver|Own driver|Unknown|Shared")},
	{names: "emergencycontactname emergencycontact nextofkin", texts: writes(someone)},
	{names: "emergencycontactphone emergencyphone", texts: Maker(func(f *formats.Faker, at Place, _ string) string {
		t := townOf(f, at)
		return t.calling + pattern(t.phone)(f.Seed(at.decision(25)))
	})},
	{names: "purchaseprice price cost acquisitioncost", under: engines, formats: "decimal", texts: hundreds{14_000, 68_000}, numbers: hundreds{14_000, 68_000}, units: true},
	{names: "currentvalue residualvalue bookvalue marketvalue", under: engines, formats: "decimal", texts: hundreds{6_000, 13_900}, numbers: hundreds{6_000, 13_900}, units: true},
	{names: "laborrate labourrate hourlyrate", under: "workorder repairorder serviceorder job", formats: "decimal", texts: cents{3_500, 9_500}, numbers: cents{3_500, 9_500}, units: true},
}
