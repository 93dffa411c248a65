package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// sentences about things of no known kind; {t} stands for the thing's words.
const sentences = "The {t} is ready for use.|Added at the request of the support team.|" +
	"Details of the {t} are in the guide.|Replaces the earlier {t}.|Used by several teams.|" +
	"Kept up to date by the support team.|Available on request.|Part of the standard setup.|" +
	"Changed after feedback from customers.|Checked and approved by two people."

// messages tell people what became of the thing.
const messages = "The {t} was saved.|The {t} has been updated.|Thanks, we will look into it today.|The {t} is " +
	"being processed.|" +
	"Please have a look when you find the time.|Everything is in order with the {t}.|The {t} will be ready " +
	"tomorrow morning."

const comments = "Looks good, thank you!|Please deliver in the morning.|The {t} arrived on time.|Call before " +
	"you come by.|" +
	"We agreed on this in the last meeting.|Could you check the {t} again?|Very happy with the result.|Leave it " +
	"at the front desk."

const reasons = "Requested by the customer.|The {t} is no longer needed.|It was entered twice by mistake.|A " +
	"part is missing.|The address was incomplete."

const failures = "The {t} could not be found.|A required value is missing.|The {t} was changed by someone else.|" +
	"The request took too long.|" +
	"The value is outside the allowed range."

// said writes one of sentences about a thing.
func said(list string, t Thing) Maker {
	article := "a "
	texts := strings.Split(list, "|")
	if strings.ContainsRune("aeiou", rune(t.text()[0])) {
		article = "an "
	}
	for i := range texts {
		texts[i] = strings.ReplaceAll(strings.ReplaceAll(texts[i], "a {t}", article+t.text()), "{t}", t.text())
		texts[i] = strings.ReplaceAll(texts[i], "A "+t.text(), formats.Title(article)+t.text())
	}
	own := func(*locales.Locale) []string { return nil }
	switch list {
	case comments, remarks:
		own = (*locales.Locale).Said
	case sentences:
		own = (*locales.Locale).Described
	}
	return inLocale(own, strings.Join(texts, "|"))[0]
}

// sentence describes a thing.
func sentence(t Thing) Maker {
	if t.kind == nil {
		return said(sentences, t)
	}
	about, any := said(t.kind.said, t), said(sentences, t)
	return func(f *formats.Faker, at Place, format string) string {
		if f.Locale != nil && f.Locale.Sentences != nil {
			return any(f, at, format)
		}
		return about(f, at, format)
	}
}

// Tell has a text of which nothing is known be a sentence about a thing.
func (h *Hint) Tell(about Thing) {
	if h.Open {
		h.Texts = []Maker{sentence(about)}
	}
}

// saying is one of sentences about the object.
type saying string

func (list saying) makers(_ []string, t Thing) []Maker {
	if t.is(troubles) {
		t = Thing{} // an error is about something else
	}
	return []Maker{said(string(list), t)}
}

const troubles = "error warning problem fault violation exception failure"

func describe(words []string, t Thing) []Maker {
	if n := len(words) - 1; n > 0 {
		if own := Named(strings.Join(words[:n], "_")); own.IsKnown() {
			return []Maker{sentence(own)} // course_description
		}
	}
	return []Maker{sentence(t)}
}

// nameOf names a thing: as its kind is named, else by its words.
func nameOf(_ []string, t Thing) []Maker {
	switch {
	case t.kind != nil:
		return t.kind.called()
	case len(t.words) == 0:
		return anyName.makers(nil, Thing{})
	}
	var titled []string
	for _, w := range t.words {
		titled = append(titled, formats.Title(w))
	}
	return qualified(strings.Join(titled, " "))
}

// anyName names what nothing is known of.
const anyName = oneOf("Spring Collection|Weekly Overview|Harbour Project|Northern Route|Summer Programme|" +
	"Team Handbook|Price List|Office Move|Winter Launch|City Guide|Annual Review|Garden Plan|Main Catalogue|" +
	"Partner Portal|Lakeside Office|Market Day|Evening Edition|Coastal Survey|New Arrivals|Starter Set")

