/** Options of a {@link Client}. */
export interface Options {
  /** Name of the session, 1 to 64 visible ASCII characters; "" is that of requests that name none. */
  session?: string
  /** Of `--control-token`. */
  token?: string
  /** Where the control API answers, with `--control-port`; default is the URL of the mock. */
  controlURL?: string
  /** Default is the global `fetch`. */
  fetch?: typeof fetch
}

/** A client of the mock at a URL such as http://localhost:4010. */
export function coldframe(url: string, options?: Options): Client

/**
 * Talks to the control API of a running mock. Each method but `in` is one request; what the mock refuses is a
 * {@link ControlError}.
 *
 * A client without a session is about all of them where it asks for requests, scenarios and coverage, and about that of
 * requests that name none elsewhere.
 */
export class Client {
  constructor(url: string, options?: Options)
  /** Of the mock, without a slash at its end. */
  readonly url: string
  readonly session: string | undefined
  /** What requests to the mock send to be in the session. */
  readonly headers: Record<string, string>
  /** A client of another session; the mock makes the session when it is used. */
  in(session: string): Client
  /** Sends a request to the mock in the session; the target may begin with "/". */
  readonly fetch: typeof fetch

  health(): Promise<void>
  /** What all sessions take. */
  memory(): Promise<Memory>
  /** The document that is served, its files and the findings on it. */
  document(): Promise<Document>
  /** Lines of one of its files, counted from 1, at most 400; default is the beginning of the document itself. */
  lines(file?: string, from?: number, to?: number): Promise<string[]>
  /** What the inference concludes about the document, as `coldframe plan --json` prints it. */
  resources(): Promise<Plan>
  /** The operations of the document, in its order. */
  operations(): Promise<Operation[]>
  /** One by its operationId or "METHOD path", with its schemas and a conforming request. */
  operation(name: string): Promise<OperationDetails>
  /** Which operations a proxy forwards, and which it mocks. */
  sources(): Promise<Source[]>
  /** Forwards or mocks the operations that a pattern matches, as in `--mock`. "default" restores the choice of the start. */
  setSource(operation: string, source: 'forward' | 'mock' | 'default'): Promise<void>
  /** How the upstream of a proxy with `--learn` differs from the mock. */
  learned(): Promise<Learned>
  /** All sessions, that of requests that name none first. */
  sessions(): Promise<Session[]>

  /** What the session keeps. */
  state(): Promise<State>
  /** Replaces what the session keeps by the items of a data file: collections by name, or its text in YAML or JSON. Returns warnings. */
  putState(items: Items | string): Promise<Finding[]>
  /** Deletes what the session keeps, the items of the start among it. */
  clearState(): Promise<void>
  /** The collections of the session. */
  collections(): Promise<Collection[]>
  /** Items of a collection, oldest first; default is the first 100. */
  items(collection: string, page?: { offset?: number; limit?: number }): Promise<ItemPage>
  /** Adds an item, whose key the mock chooses if it has none. Errors on an invalid one are in the problem. */
  createItem(collection: string, value: object): Promise<Item>
  /** Replaces the item of a key, or adds it. */
  putItem(collection: string, key: string, value: object): Promise<Item>
  /** Fails as putItem would, or without a key as createItem would, and changes nothing. */
  checkItem(collection: string, key: string | undefined, value: object): Promise<void>
  /** Deletes an item and what belongs to it. */
  deleteItem(collection: string, key: string): Promise<void>
  /** The time in the session. */
  clock(): Promise<Clock>
  /** Moves it on, or back: milliseconds, or a duration such as "1h30m". */
  advance(by: number | string): Promise<Clock>
  /** Moves it to another; needs `--clock fixed` or `real`. */
  setTime(time: Date | string | number): Promise<Clock>
  /** Takes back all moves of the clock. */
  resetClock(): Promise<void>

