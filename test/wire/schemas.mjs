import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { officialProblem } from "./official.mjs";

/**
 * A JSON-RPC message as it is on the wire.
 *
 * @typedef {object} WireMessage
 * @property {string} jsonrpc
 * @property {string | number | null} [id]
 * @property {string} [method]
 * @property {Record<string, unknown>} [params]
 * @property {Record<string, unknown>} [result]
 * @property {{ code: number, message: string, data?: unknown }} [error]
 */

/** The schema's name for the result of each method. */
const RESULTS = new Map([
  ["initialize", "InitializeResult"],
  ["ping", "EmptyResult"],
  ["logging/setLevel", "EmptyResult"],
  ["server/discover", "DiscoverResult"],
  ["tools/list", "ListToolsResult"],
  ["tools/call", "CallToolResult"],
  ["prompts/list", "ListPromptsResult"],
  ["prompts/get", "GetPromptResult"],
  ["resources/list", "ListResourcesResult"],
  ["resources/templates/list", "ListResourceTemplatesResult"],
  ["resources/read", "ReadResourceResult"],
  ["completion/complete", "CompleteResult"],
  ["resources/subscribe", "EmptyResult"],
  ["resources/unsubscribe", "EmptyResult"],
  ["subscriptions/listen", "SubscriptionsListenResult"],
]);

/** The schema's names for results that are not what the method is named for; tasks are an extension. */
const KINDS = new Map([
  ["input_required", "InputRequiredResult"],
  ["task", "Result"],
]);

/** Notifications of extensions, which the schema leaves to them. */
const EXTENSIONS = /^notifications\/tasks$/;

/** The schema's names for errors with their own shape. */
const ERRORS = new Map([
  [-32020, "HeaderMismatchError"],
  [-32021, "MissingRequiredClientCapabilityError"],
  [-32042, "URLElicitationRequiredError"],
  [-32022, "UnsupportedProtocolVersionError"],
]);

/** @type {Map<string, WireSchema>} */
const documents = new Map();

/**
 * Finds a violation of the specification's own schema of that revision, or of the schemas that the official SDKs ship, in a
 * message of the server.
 *
 * @param {WireMessage} message
 * @param {string} revision
 * @param {string} [method] The request that the message answers, if it does.
 * @returns {string | undefined} The part of the schema and its error.
 */
export function schemaProblem(message, revision, method) {
  let document = documents.get(revision);
  if (document === undefined) {
    document = new WireSchema(revision);
    documents.set(revision, document);
  }
  for (const [value, name] of document.parts(message, method)) {
    const problem = document.problem(value, name) ?? officialProblem(value, name, revision);
    if (problem !== undefined) return `Not a valid ${name} of ${revision}: ${problem}`;
  }
  return undefined;
}

class WireSchema {
  /** @type {Record<string, unknown>} */
  #definitions;
  #keyword;
  #ajv;
  /** @type {Map<string, import("ajv").ValidateFunction>} */
  #compiled = new Map();

  /** @param {string} revision */
  constructor(revision) {
    const file = join(import.meta.dirname, "schema", `${revision}.json`);
    const schema = JSON.parse(readFileSync(file, "utf8"));
    this.#keyword = "$defs" in schema ? "$defs" : "definitions";
    this.#definitions = schema[this.#keyword];
    const options = { strict: false, validateFormats: false, allErrors: true };
    this.#ajv = this.#keyword === "$defs" ? new Ajv2020(options) : new Ajv(options);
    this.#ajv.addSchema(schema, "mcp");
  }

  /**
   * Returns the parts of the message, each with the name of its definition.
   *
   * @param {WireMessage} message @param {string | undefined} method
   * @returns {[value: unknown, name: string][]}
   */
  parts(message, method) {
    if (message.method !== undefined) {
      if (EXTENSIONS.test(message.method)) return [[message, "JSONRPCNotification"]];
      return [[message, message.id === undefined ? "ServerNotification" : "ServerRequest"]];
    }
    if (message.error !== undefined) {
      const special = ERRORS.get(message.error.code);
      const error = this.#has("JSONRPCErrorResponse") ? "JSONRPCErrorResponse" : "JSONRPCError";
      return special !== undefined && this.#has(special)
        ? [
            [message, error],
            [message, special],
          ]
        : [[message, error]];
    }
    const result = KINDS.get(String(message.result?.["resultType"])) ?? RESULTS.get(method ?? "");
    const response = this.#has("JSONRPCResultResponse") ? "JSONRPCResultResponse" : "JSONRPCResponse";
    return result === undefined
      ? [[message, response]]
      : [
          [message, response],
          [message.result, result],
        ];
  }

  /** @param {unknown} value @param {string} name */
  problem(value, name) {
    if (!this.#has(name)) return "this revision has none";
    let validate = this.#compiled.get(name);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `mcp#/${this.#keyword}/${name}` });
      this.#compiled.set(name, validate);
    }
    if (validate(value)) return undefined;
    const errors = (validate.errors ?? []).slice(0, 4);
    return errors
      .map(({ instancePath, message, schemaPath }) => `${instancePath} ${message} (${schemaPath})`)
      .join(", ");
  }

  /** @param {string} name */
  #has(name) {
    return Object.hasOwn(this.#definitions, name);
  }
}
