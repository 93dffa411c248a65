package exchange

// Note says that a part of a request, or the whole operation, is not simulated: the response does not depend on it. A
// note is not a finding: the request is valid.
type Note struct {
	// Code is stable and in kebab-case: "unbound-parameter", "unbound-property", "unbound-value", "unbound-action".
	Code    string `json:"code"`
	Message string `json:"message"`        // why, without the place
	In      string `json:"in"`             // InQuery, InBody or InRequest
	Name    string `json:"name,omitempty"` // of the parameter or the property; "" for the operation
	// Setting is the line below "resources" in coldframe.yaml that binds it. A user replaces the words in
	// capitals. "" if no line can.
	Setting string `json:"setting,omitempty"`
}

// String returns the note in one line, without the setting.
func (n Note) String() string {
	return Finding{In: n.In, Name: n.Name, Message: n.Message}.String()
}