  /** Takes the session back to the items, scenarios and time of the start. The journal stays. */
  reset(): Promise<void>
  /** Takes the rules and states of the session's scenarios back to the start, and leaves its items. */
  rewind(): Promise<void>
  /** Remembers the session; default of the label is "default". */
  snapshot(label?: string): Promise<void>
  restore(label?: string): Promise<void>
  deleteSnapshot(label?: string): Promise<void>
  /** Copies the session and returns a client of the copy. */
  fork(to: string): Promise<Client>
  /** Opened in a browser, it sets the session's cookie there and leads to a path of the mock. */
  useURL(path?: string): string
  /** The session as the text of a file: `import` and `coldframe open` continue it in another mock. */
  export(): Promise<string>
  /** Replaces the session by the one in a file. Returns how its document and options differ from the mock's. */
  import(file: string): Promise<Finding[]>
  /** Deletes the session. */
  delete(): Promise<void>

  /** Exchanges of the journal, newest last. */
  requests(filter?: Filter): Promise<Requests>
  /** Exchanges of the journal as HAR 1.2. */
  har(filter?: Filter): Promise<{ log: { version: string; entries: any[] } & Record<string, any> }>
  request(number: number): Promise<Exchange>
  /** Empties the journal, of all sessions or of that one. */
  clearRequests(): Promise<void>
  /**
   * Compares the journal with an expectation, and returns how many exchanges match. If it is not met, the error has
   * status 417 and the nearest misses.
   */
  verify(expectation?: Expectation): Promise<number>
  /** What of the document was used. */
  coverage(format?: 'json'): Promise<Coverage>
  coverage(format: 'text' | 'lcov'): Promise<string>

  /** Names of the document's webhooks. */
  webhooks(): Promise<string[]>
  /** Sends a webhook where `--callbacks` allows it. */
  sendWebhook(name: string, order: WebhookOrder): Promise<Delivery>

  /** In the order of their rules. */
  scenarios(): Promise<Scenario[]>
  /** One with the text of its file. */
  scenario(name: string): Promise<Scenario>
  /** Adds or replaces one by the text of a file, YAML or JSON. Returns warnings; errors have their lines. */
  putScenario(name: string, text: string): Promise<Finding[]>
  /** Puts scenarios in the place of all others. */
  replaceScenarios(...scenarios: { name: string; text: string }[]): Promise<Finding[]>
  /** Writes a scenario to its file, or to a new one, and returns the file's name; needs `--allow-edit`. */
  saveScenario(name: string): Promise<string>
  /** Puts a scenario in force, or out of it. */
  switchScenario(name: string, active: boolean): Promise<void>
  deleteScenario(name: string): Promise<void>
  /** Takes back all changes of scenarios. */
  restoreScenarios(): Promise<void>
  /** The named state of the session in a scenario, "" where that has none. */
  scenarioState(name: string): Promise<string>
  setScenarioState(name: string, state: string): Promise<void>
  /** Takes the session to the first state of a scenario, and its rules to their first request. */
  rewindScenario(name: string): Promise<void>
}

/** The field in which requests name their session: Coldframe-Session. */
export const sessionHeader: string

/** Why the mock did not do what it was asked. Its message has the errors, or the nearest misses, a line each. */
export class ControlError extends Error {
  constructor(status: number, problem: Partial<Problem>)
  readonly status: number
  readonly problem: Partial<Problem>
}

/** Problem details (RFC 9457). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  /** On the request, or on the text of a scenario or of items. */
  errors?: { code?: string; detail: string; pointer?: string; parameter?: string; file?: string; line?: number; column?: number }[]
  /** Of verify: how many exchanges match, and at most five of them and of the nearest others. */
  matched?: number
  matches?: Match[]
  misses?: Miss[]
}

export interface Match {
  number: number
  /** Method and path. */
  request: string
  status: number
  /** operationId or "METHOD path". */
  operation?: string
}

export interface Miss extends Match {
  failed: { condition: string; value?: unknown; failure?: string }[]
}

