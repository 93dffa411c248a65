package fields

import (
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// person is writes for texts about the person whom the surrounding object is about.
type person func(f *formats.Faker, first, last string) string

func (write person) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, _ string) string {
		f.Seed(at.decision(1))
		first := f.FirstName()
		return write(f, first, f.LastName())
	}}
}

func fullName(f *formats.Faker, first, last string) string { return f.FullName(first, last) }

// someone writes the name of a person other than the one whom the object is about.
func someone(f *formats.Faker) string { return f.FullName(f.FirstName(), f.LastName()) }

func emailAddress(_ *formats.Faker, first, last string) string {
	return formats.LocalPart(first) + "." + formats.LocalPart(last) + "@example.com"
}

func userName(f *formats.Faker, first, last string) string {
	return formats.LocalPart(first) + formats.LocalPart(last)[:1] + formats.Letters(f, 2, formats.Digits)
}

func honorific([]string, Thing) []Maker { return inLocale((*locales.Locale).Honorifics, "Ms|Mr|Dr|Mx") }

var people = []rule{
	{names: "email emailaddress mail contactemail recipientemail", phrases: "email address|e-mail",
		formats: "email idn-email",
		texts:   person(emailAddress)},
	{names: "firstname givenname forename", texts: person(func(_ *formats.Faker, first,
		_ string) string {
		return first
	})},
	{names: "lastname familyname surname", texts: person(func(_ *formats.Faker, _,
		last string) string {
		return last
	})},
	{names: "middlename", texts: writes((*formats.Faker).FirstName)},
	{names: "fullname", under: "person", phrases: "full name|name of the user|name of the customer|" +
		"name of the account holder|account holder's name|account holder name|name of the cardholder|cardholder's name|" +
		"name of the card holder|name of the person|person's name|name of the payer|name of the contact|name of the employee",
		sure: true, texts: person(fullName)},
	{names: "realname contactname customername username2 holder holdername cardholdername cardholder " +
		"accountholder developername principalname callername initiatorname humanname narratorname " +
		"nameoncard payername buyername", texts: person(fullName)},
	{names: "displayname", under: "person profile account", texts: person(fullName)},
	{names: "author authorname =owner ownername =recipient sender assignee reviewer creator createdby updatedby " +
		"modifiedby " +
		"approvedby requestedby assignedto reportedby lasteditedby managername teacher driver performer " +
		"contactperson signatory " +
		"spokesperson ceo cto coo founder",
		texts: writes(someone)},
	{names: "=by", texts: writes(someone)},
	{names: "name legalname", under: "person", texts: person(fullName)},
	{names: "username login loginname nickname nick handle screenname userhandle skype skypeid discord telegram wechat", texts: person(userName)},
	{names: "gender sex", texts: oneOf("female|male|other")},
	{names: "=title honorific salutation prefixname", under: "person", texts: made(honorific)},
	{names: "salutation honorific nameprefix", texts: made(honorific)},
	{names: "prefix", under: "person name", texts: made(honorific)},
	{names: "suffix", under: "person name", texts: oneOf("Jr.|Sr.|PhD|MD")},
	{names: "namesuffix", texts: oneOf("Jr.|Sr.|PhD|MD")},
	{names: "initials", texts: person(func(f *formats.Faker, first, last string) string {
		return strings.ReplaceAll(f.FullName(string([]rune(first)[:1]), string([]rune(last)[:1])), " ", "")
	})},
	{names: "nationality", texts: oneOf("German|French|Canadian|Dutch|Spanish|Japanese|Brazilian|Irish")},
	{names: "birthday birthdate datebirth dateofbirth dob dateborn", formats: "date date-time",
		texts: Maker(func(f *formats.Faker, at Place, format string) string {
			years := 20 + f.Seed(at.Key).IntN(50)
			return f.Epoch().AddDate(-years, 0, f.IntN(365)).Format(layout(format, time.DateOnly))
		})},
	{names: "jobtitle job occupation profession position", under: "person",
		texts: writes((*formats.Faker).JobTitle)},
	{names: "jobtitle jobposition occupation profession", texts: writes((*formats.Faker).JobTitle)},
	{names: "department", texts: oneOf("Engineering|Sales|Marketing|Finance|Human Resources|Customer Support|" +
		"Operations|Legal")},
	{names: "role userrole rolename userroles authorassociation permissionlevel jobrole", texts: oneOf("admin|" +
		"editor|viewer|member|owner|manager")},
	{names: "permission permissions scope scopes grant grants privilege", texts: oneOf("read|write|admin|" +
		"orders:read|orders:write|profile|reports:read")},
	{names: "age", numbers: between(18, 80)},
	{names: "gendercode", texts: oneOf("F|M|X")},
	{names: "maritalstatus", texts: oneOf("single|married|divorced|widowed")},
	{names: "bloodtype", texts: oneOf("A+|B+|0+|AB+|A-|0-")},
	{names: "relationship relation relationshiptype", texts: oneOf("partner|parent|sibling|colleague|friend")},
}

// Role returns whom a property such as patient_name or doctorEmail is about, "" for none.
func Role(name string) string {
	words := Words(name)
	if n := len(words); n > 1 && kinds()[words[0]] == kinds()["person"] {
		switch words[n-1] {
		case "name", "email", "phone", "mobile":
			return words[0]
		}
	}
	return ""
}

// personal names say that an object is about a person.
const personal = `email firstname lastname username login birthday dateofbirth givenname familyname phonenumber jobtitle`
