package scenario

import "os"

func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }
