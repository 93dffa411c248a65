package fields

var media = []rule{
	{names: "albumname album albumtitle", texts: kindNames("album")},
	{names: "song songname track trackname songtitle tracktitle", texts: kindNames("album")},
	{names: "artist artistname band bandname performer singer composer", texts: kindNames("artist")},
	{names: "genre genres musicgenre", texts: oneOf("jazz|folk|electronic|classical|indie pop|drama|comedy")},
	{names: "booktitle movietitle moviename", texts: kindNames("book")},
	{names: "narrator narrators =author authors director producer copyrightholder photographer", texts: writes(someone)},
	{names: "edition", texts: oneOf("First edition|Second edition|Anniversary edition")},
	{names: "copyright copyrights copyrightnotice", texts: oneOf("© 2025 Northwind Media|© 2024 Lakeside Records")},
	{names: "lyrics", texts: oneOf("The lights go down along the bay.")},
	{names: "codec videocodec audiocodec", texts: oneOf("h264|aac|opus|vp9")},
	{names: "resolution", texts: oneOf("1920x1080|1280x720|3840x2160")},
	{names: "aspectratio", texts: oneOf("16:9|4:3|1:1")},
	{names: "quality", texts: oneOf("high|medium|low")},
	{names: "fontfamily font fontname fontpostscriptname", texts: oneOf("Inter|Source Sans 3|Georgia|Roboto")},
	{names: "orientation layout", texts: oneOf("landscape|portrait")},
	{names: "tag tags keyword keywords label labels topics hashtags", texts: made(tags), around: true},
	{names: "industry sector", texts: oneOf("Retail|Logistics|Healthcare|Software|Manufacturing|Hospitality|Education")},
	{names: "category categories categoryname subcategory producttype", texts: made(categories), around: true},
	{names: "product products", texts: writes(productName)},
	{names: "=team teamname department group groupname groups teams squad", texts: kindNames("team")},
	{names: "project projectname workspace workspacename board boardname", texts: kindNames("project")},
	{names: "eventtitle meetingtitle", texts: kindNames("event")},
	{names: "channel channelname channels chatroom room roomname", texts: kindNames("channel")},
	{names: "plan planname subscriptionplan pricingplan tier", texts: kindNames("plan")},
	{names: "warehouse warehousename store venue venuename branchname2 office storelocation",
		texts: kindNames("location")},
	{names: "device devicename sensor machine", texts: kindNames("device")},
	{names: "campaign campaignname template templatename", texts: kindNames("template")},
	{names: "vehicle vehiclename rocketname rocket ship launch", texts: kindNames("vehicle")},
	{names: "species scientificname latinname", texts: oneOf("Monstera deliciosa|Aloe vera|Canis familiaris|" +
		"Quercus robur|Lavandula angustifolia")},
	{names: "breed", texts: oneOf("Labrador|Beagle|Siamese|Border Collie|Maine Coon")},
	{names: "ingredient ingredients", texts: oneOf("flour|olive oil|tomatoes|basil|garlic|butter")},
	{names: "allergen allergens", texts: oneOf("gluten|nuts|milk|soy")},
	{names: "sport", texts: oneOf("football|tennis|cycling|swimming")},
	{names: "=model", texts: oneOf("standard-2|compact-1|pro-3")},
	{names: "chemicalformula formula", texts: oneOf("H2O|NaCl|C6H12O6")},
	{names: "weather conditions", texts: oneOf("cloudy|sunny|light rain")},
}

// kindNames is a kind whose things the texts name.
type kindNames string

func (name kindNames) makers([]string, Thing) []Maker {
	for i := range kindTable {
		if kindTable[i].name == string(name) {
			return kindTable[i].called()
		}
	}
	panic("fields: there is no kind " + string(name))
}
