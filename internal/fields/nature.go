package fields

import "github.com/coldframe/coldframe/internal/formats"

const (
	animalThings = "livestock animal cattle cow sheep goat pig herd heifer calf"
	farmThings   = "farm field parcel plot crop harvest planting paddock treatment"
	cropNames    = "Winter wheat|Maize|Potatoes|Sugar beet|Barley|Rapeseed|Soybeans|Oats"
)

// clockAt is a time of the day within some hours from one.
type clockAt struct{ from, hours int }

func (c clockAt) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		minutes := f.IntN(c.hours * 60)
		return twoDigits(c.from+minutes/60) + ":" + twoDigits(minutes%60)
	})}
}

func twoDigits(n int) string { return formats.Digits[n/10:n/10+1] + formats.Digits[n%10:n%10+1] }

// nature are rules for farms, animals and the weather.
var nature = []rule{
	{names: "name", under: "farm ranch estate vineyard orchard", texts: oneOf("Hillcrest Farm|Willow Brook Farm|Oakfield Estate|Meadow View|Stone Bridge Farm|Northfield Farm|Riverside Dairy|" +
		"Sunny Acres|Lindenhof|Orchard House")},
	{names: "name fieldname", under: "agriculturalfield parcel plot paddock", texts: oneOf("North Meadow|Long Field|Mill Paddock|River Bottom|Church Field|Upper Twenty")},
	{names: "name title commonname cropname crop", under: "crop planting", texts: oneOf(cropNames)},
	{names: "croptype crop cropname plantedcrop currentcrop", texts: oneOf(cropNames)},
	{names: "variety cultivar", texts: oneOf("Elstar|Charlotte|Golden Promise|Nantaise|Early Bird|Bolero")},
	{names: "scientificname latinname botanicalname", under: "crop", texts: oneOf("Triticum aestivum|Zea mays|Solanum tuberosum|Hordeum vulgare|Beta vulgaris")},
	{names: "family plantfamily botanicalfamily", under: "crop plant species", texts: oneOf("Poaceae|Solanaceae|Fabaceae|Brassicaceae|Rosaceae")},
	{names: "hardinesszone", texts: oneOf("6b|7a|7b|8a")},
	{names: "soiltype soil", texts: oneOf("Loam|Clay|Sandy loam|Silt|Chalk")},
	{names: "soilph ph phlevel phvalue", numbers: scaled(55, 78, 10)},
	{names: "irrigationtype irrigation irrigationmethod", texts: oneOf("Drip|Sprinkler|Pivot|Rain-fed")},
	{names: "slopepercent slope gradient", numbers: scaled(5, 120, 10)},
	{names: "ndvi ndvimean ndviindex", numbers: scaled(32, 88, 100)},
	{names: "moisture moisturepercent grainmoisture", numbers: scaled(115, 182, 10)},
	{names: "soilmoisture", numbers: scaled(140, 380, 10)},
	{names: "growthdays daystomaturity growingdays", numbers: between(70, 160)},
	{names: "seedrate seedratekgperha seedingrate", numbers: between(90, 220)},
	{names: "waterrequirementmm waterrequirement", numbers: between(300, 700)},
	{names: "yieldtonnes yield", under: "harvest field crop", numbers: scaled(120, 2_400, 10)},
	{names: "yieldperha yieldtonnesperha yieldperhectare", numbers: scaled(32, 98, 10)},
	{names: "pricepertonne priceperton", numbers: between(160, 420)},
	{names: "grade quality qualitygrade", under: "harvest crop coffee lot", texts: oneOf("A|A1|B|Premium")},
	{names: "storagelocation silo storage", under: "harvest crop lot", texts: oneOf("Silo 2|North barn|Cold store 1|Granary")},
	{names: "targetpest pest pests", texts: oneOf("Aphids|Leaf rust|Couch grass|Potato blight")},
	{names: "activeingredient", texts: oneOf("Glyphosate|Copper hydroxide|Azoxystrobin|Pyrethrin")},
	{names: "product productname", under: "treatment spraying fertilization", texts: oneOf("RustGuard 250|BioSpray|GreenGrow NPK|ClearField")},
	{names: "operator operatorname applicator", under: "treatment machine machinery shift batch", texts: writes(someone)},
	{names: "doselitresperha doserate applicationrate", under: "treatment", numbers: scaled(5, 40, 10), texts: oneOf("1.5 l/ha|2 l/ha")},
	{names: "areaha areahectares areatreatedha hectares areatreated", numbers: scaled(12, 640, 10)},
	{names: "areaacres acres acreage", under: "farm field parcel", numbers: scaled(120, 9_800, 10)},
	{names: "boundary boundarygeojson geojson polygon geometry", texts: oneOf(`{"type":"Polygon","coordinates":[[[13.4,52.5],[13.5,52.5],[13.5,52.6],[13.4,52.5]]]}`)},
	{names: "enginehours operatinghours machinehours", numbers: between(180, 6_400)},
	{names: "horsepower hp enginepower", numbers: between(75, 380)},
	{names: "make brand manufacturer", under: "tractor machinery equipment machine combine harvester", texts: together("Fendt|Claas|Deutz-Fahr|Kubota")},
	{names: "model", under: "tractor machinery equipment machine combine harvester", texts: together("724 Vario|Arion 550|6165 TTV|M7-172")},
	{names: "fueltype", under: "tractor machinery equipment machine", texts: oneOf("diesel|electric|biodiesel")},
	{names: "species animaltype", under: animalThings, texts: together("Cattle|Sheep|Pig|Goat")},
	{names: "breed", under: animalThings, texts: together("Holstein|Suffolk|Landrace|Boer")},
	{names: "sex gender", under: animalThings + " pet dog cat horse", texts: oneOf("female|male")},
	{names: "eartag mothertag fathertag damtag siretag animaltag", texts: patterns("DE 09 ### #####")},
	{names: "herd herdname flock", texts: oneOf("Dairy herd|Young stock|North flock|Suckler herd")},
	{names: "birthdate dateofbirth birthday", under: animalThings + " pet dog cat horse", formats: "date date-time", texts: past{1, 9}},
	{names: "weightkg weight", under: animalThings, numbers: between(60, 740)},
	{names: "weightkg weight", under: "pet dog cat", numbers: scaled(32, 380, 10)},
	{names: "vaccination vaccinations vaccines", texts: oneOf("Bluetongue|Tetanus|Rabies|BVD|Influenza")},
	{names: "price saleprice purchaseprice", under: animalThings, formats: "decimal", texts: hundreds{800, 4_200}, numbers: hundreds{800, 4_200}, units: true},
	{names: "purchaseprice price acquisitioncost", under: "tractor machinery equipment machine combine", formats: "decimal", texts: hundreds{18_000, 240_000}, numbers: hundreds{18_000, 240_000}, units: true},
	{names: "name", under: "weatherstation", texts: oneOf("Hill Top|River Bridge|North Barn|Orchard|Airfield|Lake Shore")},
	{names: "condition conditions weathercondition weather weatherconditions summary description", under: "weatherreading weather forecast observation dailyforecast hourlyforecast",
		texts: oneOf("Partly cloudy|Light rain|Sunny|Overcast|Clear sky|Scattered showers")},
	{names: "temperaturec tempc temphighc temphigh hightemp highc maxtemp maxtempc temperaturemax tempmax hightemperature maxtemperaturec maxtemperature",
		numbers: scaled(140, 290, 10)},
	{names: "templowc templow lowtemp lowc mintemp mintempc temperaturemin tempmin lowtemperature mintemperaturec mintemperature", numbers: scaled(10, 130, 10)},
	{names: "dewpoint dewpointc windchill feelslike feelslikec apparenttemperature", numbers: scaled(20, 140, 10)},
	{names: "temperature airtemperature outdoortemperature", numbers: scaled(40, 270, 10)},
	{names: "indoortemperature roomtemperature targettemperature targettemp setpoint", numbers: scaled(180, 235, 10)},
	{names: "temperature temp", under: "room thermostat gallery showcase", numbers: scaled(185, 225, 10)},
	{names: "windspeedkmh windspeed windkmh windkph", numbers: scaled(30, 280, 10)},
	{names: "windgust windgustkmh gust gustspeed", numbers: scaled(290, 560, 10)},
	{names: "winddirectioncardinal winddir compassdirection cardinaldirection", texts: oneOf("N|NE|E|SE|S|SW|W|NW")},
	{names: "rainfallmm rainfall precipitation precipitationmm rainmm precipmm", numbers: scaled(0, 240, 10)},
	{names: "snowdepth snowfall snowcm", numbers: between(0, 22)},
	{names: "solarradiation radiation irradiance", numbers: between(80, 920)},
	{names: "uvindex uv", numbers: between(1, 9)},
	{names: "evapotranspiration eto leafwetness", numbers: scaled(8, 62, 10)},
	{names: "cloudcover cloudiness precipitationprobability rainprobability chanceofrain", numbers: between(5, 90)},
	{names: "moonphase", texts: oneOf("New moon|First quarter|Full moon|Waning crescent")},
	{names: "sunrise dawn", formats: "date-time time", texts: clockAt{5, 2}},
	{names: "sunset dusk", formats: "date-time time", texts: clockAt{17, 3}},
	{names: "batteryvoltage", numbers: scaled(330, 420, 100)},
}
