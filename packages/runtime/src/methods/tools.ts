/**
 * `tools/list` and `tools/call`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import { ArgumentsError, prepareArguments } from "../arguments.js";
import type { Call } from "../call.js";
import { listHint } from "../cache-hints.js";
import type { ServedTool } from "../entries.js";
import { invalidParams, isProtocolError, isToolError } from "../errors.js";
import { createList } from "../lists.js";
import { nearestName } from "../nearest-name.js";
import { projectTool } from "../projection.js";
import { toolErrorMembers } from "../results.js";
import { checkOutput } from "./output-check.js";
import { type Method, type MethodSource, serveHandler } from "./method.js";

export function createToolMethods(source: MethodSource): Record<string, Method> {
  const { entries, sealOf } = source;
  const list = createList({
    member: "tools",
    entries: [...entries.tools.values()],
    keyOf: (tool) => tool.entry.definition.name,
    project: (tool, revision) => projectTool(tool.entry.definition, revision),
    hint: listHint(source.config, "tools", !source.announced.lists.has("tools")),
    pageSize: source.pageSize,
  });

  const fail = (call: Call, message: string): string =>
    sealOf(call.revision).result(toolErrorMembers(message));

  const failure = (call: Call, error: unknown, subject: string): string => {
    if (isToolError(error)) return fail(call, error.message);
    if (isProtocolError(error)) throw error;
    return fail(call, source.explain(error, subject, call));
  };

  return {
    "tools/list": (call) => list(call.params, call.revision, sealOf(call.revision)),

    "tools/call": (call) => {
      const tool = findTool(entries.tools, call.params.name);
      const { name } = tool.entry.definition;
      let args: Record<string, unknown>;
      try {
        args = prepareArguments(tool.arguments, call.params.arguments);
      } catch (error) {
        if (error instanceof ArgumentsError) return fail(call, argumentsMessage(name, error.issues));
        return failure(call, error, `tool "${name}"`);
      }
      const run = (): string | Promise<string> =>
        serveHandler(
          source,
          call,
          tool.handler,
          () => args,
          (value) => {
            if (call.connection.exposesErrors) checkOutput(tool, value);
            const result = tool.result(value, call.revision);
            return sealOf(call.revision).result(result.members, result.meta);
          },
          (error) => failure(call, error, `tool "${name}"`),
        );
      const { task } = tool.entry;
      return task === undefined ? run() : source.serveTask(call, task, run);
    },
  };
}

function findTool(tools: ReadonlyMap<string, ServedTool>, name: unknown): ServedTool {
  if (typeof name !== "string") throw invalidParams("`name` must be the name of a tool.");
  const tool = tools.get(name);
  if (tool?.isEnabled() === true) return tool;
  const enabled = [...tools].filter(([, each]) => each.isEnabled()).map(([each]) => each);
  const nearest = nearestName(name, enabled);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw invalidParams(`Unknown tool "${name.slice(0, 128)}".${hint}`);
}

/** One problem fits a line; several are listed. */
function argumentsMessage(name: string, issues: readonly string[]): string {
  const [first] = issues;
  if (issues.length === 1) return `Invalid arguments for tool "${name}": ${first}.`;
  return [`Invalid arguments for tool "${name}":`, ...issues.map((issue) => `- ${issue}`)].join("\n");
}
