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
import { isProtocolError, ToolError } from "../api/errors.js";
import { createList } from "./lists.js";
import { projectTool } from "../protocol/projection.js";
import type { ToolResult } from "../protocol/specification.js";
import type { RefuseOutput } from "../results/output-check.js";
import { toolErrorResult } from "../results/tool-result.js";
import { listCapability, type Method, type MethodFamily, type MethodSource } from "./method.js";

export const tools: MethodFamily = {
  methods: createToolMethods,
  capabilities: ({ entries }, _revision, announced) =>
    entries.tools.size > 0 ? { tools: listCapability(announced, "tools") } : undefined,
};

function createToolMethods(source: MethodSource): Record<string, Method> {
  const { entries, settings } = source;
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

  const failure = (call: Call, error: unknown, name: string): ToolResult => {
    if (isProtocolError(error)) throw error;
    const message = source.failureText(error, `tool "${name}"`, call);
    return toolErrorResult(call.session.sanitize(message));
  };

  const run = (invocation: Invocation, tool: ServedTool): string | Promise<string> => {
    const { call } = invocation;
    const { name } = tool.entry.definition;
    const refusal = (): RefuseOutput | undefined => source.refusal(`tool "${name}"`, call);
    return source.run(invocation, tool, {
      prepare: () => readArguments(tool, call.params.arguments),
      admit: (args) => {
        if (!tool.handler.allows(call, args)) throw notServed(entries.tools, "tool", name, call);
      },
      toResult: (value, revision) => tool.result(value, revision, refusal()),
      member: "content",
      accept: (result, revision, own) => tool.accept(result, own, revision, refusal()),
      toFailure: (error) => failure(call, error, name),
    });
  };

  return {
    "tools/list": list,

    "tools/call": (call) => {
      const tool = findServed(entries.tools, "tool", call.params.name, call);
      const { task } = tool.entry;
      const invocation = new Invocation(call);
      return task === undefined || source.tasks === undefined
        ? run(invocation, tool)
        : source.tasks.serve(invocation, task, () => run(invocation, tool));
    },
  };
}

/** @throws ToolError for arguments that do not fit, so that the model reads what is wrong with them */
function readArguments({ arguments: plan, entry }: ServedTool, given: unknown): Record<string, unknown> {
  try {
    return prepareArguments(plan, given);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    throw new ToolError(argumentsMessage(entry.definition.name, error.issues));
  }
}

/** One problem fits a line; several are listed. */
function argumentsMessage(name: string, issues: readonly string[]): string {
  const start = `Invalid arguments for tool "${name}":`;
  const [only = ""] = issues;
  if (issues.length === 1) return `${start} ${only}${only.endsWith("?") ? "" : "."}`;
  return [start, ...issues.map((issue) => `- ${issue}`)].join("\n");
}