// qualified tells things of no known kind apart.
func qualified(thing string) []Maker {
	first, _, _ := strings.Cut(thing, " ")
	fitting := slices.DeleteFunc(slices.Clone(qualifiers), func(q string) bool { return q == first })
	qualifier := func(f *formats.Faker) string { return fitting[f.IntN(len(fitting))] }
	return []Maker{writing(func(f *formats.Faker) string { return qualifier(f) + " " + thing }), writing(qualifier)}
}

// qualifiers tell things of any kind apart.
var qualifiers = strings.Split("Regional|Global|Partner|Customer|Seasonal|Quarterly|Monthly|Weekly|Annual|European|Northern|Southern|"+
	"Eastern|Western|Central|Pilot|Premium|Standard|Extended|Shared|Internal|External|Public|Corporate|Mobile|General|Local|Main|"+
	"Primary|Secondary|Backup|Preferred|Certified|Advanced|Essential|Flexible|Custom|Simple|Compact|Detailed|Classic|Special|"+
	"Common|Basic|Second|First|New", "|")

// nameOfWords names what a property such as planName is about: its own words.
func nameOfWords(words []string, t Thing) []Maker {
	if len(words) > 1 {
		if own := Named(strings.Join(words[:len(words)-1], "_")); len(own.words) > 0 {
			return nameOf(nil, own)
		}
	}
	return nameOf(nil, t)
}

// readableName is nameOf as people read it: "Billing email" for billing_email.
func readableName(words []string, t Thing) []Maker {
	all := nameOf(words, t)
	if t.kind == nil || t.kind.name != "field" {
		return all
	}
	return []Maker{func(f *formats.Faker, at Place, format string) string {
		return formats.Title(strings.ReplaceAll(all[0](f, at, format), "_", " "))
	}}
}

// titleOf is nameOfWords with a capital.
func titleOf(words []string, t Thing) []Maker {
	write := nameOfWords(words, t)[0]
	return []Maker{func(f *formats.Faker, at Place, format string) string {
		return formats.Title(write(f, at,
			format))
	}}
}

var prose = []rule{
	{names: "name label title2 =value2 shortname longname", texts: made(nameOfWords), phrases: "name of the|display name|" +
		"human-readable name|human readable name"},
	{names: "displayname friendlyname", texts: made(readableName)},
	{names: "=value stringvalue fieldvalue attributevalue optionvalue", texts: oneOf("Blue|Large|42|Yes|North|Weekly|B-12|Standard")},
	{names: "=title caption headline", under: "photo image picture", texts: oneOf("Harbour at dusk|Morning in the garden|" +
		"The old bridge|Market day|A quiet street|Autumn leaves|Boats on the lake|Evening light")},
	{names: "=title headline caption", under: "file", texts: oneOf("Project Plan|Meeting Notes|Annual Report|Onboarding Guide|" +
		"Price List|Release Checklist|Travel Policy|Design Review|Budget Overview|Supplier Contract")},
	{names: "title headline heading subtitle caption", texts: made(titleOf)},
	{names: "fullname", texts: person(fullName)},
	{names: "subject", texts: oneOf("Your order has shipped|Meeting notes from Tuesday|Invoice for May|Welcome to the team|" +
		"Question about delivery")},
	{names: "description desc descr summary bio about details abstract excerpt overview body text content info " +
		"longdescription shortdescription detail " +
		"explanation purpose biography profile2 story instructions guidelines usage help tooltip hint " +
		"introduction announcement disclaimer advice " +
		"bodytext plaintext markdown =data snippet highlight statement information additionalinformation additionalinfo " +
		"explanation justification usecase usecasesummary narrative narration", phrases: "description of|a description|" +
		"human-readable description|free text|free-form", texts: made(describe), formats: "markdown"},
	{names: "message msg notification welcomemessage", texts: saying(messages)},
	{names: "comment comments note notes remark remarks feedback memo annotation reply", texts: saying(comments)},
	{names: "reason cancellationreason failurereason statusreason rejectionreason why statusmessage " +
		"statusdetail", texts: saying(reasons)},
	{names: "error errormessage err errordescription errors warning warnings failuremessage usermessage " +
		"problem", texts: saying(failures)},
	{names: "message msg detail details description title", under: troubles, texts: saying(failures)},
	{names: "question", texts: oneOf("When will my order arrive?|Which size should I choose?|How do I change my address?|Can I " +
		"pay by invoice?")},
	{names: "options option choice answer answeroption possibleanswer", under: "question quiz quizquestion poll pollquestion survey",
		texts: oneOf("Always|Often|Sometimes|Rarely|Never|Every week|Once a month|I am not sure")},
	{names: "answer", texts: oneOf("Within three working days.|Please use the form in your account.|Yes, up to 30 days after " +
		"delivery.")},
	{names: "placeholder", texts: oneOf("Enter your e-mail address|Search for products|Select a date")},
	{names: "quote", texts: made(describe)},
}

