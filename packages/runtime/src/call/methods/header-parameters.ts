/**
 * Arguments that modern clients repeat in headers, if the tool's schema requests it with `x-mcp-header`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import type { ServedTool } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import { getRepeatingHeaders } from "../connection/modern-request.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { createBadRequestError } from "../../api/errors.js";
import { parseContainer } from "../../data/conversion/json-in-text.js";
import { decodeHeader, type HeaderReader } from "../../protocol/headers.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

/** An argument that is repeated in `Mcp-Param-{header}`. */
interface HeaderParameter {
  /** The name of the header in lower case, with its prefix. */
  readonly header: string;
  /** The path to the value in the arguments. */
  readonly path: readonly string[];
}

/** Collects the annotated arguments of a tool, through `properties` only. */
function collectHeaderParameters(schema: JsonSchema): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  const visit = (part: JsonSchema, path: readonly string[]): void => {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      if (!isObject(member)) continue;
      const memberPath = [...path, name];
      const header = member["x-mcp-header"];
      if (typeof header === "string")
        found.push({ header: `mcp-param-${header.toLowerCase()}`, path: memberPath });
      visit(member, memberPath);
    }
  };
  visit(schema, []);
  return found;
}

/**
 * Creates the check of the headers that repeat the arguments of a tool.
 *
 * @throws ProtocolError, from the check, for headers that disagree with the arguments of the call
 */
export function createHeaderCheck({ entry }: ServedTool): (call: Call) => void {
  let parameters: HeaderParameter[] | undefined;
  return ({ params, peer, revision }) => {
    const header = revision.era === "modern" ? getRepeatingHeaders(peer) : undefined;
    if (header === undefined) return;
    parameters ??= collectHeaderParameters(entry.definition.inputSchema);
    const problem = findProblem(parameters, params.arguments, header);
    if (problem !== undefined) throw createBadRequestError(problem, ErrorCode.HeaderMismatch);
  };
}

/** Returns the problem with the `Mcp-Param-*` headers of a call, if there is one. */
function findProblem(
  parameters: readonly HeaderParameter[],
  args: unknown,
  header: HeaderReader,
): string | undefined {
  for (const parameter of parameters) {
    const raw = header(parameter.header);
    const value = getValue(args, parameter.path);
    const name = parameter.path.join(".");
    if (value === undefined || value === null) {
      if (raw !== undefined)
        return `The header ${parameter.header} is set, but the argument "${name}" is not.`;
    } else if (raw === undefined) {
      return `The header ${parameter.header} is missing; it must repeat the argument "${name}".`;
    } else if (!matchesValue(raw, value)) {
      return `The header ${parameter.header} does not repeat the argument "${name}".`;
    }
  }
  return undefined;
}

function matchesValue(raw: string, value: unknown): boolean {
  const text = decodeHeader(raw);
  if (text === undefined) return false;
  if (typeof value === "number")
    return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number(text) === value;
  return typeof value === "string" || typeof value === "boolean" ? text === String(value) : false;
}

function getValue(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    // The handler receives the object that text contains.
    current = parseContainer(current) ?? current;
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}
