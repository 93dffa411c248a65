// Package coldframe carries the document that the program serves if it is given none, and the demo.
package coldframe

import "embed"

// PlantStore is the OpenAPI 3.1.0 document of the Plant Store, in YAML, as it
// stands in openapi.yaml beside this file.
//
//go:embed openapi.yaml
var PlantStore []byte

// GardenShop is the demo: the folder examples/garden-shop with its document, data, scenarios and page.
//
//go:embed examples/garden-shop/openapi.yaml examples/garden-shop/data.yaml
//go:embed examples/garden-shop/scenarios examples/garden-shop/page
var GardenShop embed.FS
