/**
 * Arguments that a modern client repeats in headers, where a tool asks for it with `x-mcp-header`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import type { ServedTool } from "../assembly/entries.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { refusal } from "../api/errors.js";
import { decodeHeader, type HeaderReader } from "../protocol/headers.js";
import { isObject, type Params } from "../protocol/jsonrpc.js";
import type { JsonSchema } from "../protocol/json-schema.js";

/** An argument that is repeated in `Mcp-Param-{header}`. */
interface HeaderParameter {
  /** Lower case, with the prefix. */
  readonly header: string;
  /** Where the argument is, from the arguments object inwards. */
  readonly path: readonly string[];
}

/** The annotated arguments of a tool, found through `properties` alone. */
function collectHeaderParameters(schema: JsonSchema): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  const visit = (part: JsonSchema, path: readonly string[]): void => {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      if (!isObject(member)) continue;
      const here = [...path, name];
      const header = member["x-mcp-header"];
      if (typeof header === "string") found.push({ header: `mcp-param-${header.toLowerCase()}`, path: here });
      visit(member, here);
    }
  };
  visit(schema, []);
  return found;
}

/**
 * Holds calls of tools to what their tool asks for.
 *
 * @throws ProtocolError, from the check, when the `Mcp-Param-*` headers of a call disagree with its arguments
 */
export function createHeaderCheck(
  tools: ReadonlyMap<unknown, ServedTool>,
): (params: Params, header: HeaderReader) => void {
  const known = new Map<ServedTool, HeaderParameter[]>();
  const parametersOf = (tool: ServedTool): HeaderParameter[] => {
    let parameters = known.get(tool);
    if (parameters === undefined) {
      parameters = collectHeaderParameters(tool.entry.definition.inputSchema);
      known.set(tool, parameters);
    }
    return parameters;
  };
  return (params, header) => {
    const tool = tools.get(params.name);
    const problem = tool && headerParameterProblem(parametersOf(tool), params.arguments, header);
    if (problem !== undefined) throw refusal(problem, ErrorCode.HeaderMismatch);
  };
}

/** What is wrong with the `Mcp-Param-*` headers of a call, or `undefined`. */
function headerParameterProblem(
  parameters: readonly HeaderParameter[],
  args: unknown,
  header: HeaderReader,
): string | undefined {
  for (const parameter of parameters) {
    const raw = header(parameter.header);
    const value = valueAt(args, parameter.path);
    const name = parameter.path.join(".");
    if (value === undefined || value === null) {
      if (raw !== undefined)
        return `The header ${parameter.header} is set, but the argument "${name}" is not.`;
    } else if (raw === undefined) {
      return `The header ${parameter.header} is missing; it must repeat the argument "${name}".`;
    } else if (!standsFor(raw, value)) {
      return `The header ${parameter.header} does not repeat the argument "${name}".`;
    }
  }
  return undefined;
}

function standsFor(raw: string, value: unknown): boolean {
  const text = decodeHeader(raw);
  if (text === undefined) return false;
  if (typeof value === "number")
    return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number(text) === value;
  return typeof value === "string" || typeof value === "boolean" ? text === String(value) : false;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}
