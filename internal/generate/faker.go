package generate

import (
	"fmt"
	"strings"

	"github.com/brianvoe/gofakeit/v7"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/tree"
)

// fakerAliases lead from the names of Faker.js, of which x-faker is a habit, to those of gofakeit. Names that
// are not listed are gofakeit's own, in any case and without regard to what stands before the last dot:
// "person.firstName", "firstname", "FirstName".
var fakerAliases = map[string]string{
	"fullname": "name", "findname": "name", "username": "username", "streetaddress": "street", "zipcode": "zip",
	"phonenumber": "phone", "companyname": "company", "countrycode": "countryabr", "stateabbr": "stateabr",
	"jobtitle": "jobtitle", "productname": "productname", "words": "phrase", "text": "sentence", "paragraphs": "paragraph",
	"ip": "ipv4address", "ipv4": "ipv4address", "ipv6": "ipv6address", "mac": "macaddress", "avatar": "url",
	"rgb": "hexcolor", "currencycode": "currencyshort", "hacker": "hackerphrase", "datetime": "date", "past": "pastdate",
	"future": "futuredate", "boolean": "bool", "creditcardnumber": "creditcardnumber", "sex": "gender", "buzzphrase": "bs",
}

// fakerWriter gives the function of gofakeit that x-faker names, nil if there is none.
func fakerWriter(n *tree.Node) writer {
	name := n.Str()
	if n != nil && n.Kind == tree.Object && len(n.Members) == 1 { // {"name.findName": […]}
		name = n.Members[0].Name
	}
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if alias, ok := fakerAliases[name]; ok {
		name = alias
	}
	info := gofakeit.GetFuncLookup(name)
	if name == "" || info == nil || info.Generate == nil {
		return nil
	}
	return func(f *formats.Faker) string {
		v, err := info.Generate(f.Faker, gofakeit.NewMapParams(), info)
		if err != nil {
			return ""
		}
		return fmt.Sprint(v)
	}
}
