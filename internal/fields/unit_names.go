package fields

import (
	"slices"
	"strings"
)

// quantities are units by words of the quantity that they are of: the unit of a power, a height, a temperature.
var quantities = []struct{ words, units string }{
	{"power load demand wattage", "kW|W"}, {"energy counter consumption generation electricity", "kWh|MWh"}, {"temperature temp", "°C|°F"},
	{"weight mass payload", "kg|lb"}, {"height width depth length diameter size dimension dimensions", "cm|mm|in"},
	{"distance odometer range mileage altitude elevation", "km|mi|m"}, {"volume flow water fuel tank", "l|m³"}, {"speed velocity wind", "km/h|mph|m/s"},
	{"duration time interval period age delay timeout", "minutes|hours|days"}, {"pressure", "hPa|bar"}, {"voltage", "V"}, {"current amperage", "A"},
	{"area surface", "m²|ha"}, {"storage memory disk bandwidth data", "GB|MB"}, {"humidity", "%"}, {"price currency money amount cost", "EUR|USD"},
	{"dose dosage concentration", "mg|ml"}, {"frequency", "Hz|MHz"}, {"angle rotation heading", "°"},
}

// unitOf writes the unit of what the words before "unit" name, nil for a quantity that is not known.
func unitOf(words []string) []Maker {
	n := len(words) - 1
	if n < 1 || words[n] != "unit" && words[n] != "units" && words[n] != "uom" {
		return nil
	}
	for _, q := range quantities {
		if slices.ContainsFunc(words[:n], func(w string) bool { return slices.Contains(strings.Fields(q.words), w) }) {
			return oneOf(q.units).makers(nil, Thing{})
		}
	}
	return nil
}
