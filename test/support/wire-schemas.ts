import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** A JSON-RPC message as it is on the wire. */
export interface WireMessage {
  jsonrpc: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** The schema's name for the result of each method. */
const RESULTS: Record<string, string> = {
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "logging/setLevel": "EmptyResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "completion/complete": "CompleteResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};

/** The schema's names for results that are not what the method is named for; tasks are an extension. */
const KINDS: Record<string, string> = { input_required: "InputRequiredResult", task: "Result" };

/** The schema's names for errors of their own shape. */
const ERRORS: Record<number, string> = {
  [-32020]: "HeaderMismatchError",
  [-32021]: "MissingRequiredClientCapabilityError",
  [-32042]: "URLElicitationRequiredError",
  [-32022]: "UnsupportedProtocolVersionError",
};

const documents = new Map<string, WireSchema>();

/**
 * Checks a message of the server against the specification's own schema of that revision. Every test that
 * reads messages passes them through here.
 *
 * @param method The request that the message answers, if it does.
 * @throws Error naming the part of the schema and what is wrong.
 */
export function checkServerMessage(message: WireMessage, revision: string, method?: string): void {
  let document = documents.get(revision);
  if (document === undefined) {
    document = new WireSchema(revision);
    documents.set(revision, document);
  }
  document.check(message, method);
}

class WireSchema {
  readonly #revision: string;
  readonly #definitions: Record<string, unknown>;
  readonly #keyword: string;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(revision: string) {
    const file = join(import.meta.dirname, "schema", `${revision}.json`);
    const schema = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, unknown>>;
    this.#revision = revision;
    this.#keyword = "$defs" in schema ? "$defs" : "definitions";
    this.#definitions = schema[this.#keyword] ?? {};
    const options = { strict: false, validateFormats: false, allErrors: true } as const;
    this.#ajv = this.#keyword === "$defs" ? (new Ajv2020(options) as unknown as Ajv) : new Ajv(options);
    this.#ajv.addSchema(schema, "mcp");
  }

  check(message: WireMessage, method: string | undefined): void {
    if (message.method !== undefined) {
      this.#require(message, message.id === undefined ? "ServerNotification" : "ServerRequest");
    } else if (message.error !== undefined) {
      // Older schemas have no form for an error about a message without a readable id; JSON-RPC's `null` stands in.
      const checked = message.id === null ? { ...message, id: 0 } : message;
      this.#require(checked, this.#has("JSONRPCErrorResponse") ? "JSONRPCErrorResponse" : "JSONRPCError");
      const special = ERRORS[message.error.code];
      if (special !== undefined && this.#has(special)) this.#require(checked, special);
    } else {
      this.#require(
        message,
        this.#has("JSONRPCResultResponse") ? "JSONRPCResultResponse" : "JSONRPCResponse",
      );
      const byType = KINDS[String(message.result?.["resultType"])];
      const result = byType ?? (method === undefined ? undefined : RESULTS[method]);
      if (result !== undefined) this.#require(message.result, result);
    }
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#definitions, name);
  }

  #require(value: unknown, name: string): void {
    let validate = this.#compiled.get(name);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `mcp#/${this.#keyword}/${name}` });
      this.#compiled.set(name, validate);
    }
    if (validate(value)) return;
    const problems = this.#ajv.errorsText(validate.errors, { dataVar: name });
    throw new Error(`Not a ${name} of ${this.#revision}: ${problems}\n${JSON.stringify(value, null, 2)}`);
  }
}
