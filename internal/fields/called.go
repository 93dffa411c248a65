package fields

import "github.com/coldframe/coldframe/internal/formats"

func companyName(f *formats.Faker) string {
	if l := f.Locale; l != nil && l.Companies != nil {
		return f.LastName() + l.Companies[f.IntN(len(l.Companies))]
	}
	return pickFrom(f, "company-first") + " " + pickFrom(f, "company-trade") + pickFrom(f, "company-form")
}