// states are rules for states and for words that tell sorts of things apart.
var states = []rule{
	{names: "status state orderstatus paymentstatus jobstatus lifecyclestatus currentstatus processingstatus",
		under: "order payment invoice shipment",
		texts: oneOf("open|paid|shipped|delivered|pending")},
	{names: "status state jobstatus runstatus", under: "job", texts: oneOf("queued|running|completed|failed")},
	{names: "status state accountstatus", under: "person", texts: oneOf("active|active|active|invited|inactive")},
	{names: "status state lifecycle stage phase availability health condition", texts: oneOf("active|pending|" +
		"completed|inactive")},
	{names: "result outcome conclusion decision", texts: oneOf("success|approved|completed")},
	{names: "mode", texts: oneOf("auto|manual|off")},
	{names: "=type =kind", under: "address", texts: oneOf("home|work|billing|shipping")},
	{names: "=type =kind", under: "phone phonenumber mobile", texts: oneOf("mobile|home|work")},
	{names: "=type =kind", under: "email emailaddress", texts: oneOf("work|personal")},
	{names: "=type =kind", under: "payment paymentmethod method", texts: oneOf("card|bank_transfer|wallet")},
	{names: "=type =kind accounttype", under: "account", texts: oneOf("checking|savings|business")},
	{names: "=type =kind", under: "person", texts: oneOf("member|admin|guest")},
	{names: "=type =kind", under: "company", texts: oneOf("customer|supplier|partner")},
	{names: "=type =kind", under: "issue ticket bug incident", texts: oneOf("bug|feature|task|question")},
	{names: "=type =kind", under: "event", texts: oneOf("meeting|workshop|webinar|conference")},
	{names: "=type =kind", under: "transaction refund", texts: oneOf("payment|refund|payout")},
	{names: "=type =kind", under: "order", texts: oneOf("online|in_store|subscription")},
	{names: "=type =kind", under: "job", texts: oneOf("import|export|sync|cleanup")},
	{names: "=type =kind", under: "product", texts: oneOf("physical|digital|service")},
	{names: "=type =kind", under: "discount", texts: oneOf("percentage|fixed_amount")},
	{names: "taxtype", texts: patterns("VAT##")}, // the key of tax rates in some documents
	{names: "=type =kind", under: "tax", texts: oneOf("vat|sales_tax")},
	{names: "=type =kind", under: "location", texts: oneOf("store|warehouse|office")},
	{names: "=type =kind", under: "activity", texts: oneOf("call|email|meeting|task")},
	{names: "=type =kind", under: "message comment post", texts: oneOf("text|image|link")},
	{names: "=type =kind", under: "notification alert channel", texts: oneOf("email|sms|push")},
	{names: "=type =kind datatype valuetype fieldtype columntype", under: "field", texts: oneOf("string|number|boolean|date")},
	{names: "datatype valuetype fieldtype columntype keytype", texts: oneOf("string|number|boolean|date")},
	{names: "=type =kind", under: "plan", texts: oneOf("monthly|yearly|trial")},
	{names: "=type =kind", under: "device sensor", texts: oneOf("phone|tablet|laptop|sensor")},
	{names: "risklevel risk", texts: oneOf("low|medium|high")},
	{names: "strength signalstrength", texts: oneOf("excellent|good|fair")},
	{names: "difficulty", texts: oneOf("easy|medium|hard")},
	{names: "source origin2 channel2 salesource leadsource trafficsource", texts: oneOf("web|mobile|api|import")},
	{names: "trigger triggeredby", texts: oneOf("schedule|manual|webhook")},
	{names: "action actionname activitytype", texts: oneOf("created|updated|viewed|approved")},
	{names: "boolean enabled =success active", texts: oneOf("true|false")},
}
