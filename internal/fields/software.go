package fields

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/samplefile"
)

func version(f *formats.Faker) string {
	return strconv.Itoa(1+f.IntN(5)) + "." + strconv.Itoa(f.IntN(10)) + "." + strconv.Itoa(f.IntN(20))
}

// digest is so many hexadecimal digits.
type digest int

func (n digest) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return formats.Letters(f, int(n), formats.Hex) })}
}

// gitAddress is the root of where repositories are cloned from.
type gitAddress string

func (root gitAddress) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return string(root) + repositoryName(f) + ".git" })}
}

func sshKey(f *formats.Faker) string {
	return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + formats.Letters(f, 43, formats.Lower36)
}

// pemTexts are blocks of a label, those of one object of one key; hexadecimal digits are for short fields.
type pemTexts string

func (label pemTexts) makers([]string, Thing) []Maker {
	block := Maker(func(_ *formats.Faker, at Place, _ string) string {
		return samplefile.PEM(string(label), at.decision(6))
	})
	return several{block, digest(64), digest(32)}.makers(nil, Thing{})
}

// codeOf writes a code that begins with letters of the thing.
func codeOf(_ []string, t Thing) []Maker {
	letters := strings.ToUpper(formats.Unaccent(t.Name()))
	if len(letters) < 3 || strings.ContainsFunc(letters, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		letters = "TX"
	}
	return several{patterns(letters[:min(len(letters), 3)] + "-###"), patterns("####")}.makers(nil, Thing{})
}

