package fields

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
)

// URIFormats are the formats of addresses of pages and pictures.
const URIFormats = "uri url iri uri-reference iri-reference"

// Folder is where addresses of pages about the thing begin.
func (t Thing) Folder() string {
	if len(t.words) == 0 {
		return "pages"
	}
	return strings.Join(t.words, "-")
}

// page writes the address of a page about the thing, on the domain that RFC 2606 section 3 reserves.
func page(_ []string, t Thing) []Maker {
	under := func(root string) Maker {
		root += t.Folder() + "/"
		return writing(func(f *formats.Faker) string {
			words := slugWords(f)
			tens, ones := f.IntN(10), f.IntN(10)
			return root + words + "-" + formats.Digits[tens:tens+1] + formats.Digits[ones:ones+1]
		})
	}
	return []Maker{under("https://example.com/"), under("/")}
}

// reference writes a reference to the thing that a name stands for: /alert-service/4821.
func reference(words []string) []Maker {
	return Patterns("/" + fixed(strings.Join(words, "-")) + "/####")
}

// slugs are two words that addresses have, written once: most answers have many addresses.
var slugs = sync.OnceValue(func() (all []string) {
	for first := range strings.FieldsSeq("spring annual daily team summer weekly city quick first open winter local") {
		for last := range strings.FieldsSeq("report offer guide update overview collection plan notes review series digest launch") {
			all = append(all, first+"-"+last)
		}
	}
	return all
})

func slugWords(f *formats.Faker) string { return slugs()[12*f.IntN(12)+f.IntN(12)] }

func slug(f *formats.Faker, at Place, _ string) string {
	return slugWords(f.Seed(at.Key))
}

// fileNames are names of files that end in one of some extensions.
type fileNames []string

func (extensions fileNames) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		return slugWords(f) + "-" + strconv.Itoa(1+f.IntN(40)) + pick(f, extensions...)
	})}
}

// extensions are those of files of a kind, by words of the name or of the thing.
var extensions = []struct {
	words string
	names fileNames
}{
	{"image images photo photos picture pictures thumbnail thumb logo avatar icon cover banner scan", fileNames{".jpg", ".png"}},
	{"video videos film movie clip recording", fileNames{".mp4"}},
	{"audio sound song music voice podcast spot", fileNames{".mp3"}},
	{"archive zip bundle backup", fileNames{".zip"}},
	{"csv spreadsheet import", fileNames{".csv"}},
	{"pdf invoice contract receipt certificate", fileNames{".pdf"}},
}

// anyFile are names of files of which nothing is known.
func anyFile([]string, Thing) []Maker {
	return fileNames{".pdf", ".pdf", ".docx", ".csv", ".xlsx"}.makers(nil, Thing{})
}

// fileNameOf names a file as its words say what it holds.
func fileNameOf(words []string, t Thing) []Maker {
	for _, all := range [][]string{words, t.words} {
		for _, e := range extensions {
			for word := range strings.FieldsSeq(e.words) {
				if slices.Contains(all, word) {
					return e.names.makers(nil, t)
				}
			}
		}
	}
	return anyFile(nil, t)
}

func repositoryName(f *formats.Faker) string {
	return pick(f, "sensor", "billing", "order", "report", "mobile", "search", "image", "date", "event",
		"shop", "log", "auth") + "-" +
		pick(f, "gateway", "service", "tools", "client", "parser", "worker", "api", "dashboard", "utils", "sync")
}

const harbour = oneOf("Hamburg|Rotterdam|Lisbon|Boston|Sydney|Copenhagen|Vancouver|Auckland")

// usualPort suggests one of the ports that servers listen on.
func usualPort(f *formats.Faker, at Place) Window {
	port := []int64{443, 8080, 8443, 3000, 8000, 9090}[f.Seed(at.Key).IntN(6)]
	return Window{port, port, 1}
}

