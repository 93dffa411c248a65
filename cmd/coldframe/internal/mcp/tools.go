package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// tool is a row of the table of tools.
type tool struct {
	name, title string
	// description is for models. Default: the texts of the control API's operation.
	description string
	// control is the operationId of the control API's operation that the tool calls; "" if it calls none.
	control string
	// show makes the answer from the response of the control API. Default: the response.
	show func(text []byte) (answer, error)
	does effect
	// alone: the tool is for standard input and output only, since it reads files or sends requests to other servers.
	alone bool
	add   adder
}

// effect is what a tool changes, for the user's consent.
type effect int

const (
	reads    effect = iota // changes nothing
	changes                // changes a mock
	destroys               // can lose data
)

// tools is the table, in the order in which clients list it.
var tools = []tool{
	{name: "lint_document", title: "Load and check a document", description: "Loads an OpenAPI document and returns all findings on it, with the lines of the document.", add: doing(lintDocument)},
	{name: "list_operations", title: "List or search operations", description: "Lists the operations of a document, with their statuses and what they do to which resource.", add: doing(listOperations)},
	{name: "show_operation", title: "Show an operation", description: "Returns parameters, bodies, responses and security of an operation, its schemas with references resolved, and a valid sample request. Use it before you write a client.", add: doing(showOperation)},
	{name: "plan_resources", title: "Show the inferred resources", description: "Returns what each operation keeps and changes in a mock, and what is not simulated, with the line of coldframe.yaml that would bind it.", add: doing(planResources)},
	{name: "correct_resource", title: "Correct a resource", description: "Tries a correction of what plan_resources returns, and returns the lines of coldframe.yaml for it. It changes no file unless write is set and the user has allowed it.", does: destroys, alone: true, add: doing(correctResource)},
	{name: "start_mock", title: "Start a mock", description: "Starts a mock of a document on a free port of this machine, and returns its URL. It keeps what clients create, and refuses requests that violate the document.", does: changes, alone: true, add: doing(startMock)},
	{name: "stop_mock", title: "Stop a mock", description: "Stops a mock. Its state is lost.", does: destroys, alone: true, add: doing(stopMock)},
	{name: "call_operation", title: "Call an operation of the mock", description: "Sends a request to the mock and returns the response. Parameters and bodies that you leave out are generated from the document.", does: changes, add: doing(callOperation)},
	{name: "explain_request", title: "Why was a request refused?", description: "Says why the mock refused a request: the findings with the lines of the document, and a corrected request.", add: doing(explainRequest)},
	{name: "fail_operation", title: "Make an operation fail", description: "Makes an operation of the mock answer with a status or a body, late, or with a broken connection, once or until it is turned off.", does: changes, add: doing(failOperation)},
	{name: "list_requests", title: "List requests to the mock", description: "Lists the requests that the mock received, the newest first, with the status and the findings of each.", control: "listRequests", show: showRequests},
	{name: "verify_requests", title: "Verify what was called", control: "verify", show: showVerified},
	{name: "read_state", title: "Read the mock's items", control: "getState"},
	{name: "replace_state", title: "Seed the mock's items", control: "replaceState", does: destroys},
	{name: "change_session", title: "Reset, save or restore the session", control: "changeSession", does: destroys},
	{name: "set_clock", title: "Move the mock's clock", control: "setClock", does: changes},
	{name: "get_coverage", title: "Coverage of the document", control: "getCoverage", show: showCoverage},
	{name: "run_contract_test", title: "Test a backend against the document", description: "Sends valid and invalid requests to a backend and checks each response against the document. It creates, changes and deletes data there unless readOnly is set. Findings have curl lines that reproduce them.", does: destroys, alone: true, add: doing(runContractTest)},
	{name: "rerun_finding", title: "Rerun a failing case", description: "Repeats the part of a contract test that has led to a finding, and says whether the finding is still there.", does: destroys, alone: true, add: doing(rerunFinding)},
}

// call is one call of a tool.
type call struct {
	*tool
	agent     *agent
	operation *controlOperation // of tool.control; nil if none
	request   *sdk.CallToolRequest
}

// arguments returns the arguments as they were sent, whose numbers keep their digits.
func (c *call) arguments() map[string]any {
	value, _ := jsontext.DecodeLoosely(string(c.request.Params.Arguments))
	all, _ := value.(map[string]any)
	return all
}

// argument returns an argument as it was sent, nil for none.
func (c *call) argument(name string) any { return c.arguments()[name] }

// adder adds a tool with its function to a server.
type adder func(a *agent, described *sdk.Tool, row *tool, operation *controlOperation)

// doing returns an adder of a function, whose last parameter has the arguments of the tool.
func doing[In any](do func(context.Context, *call, In) (answer, error)) adder {
	return func(a *agent, described *sdk.Tool, row *tool, operation *controlOperation) {
		sdk.AddTool(a.server, described, func(ctx context.Context, r *sdk.CallToolRequest, in In) (
			*sdk.CallToolResult, json.RawMessage, error,
		) {
			answered, err := do(ctx, &call{row, a, operation, r}, in)
			if err != nil {
				answered = failure(err)
			}
			result := a.encode(answered)
			return result, result.StructuredContent.(json.RawMessage), nil
		})
	}
}

// addTools adds the tools of the table.
func (a *agent) addTools() error {
	operations, err := controlOperations()
	if err != nil {
		return err
	}
	for i := range tools {
		row := &tools[i]
		if row.alone && a.served != nil {
			continue
		}
		described := &sdk.Tool{Name: row.name, Title: row.title, Description: row.description, OutputSchema: outputSchema,
			Annotations: &sdk.ToolAnnotations{Title: row.title, ReadOnlyHint: row.does == reads,
				DestructiveHint: new(row.does == destroys), OpenWorldHint: new(row.name == "run_contract_test")}}
		add, operation := row.add, operations[row.control]
		if row.control != "" {
			if operation == nil {
				return fmt.Errorf("the control API has no operation %s", row.control)
			}
			described.Description = cmp.Or(row.description, operation.description)
			described.InputSchema = operation.input
			add = doing(callControl)
		}
		add(a, described, row, operation)
	}
	return nil
}
