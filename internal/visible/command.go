package visible

// maxCommandName bounds the name of a command between "##" and "[", in bytes.
const maxCommandName = 64

// beginsCommand reports whether a text begins with what a CI system obeys in the output of a step: "::" of GitHub
// (docs.github.com, "Workflow commands") at the beginning of a line, after white space at most, and, anywhere,
// "##" with a name and "[", such as ##[error], ##vso[task.setvariable] of Azure Pipelines and ##teamcity[buildStop].
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