var software = []rule{
	{names: "cloneurl giturl httpcloneurl clone", formats: URIFormats, texts: gitAddress("https://git.example.com/northwind/")},
	{names: "sshurl sshcloneurl", formats: URIFormats, texts: gitAddress("ssh://git@git.example.com/northwind/")},
	{names: "title name subject", under: "mergerequest merge pullrequest changerequest codereview", texts: oneOf("Fix login redirect|Add export to CSV|Update dependencies|Speed up the search|Handle empty carts|" +
		"Remove unused settings|Add tests for invoices|Rename the order status|Cache product images|Show totals on the dashboard")},
	{names: "description body summary", under: "mergerequest merge pullrequest changerequest codereview", texts: oneOf("Closes the issue that customers reported last week.|Adds tests and a note in the changelog.|" +
		"No change for users; the code is easier to read.")},
	{names: "message subject title", under: "commit commitsummary", texts: oneOf("Fix rounding of totals|Add a test for empty lists|Update the changelog|Remove dead code|Validate the delivery address|Bump version")},
	{names: "milestone milestonetitle", texts: oneOf("v2.4|v3.0|Sprint 14|Q3 release")},
	{names: "name title", under: "release", texts: writes(func(f *formats.Faker) string { return "v" + version(f) })},
	{names: "tagname tag", under: "release", texts: writes(func(f *formats.Faker) string { return "v" + version(f) })},
	{names: "body description notes", under: "release", texts: oneOf("Fixes a crash at start and speeds up the search.|Adds exports, and removes what was deprecated.|Security fixes; please update.")},
	{names: "name", under: "environment deployenvironment", texts: oneOf("production|staging|development|review-app|preview|qa|demo|load-test|integration|sandbox")},
	{names: "tier environmenttier", under: "environment", texts: oneOf("production|staging|development|testing")},
	{names: "=ref", under: "pipeline build deployment job workflow run", texts: oneOf("main|develop|release/2.4|feature/checkout")},
	{names: "source triggersource", under: "pipeline build run workflow", texts: oneOf("push|schedule|merge_request|web")},
	{names: "stage", under: "cijob build pipeline", texts: oneOf("build|test|lint|deploy")},
	{names: "executor", under: "runner agent job", texts: oneOf("docker|shell|kubernetes")},
	{names: "tags tag labels", under: "runner agent worker", texts: oneOf("linux|docker|gpu|arm64|deploy")},
	{names: "description name", under: "runner", texts: oneOf("Linux runner with Docker|Shared runner, eu-central|Windows build machine|GPU runner")},
	{names: "platform os operatingsystem", under: "runner server host", texts: oneOf("linux|windows|darwin")},
	{names: "labels label tags name", under: "mergerequest codelabel issuelabel label", texts: oneOf("bug|documentation|enhancement|good first issue|performance|security|refactoring|dependencies")},
	{names: "reason failurereason", under: "cijob build pipeline deployment", texts: oneOf("A test failed.|The runner lost its connection.|The script exited with code 1.|Timed out after one hour.")},
	{names: "contenttype", under: "webhook hook delivery", texts: oneOf("application/json")},
	{names: "lastresponsecode responsecode lasthttpstatus laststatuscode httpcode", numbers: between(200, 204), texts: oneOf("200")},
	{names: "number", under: "mergerequest pullrequest issue", numbers: between(12, 2_400)},
	{names: "iid", numbers: between(1, 900)},
	{names: "label", under: "releaseasset buildartifact", texts: oneOf("Linux (amd64)|macOS (arm64)|Windows|Source code")},
	{names: "filename name", under: "releaseasset buildartifact artifact", texts: oneOf("app-linux-amd64.tar.gz|app-darwin-arm64.zip|checksums.txt|coverage.xml|report.html")},
	{names: "contenttype fileformat", under: "releaseasset buildartifact artifact", texts: oneOf("application/zip|application/gzip|text/plain")},
	{names: "defaultbranch", texts: oneOf("main|main|master|develop")},
	{names: "nodeid", texts: patterns("R_kgDO%%%%%%")},
	{names: "resourceapiversion", phrases: "versioned schema", texts: oneOf("v1")},
	{names: "apiversion", texts: oneOf("v1|v2|2025-06-01")},
	{names: "version appversion semver clientversion softwareversion firmwareversion vmmversion sdkversion " +
		"packageversion osversion currentversion latestversion release tagname",
		texts: several{writes(version),
			writes(func(f *formats.Faker) string { return "v" + version(f) })}, formats: "semver"},
	{names: "base64value", phrases: "base64 encoded|base64-encoded|base64 string|in base64", formats: "byte base64", texts: formatted("base64")},
	{names: "hexvalue", phrases: "hex value|raw hex|hex-encoded|hex encoded|hexadecimal string|hex string", texts: patterns("%%%%%%%%%%%%%%%%")},
	{names: "jsonvalue", phrases: "json value|json object|json string|json-encoded|json encoded|as json|stringified json",
		texts: oneOf(`{"source":"api","count":3}|{"enabled":true,"limit":25}|{"region":"eu-west","tags":["new"]}`)},
	{names: "uuid guid", phrases: "uuid", formats: "uuid guid", texts: formatted("uuid")},
	{names: "sha sha1 commitsha commithash commitid headsha basesha commit treesha blobsha revision gitsha",
		phrases: "sha of|commit hash|sha-1", texts: digest(40)},
	{names: "hash checksum sha256 digest filehash contenthash fingerprint signature sha256sum hmac",
		phrases: "sha-256|sha256|hash of|checksum", texts: several{digest(64), digest(40), digest(32)}},
	{names: "md5 md5hash md5sum", texts: digest(32)},
	{names: "sha512", texts: digest(128)},
	{names: "token accesstoken refreshtoken apikey secret clientsecret secretkey password sessiontoken " +
		"authtoken idtoken csrftoken apitoken passcode2 " +
		"signingkey publishablekey webhooksecret encryptionkey passphrase nonce cryptogram " +
		"verifier", formats: "password",
		texts: writes(func(f *formats.Faker) string { return formats.Letters(f, 32, formats.Lower36) })},
	{names: "passcode otp pin verificationcode smscode onetimepassword pincode", texts: patterns("######")},
	{names: "jwt idtoken", texts: writes(func(f *formats.Faker) string {
		return "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + formats.Letters(f, 43, formats.Lower36)
	})},
	{names: "tokentype", texts: oneOf("Bearer")},
	{names: "granttype", texts: oneOf("authorization_code|client_credentials|refresh_token")},
	{names: "cursor nextcursor nextpagetoken pagetoken nexttoken continuationtoken continuetoken =continue startcursor " +
		"endcursor bookmark nextmarker marker",
		texts: writes(func(f *formats.Faker) string {
			return "eyJpZCI6" + formats.Letters(f, 12,
				formats.Lower36)
		})},
	{names: "sshkey sshpublickey deploykey", texts: writes(sshKey)},
	{names: "publickey key", under: "key deploykey sshkey machine server", phrases: "ssh key|ssh public key", texts: writes(sshKey)},
	{names: "pem =certificate =cert certificatepem certpem cacertificate cacert servercertificate servercert " +
		"clientcertificate clientcert x509certificate x509cert tlscertificate tlscert sslcertificate sslcert rootcertificate " +
		"rootca cabundle certificatechain signingcertificate publiccertificate publiccert certificatebody cacertpem clientcertpem " +
		"servercertpem", phrases: "pem-encoded certificate|pem encoded certificate|certificate in pem|x.509 certificate",
		texts: pemTexts(samplefile.Certificate)},
	{names: "csr csrpem certificatesigningrequest certificaterequest signingrequest", phrases: "certificate signing request",
		texts: pemTexts(samplefile.CertificateRequest)},
	{names: "privatekey privatekeypem keypem clientkey serverkey tlskey sslkey rsaprivatekey", phrases: "private key",
		texts: pemTexts(samplefile.PrivateKey)},
	{names: "publickey publickeypem rsapublickey armoredpublickey verificationkey", phrases: "pem-encoded public key|" +
		"public key in pem", texts: pemTexts(samplefile.PublicKey)},
	{names: "ssid wifiname networkname wifinetworkname", texts: oneOf("Office WiFi|Guest WiFi|Store 5G")},
	{names: "factortype mfatype", texts: oneOf("totp|phone|webauthn")},
	{names: "fstype filesystem filesystemtype", texts: oneOf("ext4|xfs|btrfs")},
	{names: "hostpath pathonhost", texts: oneOf("/var/lib/data|/mnt/disk1|/srv/images")},
	{names: "restkind", phrases: "rest resource this object represents", sure: true, texts: made(func(_ []string, t Thing) []Maker {
		kind := Form(t.text(), Joined, 0, 0)
		return []Maker{writing(func(*formats.Faker) string { return kind })}
	})},
	{names: "branch defaultbranch basebranch headbranch targetbranch sourcebranch branchname",
		texts: oneOf("main|develop|release/2.4|feature/checkout|fix/login-redirect")},
	{names: "=ref gitref commitish targetcommitish", under: "repository branch commit head base deployment " +
		"push", texts: oneOf("refs/heads/main|refs/heads/develop|refs/tags/v1.4.0")},
	{names: "commitish targetcommitish", texts: oneOf("main|develop")},
	{names: "fullname", under: "repository", texts: writes(func(f *formats.Faker) string { return "northwind/" + repositoryName(f) })},
	{names: "repository repositoryname reponame", texts: writes(repositoryName)},
	{names: "gitignoretemplate", texts: oneOf("Go|Node|Python")},
	{names: "licensename spdxid license", texts: oneOf("MIT|Apache-2.0|BSD-3-Clause")},
	{names: "environment env environmentname", texts: oneOf("production|staging|development|test")},
	{names: "os operatingsystem osname platform", texts: oneOf("Linux|macOS|Windows|Android|iOS")},
	{names: "browser browsername", texts: oneOf("Firefox|Chrome|Safari|Edge")},
	{names: "architecture arch cpuarchitecture", texts: oneOf("amd64|arm64")},
	{names: "algorithm alg hashalgorithm signaturealgorithm hashingalgorithm encryptionalgorithm",
		texts: oneOf("sha256|RS256|ES256|aes-256-gcm")},
	{names: "encoding charset characterset", texts: oneOf("utf-8")},
	{names: "compression", texts: oneOf("gzip|zstd")},
	{names: "loglevel severity verbosity", texts: oneOf("info|warning|error|debug")},
	{names: "=level", texts: oneOf("info|basic|advanced|standard")},
	{names: "priority importance urgency", texts: oneOf("high|normal|low|medium")},
	{names: "exitcode", numbers: between(0, 0), texts: oneOf("0")},
	{names: "errorcode =errortype", texts: oneOf("invalid_request|not_found|rate_limited|conflict"),
		numbers: between(1001, 1099)},
	{names: "=code", under: "error warning problem fault", texts: oneOf("invalid_request|not_found|rate_limited|" +
		"conflict"), numbers: between(1001, 1099)},
	{names: "field parameter =pointer =param target", under: "error warning problem fault violation",
		texts: oneOf("email|quantity|start_date|name")},
	{names: "=code", texts: made(codeOf)},
	{names: "arn", texts: patterns("arn:aws:iam::00000000####:role/export")},
	{names: "namespace", texts: oneOf("default|production|monitoring|billing")},
	{names: "nodename instanceid instancename clustername", texts: patterns("node-0#")},
	{names: "region2 awsregion datacenter availabilityzone cloudregion", texts: oneOf("eu-central-1|us-east-1|" +
		"eu-west-1|us-west-2")},
	{names: "region", under: "device server cluster bucket instance project database workspace",
		texts: oneOf("eu-central-1|us-east-1|eu-west-1|us-west-2")},
	{names: "image imagename containerimage", under: "container pod deployment",
		texts: oneOf("registry.example.com/shop:1.4.2|registry.example.com/worker:2.0.1")},
	{names: "command cmd script", texts: oneOf("make test|npm run build|go test ./...|./run.sh --all")},
	{names: "args arguments", texts: oneOf("--verbose|--all|--output=json")},
	{names: "aud audience", texts: oneOf("api.example.com|mobile-app|web-app")},
	{names: "serviceaccount serviceaccountname", texts: oneOf("default|deployer|reporter")},
	{names: "query =search searchquery searchterm searchstring q", texts: oneOf("desk lamp|status:open|quarterly report|" +
		"blue chair")},
	{names: "selector labelselector", texts: oneOf("app=web|tier=backend")},
	{names: "filter", texts: oneOf("status:open|created:>2025-01-01|type:invoice")},
	{names: "regex regexp =pattern", formats: "regex", texts: oneOf("^[a-z0-9-]+$|^[A-Z]{3}-[0-9]{4}$")},
	{names: "prefix", texts: oneOf("shop_|app_|eu-|prod-")},
	{names: "suffix", texts: oneOf("-v2|_old|-eu|-prod")},
	{names: "collection collectionname table tablename database databasename index indexname schema2",
		texts: oneOf("customers|orders|products|articles|events")},
	{names: "column columnname fieldname propertyname attributename fieldkey parametername =property " +
		"variablename field", texts: oneOf("email|created_at|status|quantity|country")},
	{names: "operation operationname operationid", texts: oneOf("createOrder|listCustomers|updateInvoice|" +
		"getReport")},
	{names: "eventtype eventname topic topicname", texts: oneOf("order.created|invoice.paid|user.updated|" +
		"shipment.delivered")},
	{names: "=event =events", texts: oneOf("order.created|invoice.paid|user.updated|shipment.delivered")},
	{names: "objecttype resourcetype entitytype itemtype contentobject targettype subjecttype ownertype",
		texts: oneOf("order|customer|invoice|document")},
	{names: "sortby orderby sortfield", texts: oneOf("created_at|name|price")},
	{names: "sortdirection sortorder =direction sortdir orderdirection", texts: oneOf("asc|desc")},
	{names: "accept", texts: oneOf("application/json")},
	{names: "theme", texts: oneOf("light|dark|system")},
	{names: "visibility access accesslevel privacy", texts: oneOf("public|private|internal")},
	{names: "package packagename module modulename library dependency", texts: writes(repositoryName)},
	{names: "=app appname application applicationname client clientname service servicename bot integration",
		texts: oneOf("Order Export|Billing Service|Mobile Client|Status Page|Inventory Sync")},
	{names: "diff patch", texts: oneOf("@@ -1,2 +1,2 @@ func main() {")},
	{names: "scopes", texts: oneOf("read|write|profile|orders:read")},
}
