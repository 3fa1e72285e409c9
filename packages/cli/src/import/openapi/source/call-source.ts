import { RESULT_TYPE } from "@tenon/compiler";
import type { JsonSchema } from "@tenon/runtime/manifest";
import type { AnswerPlan } from "./answer.js";
import type { Body } from "./body.js";
import type { Operation, Parameter } from "../document/operations.js";
import type { CallPart } from "./client-part.js";
import type { Schemas } from "../schemas/schemas.js";
import { property, securityText, templateText } from "./source-text.js";

export interface OperationContext {
  readonly schemas: Schemas;
  /** Where the operation is served, if not where the rest is. */
  readonly address: string | undefined;
  /** Alternatives of schemes, if not those of the whole document. */
  readonly security: readonly (readonly string[])[] | undefined;
  readonly parts: Set<CallPart>;
}

/** An argument of a tool, and the parameter that it is sent as. */
export interface Argument {
  readonly name: string;
  /** The variable that holds it in the method. */
  readonly local: string;
  readonly parameter: Parameter;
  readonly schema: JsonSchema;
}

/** So many parameters of the query are named; more are sent as the rest of the arguments. */
const MOST_NAMED = 4;
const WIDTH = 100;

/** The source of a method: what it takes from its arguments, and the one call that it makes. */
export function callSource(
  operation: Operation,
  args: readonly Argument[],
  body: Body | undefined,
  answer: AnswerPlan,
  context: OperationContext,
): { parameter: string | undefined; statements: string } {
  const { parts } = context;
  const query = args.filter(({ parameter }) => parameter.in === "query");
  const isPlainQuery = query.every(
    (each) => each.name === each.parameter.name && valueSource(each) === each.local,
  );
  const isRest = body === undefined && query.length > MOST_NAMED && isPlainQuery;
  const named = args.filter((each) => !isRest || !query.includes(each));
  const members: string[] = [];
  const add = (part: CallPart, text: string): void => {
    parts.add(part);
    members.push(text);
  };
  if (isRest) add("query", "query");
  else if (query.length > 0) add("query", `query: ${objectOf(query.map(entrySource), parts)}`);
  for (const [place, part] of [
    ["header", "headers"],
    ["cookie", "cookies"],
  ] as const) {
    const sent = args.filter(({ parameter }) => parameter.in === place);
    if (sent.length > 0) add(part, `${part}: ${objectOf(sent.map(entrySource), parts)}`);
  }
  if (body !== undefined) {
    const sent = bodySource(body);
    members.push(body.kind === sent ? sent : `${body.kind}: ${sent}`);
    if (body.deep.length > 0) parts.add("deepObject");
    if (body.mediaType !== undefined) add("media type", `contentType: ${JSON.stringify(body.mediaType)}`);
  }
  if (answer.accept !== undefined) members.push(`accept: ${JSON.stringify(answer.accept)}`);
  if (context.address !== undefined) add("server", `url: ${JSON.stringify(context.address)}`);
  if (context.security !== undefined) add("security", `security: ${securityText(context.security)}`);
  members.push("signal");
  const type = answer.reader === "json" ? `<${RESULT_TYPE}>` : "";
  const start = `${answer.reader === "done" ? "await" : "return"} this.#api.${answer.reader}${type}`;
  const call = `${start}("${operation.method}", ${pathSource(operation.path, args)}, `;
  const isShort =
    call.length + members.join(", ").length < WIDTH && members.every((text) => !text.includes("\n"));
  const options = isShort
    ? `{ ${members.join(", ")} }`
    : `{\n${members.map((text) => `${text},\n`).join("")}}`;
  return {
    parameter: parameterSource(named, isRest ? "query" : body === undefined ? undefined : "body", body),
    statements: `${call}${options});`,
  };
}

function parameterSource(
  named: readonly Argument[],
  rest: "query" | "body" | undefined,
  body: Body | undefined,
): string | undefined {
  const names = named.map(({ name, local }) => {
    if (name === local) return local;
    return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${local}`;
  });
  if (body !== undefined && body.isSpread && names.length === 0) return "body";
  if (body !== undefined && !body.isSpread)
    names.push(body.argument === "body" ? "body" : `${body.argument}: body`);
  else if (rest !== undefined) names.push(`...${rest}`);
  return names.length === 0 ? undefined : `{ ${names.join(", ")} }`;
}

function bodySource({ deep }: Body): string {
  if (deep.length === 0) return "body";
  const names = deep.map((name) => JSON.stringify(name)).join(", ");
  return `deepObject(body, [${names}])`;
}

/** A member of an object that is sent, under its name on the wire. */
function entrySource(argument: Argument): string {
  const { parameter, local } = argument;
  if (parameter.style === "deepObject" && parameter.in === "query" && isComposite(argument)) {
    return `...deepObject({ ${memberSource(parameter.name, local)} })`;
  }
  const value = valueSource(argument);
  // The members of an object are parameters by themselves.
  if (parameter.in === "query" && parameter.isExploded && value === local && isObject(argument))
    return `...${local}`;
  return memberSource(parameter.name, value);
}

function memberSource(name: string, value: string): string {
  return value === name && name !== "__proto__" ? value : `${property(name)}: ${value}`;
}

/** What is sent of an argument: the client writes texts, numbers and lists by itself. */
function valueSource(argument: Argument): string {
  const { parameter, local } = argument;
  if (parameter.isJson) return `JSON.stringify(${local})`;
  if (parameter.style === "deepObject" || !isComposite(argument)) return local;
  const separator = SEPARATORS[parameter.style] ?? ",";
  if (parameter.in === "query" && parameter.isExploded) return local;
  return `joined(${local}${separator === "," ? "" : `, ${JSON.stringify(separator)}`})`;
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** True for what may be a list or an object. */
function isComposite({ schema }: Argument): boolean {
  const types = [schema.type ?? "unknown"].flat();
  return types.some((type) => type === "array" || type === "object" || type === "unknown");
}

function isObject({ schema }: Argument): boolean {
  return [schema.type ?? []].flat().includes("object");
}

/** A template that writes each value so that it stays where it is. */
function pathSource(path: string, args: readonly Argument[]): string {
  const byName = new Map(
    args.flatMap((each) => (each.parameter.in === "path" ? [[each.parameter.name, each] as const] : [])),
  );
  if (byName.size === 0) return JSON.stringify(path);
  const text = path.split(/(\{[^{}]+\})/).map((part) => {
    const found = byName.get(part.slice(1, -1));
    if (!part.startsWith("{") || found === undefined) return templateText(part);
    const before = { label: ".", matrix: `;${encodeURIComponent(found.parameter.name)}=` }[
      found.parameter.style
    ];
    return `${before ?? ""}\${${found.local}}`;
  });
  return `path\`${text.join("")}\``;
}

function objectOf(entries: readonly string[], parts: Set<CallPart>): string {
  for (const entry of entries) {
    if (entry.includes("joined(")) parts.add("joined");
    if (entry.includes("deepObject(")) parts.add("deepObject");
  }
  const line = `{ ${entries.join(", ")} }`;
  return line.length < WIDTH - 20 ? line : `{\n${entries.map((entry) => `${entry},\n`).join("")}}`;
}
