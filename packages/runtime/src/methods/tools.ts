/**
 * `tools/list` and `tools/call`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import { ArgumentsError, prepareArguments } from "../values/arguments.js";
import type { Call } from "../connection/call.js";
import { Invocation } from "../connection/invocation.js";
import type { ServedTool } from "../assembly/entries.js";
import { findServed, notServed } from "./find-served.js";
import { isProtocolError, isToolError } from "../api/errors.js";
import { createList } from "./lists.js";
import { projectTool } from "../protocol/projection.js";
import type { ToolResult } from "../protocol/specification.js";
import { toolErrorResult } from "../results/tool-result.js";
import { listCapability, type Method, type MethodFamily, type MethodSource } from "./method.js";

export const tools: MethodFamily = {
  methods: createToolMethods,
  capabilities: ({ entries }, _revision, announced) =>
    entries.tools.size > 0 ? { tools: listCapability(announced, "tools") } : undefined,
};

function createToolMethods(source: MethodSource): Record<string, Method> {
  const { entries, settings, write } = source;
  const served = [...entries.tools.values()];
  const list = createList(
    {
      member: "tools",
      entries: served,
      keyOf: (tool) => tool.entry.definition.name,
      project: (tool, revision) => projectTool(tool.entry.definition, revision),
      hint: settings.hint(
        "tools",
        served.every(({ handler }) => !handler.canBeDisabled),
      ),
    },
    source,
  );

  const problemOf = (call: Call, error: unknown, name: string): string => {
    if (error instanceof ArgumentsError) return argumentsMessage(name, error.issues);
    return isToolError(error) ? error.message : source.reportError(error, `tool "${name}"`, call);
  };

  const failure = (call: Call, error: unknown, name: string): ToolResult => {
    if (isProtocolError(error)) throw error;
    return toolErrorResult(call.session.sanitize(problemOf(call, error, name)));
  };

  const run = (
    invocation: Invocation,
    tool: ServedTool,
    args: Record<string, unknown>,
  ): string | Promise<string> => {
    const { call } = invocation;
    const { name } = tool.entry.definition;
    return source.run(invocation, tool.handler, args, {
      toResult: (value) => tool.result(value, call.revision, source.refusal(`tool "${name}"`, call)),
      toFailure: (error) => failure(call, error, name),
    });
  };

  return {
    "tools/list": list,

    "tools/call": (call) => {
      const { name, arguments: given } = call.params;
      const tool = findServed(entries.tools, "tool", name, call);
      const { definition, task } = tool.entry;
      let args: Record<string, unknown>;
      try {
        source.authorize(call, tool.entry);
        args = prepareArguments(tool.arguments, given);
      } catch (error) {
        return write(call.revision, failure(call, error, definition.name));
      }
      if (!tool.handler.allows(call, args)) throw notServed(entries.tools, "tool", definition.name, call);
      const invocation = new Invocation(call);
      return task === undefined || source.tasks === undefined
        ? run(invocation, tool, args)
        : source.tasks.serve(invocation, task, () => run(invocation, tool, args));
    },
  };
}

/** One problem fits a line; several are listed. */
function argumentsMessage(name: string, issues: readonly string[]): string {
  const start = `Invalid arguments for tool "${name}":`;
  const [only = ""] = issues;
  if (issues.length === 1) return `${start} ${only}${only.endsWith("?") ? "" : "."}`;
  return [start, ...issues.map((issue) => `- ${issue}`)].join("\n");
}
