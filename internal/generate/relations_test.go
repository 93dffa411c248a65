package generate_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/generate"
)

// TestRelations: a case is a schema, what the request sent, and what the answer must be, as in TestFill.
func TestRelations(t *testing.T) {
	files := schemas(t, "testdata/relations.txtar")
	for i := 0; i < len(files); i += 3 {
		t.Run(files[i].Name, func(t *testing.T) { tryFill(t, files[i:i+3]) })
	}
}

// TestGeneratedRelations: relations hold if nothing was sent.
func TestGeneratedRelations(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		holds        func(o map[string]any) bool
	}{
		{"an open issue has no end", `{"type":"object","properties":{"state":{"enum":["open","queued"]},
			"closed_at":{"type":["string","null"],"format":"date-time"},"merged_at":{"type":"string","format":"date-time"}}}`,
			func(o map[string]any) bool { _, merged := o["merged_at"]; return o["closed_at"] == nil && !merged }},
		{"a closed one has", `{"type":"object","properties":{"state":{"const":"closed"},"closed_at":{"type":["string","null"]}}}`,
			func(o map[string]any) bool { return o["closed_at"] != nil }},
		{"nothing is deleted without being said so", `{"type":"object","required":["error"],"properties":{"id":{"type":"string"},
			"deletedAt":{"type":"string","format":"date-time"},"archived":{"type":"boolean"},"error":{"type":"string"}}}`,
			func(o map[string]any) bool {
				return o["deletedAt"] == nil && o["archived"] == false && o["error"] == ""
			}},
		{"what a state has not reached is not there", `{"type":"object","properties":{"status":{"enum":["ACTIVE","SOLD","EXPIRED"]},
			"soldAt":{"type":["string","null"],"format":"date-time"},"soldPrice":{"type":["number","null"]}}}`,
			func(o map[string]any) bool {
				return (o["soldAt"] != nil) == (o["status"] == "SOLD") && (o["soldPrice"] != nil) == (o["status"] == "SOLD")
			}},
		{"two people have two names", `{"type":"object","properties":{"customer_name":{"type":"string"},"customer_email":{"type":"string","format":"email"},
			"owner_name":{"type":"string"}}}`,
			func(o map[string]any) bool {
				first, _, _ := strings.Cut(strings.ToLower(o["customer_name"].(string)), " ")
				return o["customer_name"] != o["owner_name"] && strings.HasPrefix(o["customer_email"].(string), first)
			}},
		{"nobody is called like a campaign", `{"title":"Campaign","type":"object","properties":{"name":{"type":"string"},"contactEmail":{"type":"string"}}}`,
			func(o map[string]any) bool {
				first, _, _ := strings.Cut(strings.ToLower(o["name"].(string)), " ")
				return !strings.HasPrefix(o["contactEmail"].(string), first)
			}},
		{"a picture has sides in texts too", `{"type":"object","properties":{"url":{"type":"string"},"width":{"type":"string"},"height":{"type":"string"}}}`,
			func(o map[string]any) bool { return regexp.MustCompile(`^\d+$`).MatchString(o["height"].(string)) }},
		{"a place in a text is no time", `{"type":"object","properties":{"part":{"type":"object","properties":{"start":{"type":"integer","maximum":90},"end":{"type":"integer"}}}}}`,
			func(o map[string]any) bool {
				part := o["part"].(map[string]any)
				return number(part["start"]) < number(part["end"]) && number(part["end"]) < 1e6
			}},
		{"links lead to pages", `{"type":"object","properties":{"_links":{"type":"object","properties":{"members":{"type":"string"}}}}}`,
			func(o map[string]any) bool {
				return strings.HasPrefix(o["_links"].(map[string]any)["members"].(string), "https://")
			}},
		{"ranges", `{"type":"object","properties":{"price_min":{"type":"integer"},"price_max":{"type":"integer"},
			"startDate":{"type":"string","format":"date","example":"2025-05-05"},"endDate":{"type":"string","format":"date"}}}`,
			func(o map[string]any) bool {
				return number(o["price_min"]) <= number(o["price_max"]) && o["startDate"].(string) <= o["endDate"].(string)
			}},
		{"a mean lies between", `{"type":"object","properties":{"wind_avg":{"type":"integer"},"wind_min":{"type":"integer"},"wind_max":{"type":"integer"}}}`,
			func(o map[string]any) bool {
				return number(o["wind_min"]) <= number(o["wind_avg"]) && number(o["wind_avg"]) <= number(o["wind_max"])
			}},
		{"the state of an address", `{"type":"object","properties":{"state":{"type":"string"},"city":{"type":"string"},"zip":{"type":"string"}}}`,
			func(o map[string]any) bool {
				return o["state"] != "active" && o["state"] != "pending" && o["state"] != "completed" && o["state"] != "inactive"
			}},
		{"links", `{"type":"object","properties":{"id":{"type":"integer"},"url":{"type":"string","format":"uri"},
			"_links":{"type":"object","properties":{"self":{"type":"object","properties":{"href":{"type":"string","format":"uri"}}}}}}}`,
			func(o map[string]any) bool {
				id := "/" + bytes(o["id"])
				self := o["_links"].(map[string]any)["self"].(map[string]any)
				return strings.HasSuffix(o["url"].(string), id) && strings.HasSuffix(self["href"].(string), id)
			}},
		{"an address is where its owner is", `{"type":"object","properties":{"country_code":{"type":"string"},"addresses":{"type":"array",
			"items":{"type":"object","properties":{"countryCode":{"type":"string"},"street":{"type":"string"}}}},
			"location":{"type":"object","properties":{"address":{"type":"object","properties":{"countryCode":{"type":"string"}}}}},
			"order":{"type":"object","properties":{"phone":{"type":"string"}}}}}`,
			func(o map[string]any) bool {
				list := o["addresses"].([]any)
				first, then := list[0].(map[string]any), list[1].(map[string]any)
				below := o["location"].(map[string]any)["address"].(map[string]any)
				return first["countryCode"] == o["country_code"] && then["countryCode"] == o["country_code"] &&
					below["countryCode"] == o["country_code"] && first["street"] != then["street"]
			}},
		{"tags are those of what has them", `{"type":"object","title":"x","properties":{"pet":{"type":"object","properties":{
			"tags":{"type":"array","items":{"$ref":"#/$defs/Tag"}}}},"ticket":{"type":"object","properties":{"category":{"$ref":"#/$defs/Category"},
			"tags":{"type":"array","items":{"type":"string"}}}}},"$defs":{"Tag":{"type":"object","properties":{"name":{"type":"string"}}},
			"Category":{"type":"object","properties":{"name":{"type":"string"}}}}}`,
			func(o map[string]any) bool {
				tag := o["pet"].(map[string]any)["tags"].([]any)[0].(map[string]any)["name"].(string)
				ticket := o["ticket"].(map[string]any)
				category := ticket["category"].(map[string]any)["name"].(string)
				return strings.Contains("friendly playful house-trained vaccinated young senior good with kids", tag) &&
					strings.Contains("Billing Account Technical Delivery Feedback", category) &&
					strings.Contains("bug urgent documentation enhancement question help wanted backlog", ticket["tags"].([]any)[0].(string))
			}},
		{"maps have keys of their kind", `{"type":"object","properties":{
			"images":{"type":"object","title":"Urls","additionalProperties":{"type":"string"}},
			"prices":{"type":"object","additionalProperties":{"type":"number"}},
			"translations":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			func(o map[string]any) bool {
				keys := func(name, pattern string) bool {
					for key := range o[name].(map[string]any) {
						if !regexp.MustCompile(pattern).MatchString(key) {
							return false
						}
					}
					return true
				}
				return keys("images", "^[a-z]+$") && keys("prices", "^[A-Z]{3}$") && keys("translations", "^[a-z]{2}$") &&
					strings.Count(bytes(o["images"]), ".png") == 2
			}},
		{"unknown names have words without numbers", `{"title":"Config","anyOf":[{"type":"object","properties":{"realm":{"type":"string"},
			"inference":{"anyOf":[{"type":"string"},{"type":"array","maxItems":0}]}}}]}`,
			func(o map[string]any) bool { return !strings.ContainsAny(bytes(o), "0123456789") && o["realm"] != "" }},
		{"a default of nothing is no example", `{"type":"object","properties":{"city":{"type":"string","default":""}}}`,
			func(o map[string]any) bool { return o["city"] != "" }},
		{"copies of an example differ", `{"type":"object","properties":{"pets":{"type":"array","minItems":3,"items":{"type":"object",
			"properties":{"id":{"type":"integer","example":10},"name":{"type":"string","example":"doggie"}},
			"example":{"id":10,"name":"doggie"}}}}}`,
			func(o map[string]any) bool {
				ids, names := map[any]bool{}, map[any]bool{}
				for _, pet := range o["pets"].([]any) {
					ids[pet.(map[string]any)["id"]], names[pet.(map[string]any)["name"]] = true, true
				}
				return len(ids) == 3 && len(names) == 3 && names["doggie"]
			}},
		{"ranges of texts and of glued names", `{"type":"object","properties":{"min_amount":{"type":"string"},"max_amount":{"type":"string"},
			"minheat":{"type":"number"},"maxheat":{"type":"number"}}}`,
			func(o map[string]any) bool {
				low, _ := strconv.ParseFloat(o["min_amount"].(string), 64)
				high, _ := strconv.ParseFloat(o["max_amount"].(string), 64)
				return low <= high && number(o["minheat"]) <= number(o["maxheat"])
			}},
		{"states of addresses", `{"type":"object","properties":{"billingCity":{"type":"string"},"billingState":{"type":"string"}}}`,
			func(o map[string]any) bool {
				first, _ := utf8.DecodeRuneInString(o["billingState"].(string))
				return unicode.IsUpper(first)
			}},
		{"references and dates by their formats", `{"type":"object","properties":{"alertService":{"type":"string","format":"iri-reference"},
			"expire":{"type":"string","format":"date-time"},"created":{"type":"string","format":"date-time"}}}`,
			func(o map[string]any) bool {
				return strings.HasPrefix(o["alertService"].(string), "/alert-service/") && o["created"].(string) <= o["expire"].(string)
			}},
		{"sizes of pictures", `{"type":"object","properties":{"image":{"type":"object","properties":{"small":{"type":"string"},"id":{"type":"string"}}},
			"services":{"type":"array","items":{"type":"string","format":"iri-reference"}}}}`,
			func(o map[string]any) bool {
				small := o["image"].(map[string]any)["small"].(string)
				return strings.HasSuffix(small, ".png") && strings.HasPrefix(o["services"].([]any)[0].(string), "/services/")
			}},
		{"formats behind references", `{"type":"object","properties":{"next":{"$ref":"#/$defs/link"}},"$defs":{"link":{"type":"string","format":"uri"}}}`,
			func(o map[string]any) bool { return strings.HasPrefix(o["next"].(string), "https://example.com/next/") }},
		{"pages", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object"}},"total":{"type":"integer"},
			"page":{"type":"integer"},"pages":{"type":"integer"},"has_more":{"type":"boolean"},"next":{"type":["string","null"]}}}`,
			func(o map[string]any) bool {
				return number(o["total"]) == float64(len(o["items"].([]any))) && bytes(o["page"]) == "1" && bytes(o["pages"]) == "1" &&
					o["has_more"] == false && o["next"] == nil
			}},
	} {
		g := generate.New(compile(t, c.schema), generate.Options{Examples: true})
		for i := range uint64(keys) {
			v, err := g.Value(generate.NewKey(i))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if !c.holds(v.(map[string]any)) {
				t.Errorf("%s: %s", c.name, bytes(v))
			}
		}
	}
}

func number(v any) float64 {
	f, _ := v.(json.Number).Float64()
	return f
}