export interface Memory {
  /** Bytes. */
  used: number
  /** Bytes; see `--memory`. */
  limit: number
  /** How many of what have given way since the start. */
  dropped: Record<string, number>
  droppedSessions: string[]
}

export interface Operation {
  /** operationId or "METHOD path". */
  operation: string
  method: string
  /** As in the document. */
  path: string
  summary?: string
  tags?: string[]
  deprecated?: true
  place: Place
  /** Of documented responses: "200", "4XX", "default". */
  statuses: string[]
  /** What it does to items. */
  resource?: { collection: string; does: string; reason: string }
}

export interface Document {
  title: string
  version: string
  /** As it was given. */
  file: string
  /** Of all files. */
  sha256: string
  files: { file: string; lines: number }[]
  findings: Finding[]
  /** RFC 3339. */
  loadedAt: string
  /** The last attempt to load it again, if that failed. */
  reload?: { at: string; error: string }
  /** Pages in a browser cannot change anything. */
  readOnly: boolean
  /** Scenarios can be saved. */
  allowEdit: boolean
}

export interface Plan {
  resources?: { name: string; singleton?: true; scoped?: true; parent?: string; key?: Record<string, string> }[]
  operations?: {
    method: string
    path: string
    operationId: string
    resource?: string
    role: string
    /** From 0 to 1. */
    confidence?: number
    reason?: string
    declared?: true
    /** What has no effect, with the line of coldframe.yaml that gives it one. */
    notSimulated?: { code: string; message: string; in: string; name?: string; setting?: string }[]
  }[]
  logins?: Record<string, any>[]
}

/** Where something stands in the document. */
export interface Place {
  /** JSON Pointer from the root of the file. */
  pointer?: string
  file?: string
  line?: number
  column?: number
}

export interface OperationDetails extends Operation {
  description?: string
  parameters: { in: string; name: string; required?: true; description?: string; schema?: JSONSchema; example?: any }[]
  body?: { required?: true; mediaTypes: MediaTypes }
  responses: { status: string; description?: string; mediaTypes: MediaTypes; examples?: string[] }[]
  /** Alternatives, one of which must be met completely; empty if no credentials are required. */
  security: { scheme: string; type: string; http?: string; in?: string; name?: string; scopes?: string[] }[][]
  /** A conforming request, with its path and query. */
  sample?: { method: string; target: string; headers?: Record<string, string>; body?: string; base64?: string }
}

/** As in the document, with the targets of references in their places. */
export type JSONSchema = Record<string, any> | boolean

/** The schema and the first example by media type. */
export type MediaTypes = Record<string, { schema?: JSONSchema; example?: any }>

export interface Learned {
  /** The operations that were compared, by path. */
  operations: { operation: string; exchanges: number; differing: number; differences: string[] }[]
  /** Lines of coldframe.yaml that remove differences. */
  settings?: string
  /** An OpenAPI Overlay 1.0 that corrects the document. */
  overlay?: string
}

export interface Source {
  /** METHOD path. */
  operation: string
  source: 'forward' | 'mock'
  reason: string
}

export interface Clock {
  /** RFC 3339. */
  time: string
  /** How far it was moved: "1h30m0s". */
  ahead: string
  /** Of `--clock`. */
  clock: 'session' | 'real' | 'fixed'
}

export interface Session {
  name: string
  items: number
  /** Their labels. */
  snapshots: string[]
}

/** Items by the name or the path of their collection. */
export type Items = Record<string, unknown>

export interface State {
  items: number
  /** By the path that they were created under. */
  collections: Record<string, any[]>
}

export interface Collection {
  /** Its name; absent if the name depends on parents and there are no items. */
  collection?: string
  /** The name with the variables of parents in braces. */
  template?: string
  count: number
  schema?: JSONSchema
}

export interface ItemPage {
  collection: string
  total: number
  schema?: JSONSchema
  items: Item[]
}