var web = []rule{
	{names: "url uri link href self website homepage site permalink blog weburl htmlurl webpage endpoint baseurl " +
		"callback callbackurl redirecturi redirecturl " +
		"returnurl webhookurl origin referer referrer deeplink docs wikipedia article reddit presskit " +
		"privacypolicy urlpdf webhook linkedin facebook instagram youtube tiktok xing pinterest", phrases: "url of|uri of|link to|a url|the url|hyperlink",
		formats: URIFormats, texts: made(page)},
	{names: "privacy terms termsofservice support help documentation docs marketing self first last next prev previous alternate related edit", under: "url link pagination paging pager",
		formats: URIFormats, texts: made(page)},
	{names: "port homeport", under: "vehicle ship vessel voyage cruise sailing shipment container yacht boat ferry", texts: harbour},
	{names: "homeport portofregistry portofloading portofdischarge portofcall departureport arrivalport destinationport " +
		"originport portname harbour harbor", texts: harbour},
	{names: "port", under: "database postgres db", numbers: between(5432, 5432), texts: oneOf("5432")},
	{names: "port", under: "redis cache valkey", numbers: between(6379, 6379), texts: oneOf("6379")},
	{names: "port smtpport", under: "smtp mail email mailserver", numbers: between(587, 587), texts: oneOf("587")},
	{names: "sshport sftpport", numbers: between(22, 22), texts: oneOf("22")},
	{names: "port", numbers: windows(usualPort), texts: oneOf("8080|443|8443|3000")},
	{names: "domain domainname fqdn hostname host servername nameserver nameservers cname",
		formats: "hostname",
		texts: writes(func(f *formats.Faker) string {
			return pick(f, "www", "shop", "api", "mail", "blog", "portal", "status", "app", "docs",
				"files") + ".example.com"
		})},
	{names: "subdomain", texts: oneOf("shop|api|portal|status|app|docs")},
	{names: "useragent", texts: oneOf("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36|" +
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15|" +
		"Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0")},
	{names: "ip ipaddress ipaddr ipv4 clientip remoteip remoteaddr sourceip", phrases: "ip address|ipv4",
		formats: "ipv4 ip",
		texts:   writes(func(f *formats.Faker) string { return "192.0.2." + strconv.Itoa(1+f.IntN(254)) })},
	{names: "mac macaddress hwaddress hardwareaddress ethernetaddress guestmac", phrases: "mac address",
		formats: "mac",
		texts:   patterns("02:%%:%%:%%:%%:%%")},
	{names: "cidr subnet network", phrases: "cidr", formats: "cidr", texts: oneOf("192.0.2.0/24|198.51.100.0/24|" +
		"203.0.113.0/24")},
	{names: "slug permalinkslug urlslug", formats: "slug", texts: Maker(slug)},
	{names: "method httpmethod requestmethod verb allowedmethods", texts: oneOf("GET|POST|PUT|DELETE|PATCH")},
	{names: "protocol =scheme", texts: oneOf("https|http")},
	{names: "mimetype contenttype mediatype mime fileformat filetype", texts: oneOf("application/pdf|image/png|" +
		"text/csv|application/json")},
	{names: "filename originalfilename =file attachmentname documentname", phrases: "file name|filename|name of " +
		"the file", texts: made(fileNameOf)},
	{names: "fileextension extension filesuffix ext", texts: oneOf("pdf|png|csv|docx|jpg")},
	{names: "path filepath directorypath folderpath dirpath pathname mountpath",
		texts: writes(func(f *formats.Faker) string {
			return "/" + pick(f, "docs", "reports", "data", "shared", "projects") + "/" + slugWords(f)
		}), formats: "uri-reference"},
	{names: "folder directory dir foldername workingdirectory", texts: oneOf("docs|reports|src|assets|scripts")},
	{names: "favicon", formats: URIFormats, texts: oneOf("https://example.com/favicon.ico")},
	{names: "hashtag hashtags", texts: oneOf("#summer|#launch|#travel|#recipes")},
	{names: "twitter twitterhandle instagram cashtag", texts: person(func(f *formats.Faker, first,
		last string) string {
		return "@" + userName(f, first, last)
	})},
	{names: "locator", formats: URIFormats, texts: made(page)},
	{names: "etag", texts: patterns(`"%%%%%%%%%%%%%%%%"`)},
	{names: "rel", texts: oneOf("self|next|prev|related")},
	{names: "alt alttext altdescription", texts: oneOf("A view of the harbour at sunset|A wooden desk with a " +
		"lamp|People at a table in a bright room")},
	{names: "html htmlbody bodyhtml", texts: made(func(_ []string, t Thing) []Maker {
		write := sentence(t)
		return []Maker{func(f *formats.Faker, at Place, format string) string {
			return "<p>" + write(f, at,
				format) + "</p>"
		}}
	}), formats: "html"},
	{names: "rgba rgbacolor", phrases: "rgba", texts: writes(func(f *formats.Faker) string {
		return "rgba(" + strconv.Itoa(f.IntN(256)) + ", " + strconv.Itoa(f.IntN(256)) + ", " + strconv.Itoa(f.IntN(256)) +
			", 0." + strconv.Itoa(3+f.IntN(7)) + ")"
	})},
	{names: "=color colour hexcolor backgroundcolor textcolor foregroundcolor fillcolor bordercolor",
		phrases: "hex color|hexadecimal color|color code|hex code",
		formats: "color", texts: writes(func(f *formats.Faker) string { return f.HexColor() })},
	{names: "emoji", texts: oneOf("👍|🎉|❤️|🚀|👀")},
}
