package visible

// maxCommandName limits the length of a command's name between "##" and "[", in bytes.
const maxCommandName = 64

// beginsCommand reports whether a text begins with a command that a CI system executes in the output of a step: at
// the beginning of a line, possibly after white space, "::" of GitHub (docs.github.com, "Workflow commands");
// anywhere, "##" with a name and "[", such as ##[error], ##vso[task.setvariable] of Azure Pipelines and
// ##teamcity[buildStop].
func beginsCommand(text []byte, lineBegins bool) bool {
	if len(text) < 2 || text[0] != text[1] {
		return false
	}
	switch text[0] {
	case ':':
		return lineBegins
	case '#':
		for _, c := range text[2:min(len(text), 3+maxCommandName)] {
			if c == '[' {
				return true
			} else if c == '#' || c <= ' ' {
				break
			}
		}
	}
	return false
}