export interface Item {
  key: string
  value: any
  /** The exchange that created it, if the journal has it. */
  madeBy?: number
  /** The last 20 exchanges that changed it. */
  changedBy?: number[]
}

/** Chooses exchanges; without any it is all of them. */
export interface Filter {
  /** operationId or "METHOD path". */
  operation?: string
  /** 404 or "4XX". */
  status?: number | string
  /** Code of one. */
  finding?: string
  method?: string
  /** As sent or as in the document. */
  path?: string
  /** In the target or a body, in upper or lower case. */
  text?: string
  /** Only exchanges with smaller numbers. */
  before?: number
  /** The newest so many; default 100. */
  limit?: number
}

export interface Requests {
  /** How many there are without limit. */
  matched: number
  /** Older ones that were dropped. */
  lost: number
  requests: Exchange[]
}

/** A request to the mock and its answer, without credentials. */
export interface Exchange {
  number: number
  /** RFC 3339. */
  time: string
  /** Without the delay. */
  microseconds: number
  /** Milliseconds. */
  delay?: number
  session?: string
  /** operationId or "METHOD path". */
  operation?: string
  request: Message
  response: Message
  rule?: { scenario: string; number: number }
  fault?: 'reset' | 'truncate' | 'malformed' | 'hang'
  findings: Finding[]
  /** What of the request is not simulated. */
  notes?: { code: string; message: string; in: string; name?: string; setting?: string }[]
  /** What made the response; control is the mock itself. */
  why?: {
    source: 'state' | 'example' | 'generated' | 'scenario' | 'upstream' | 'recording' | 'refused' | 'control'
    collection?: string
    key?: string
    text: string
  }
  /** What the request did to items, the first 100. */
  writes?: { did: 'created' | 'changed' | 'deleted'; collection: string; key: string }[]
}

export interface Message {
  method?: string
  /** As sent. */
  path?: string
  query?: string
  status?: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** A string where it is no JSON. */
  body?: any
  /** A body that is neither JSON nor text. */
  base64?: string
  /** Bytes of the body. */
  size: number
  /** Only the first 64 KiB are kept. */
  truncated?: true
}

export interface Finding {
  code: string
  severity: 'error' | 'warning'
  message: string
  in?: string
  name?: string
  pointer?: string
  document: { pointer?: string; file?: string; line?: number; column?: number }
}

export interface Step {
  /** operationId or "METHOD path"; default any. */
  operation?: string
  /** A condition, as in scenarios. */
  where?: string
}

/** Which exchanges the journal is expected to have; at least one where nothing is said. */
export interface Expectation extends Step {
  count?: number
  atLeast?: number
  atMost?: number
  /** Exchanges that follow each other, with any others between them; in place of all other fields but session. */
  sequence?: Step[]
  /** Default is that of the client. */
  session?: string
}

export interface Covered {
  covered: number
  total: number
  percent: number
  file?: string
  line?: number
  column?: number
  pointer?: string
}

export interface Coverage extends Covered {
  session?: string
  kinds: (Covered & { kind: string })[]
  operations: (Covered & {
    operation: string
    method: string
    path: string
    hits: number
    points: { kind: string; name: string; hits: number; file?: string; line?: number; column?: number; pointer?: string }[]
  })[]
}

export interface WebhookOrder {
  url: string
  /** Default is the first that is documented. */
  method?: string
  /** In place of a generated one. */
  body?: unknown
}

/** What was sent and what came back. */
export interface Delivery {
  sent: Message
  received: Message
  findings: Finding[]
}

export interface Scenario {
  name: string
  description?: string
  file: string
  /** In force for requests that choose none. */
  active: boolean
  states?: string[]
  state?: string
  rules: { number: number; line: number; on: string[]; description?: string; matched: number }[]
  /** When a reload last began its state and its counts anew, since its content had changed. */
  resetAt?: string
  /** Of `scenario` alone. */
  text?: string
}
