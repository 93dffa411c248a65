package decode

func decodeXML(text string, e *entry) (any, *fault) { return text, nil }
