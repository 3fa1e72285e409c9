/**
 * `tools/list` and `tools/call`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @module
 */
import { toProblemSentence } from "../../data/explanations/problem-sentence.js";
import { findChallenge, isProtocolError, ToolError } from "../../api/errors.js";
import { ArgumentsError, prepareArguments } from "../../data/conversion/arguments.js";
import { toErrorResult } from "../../data/results/tool-result.js";
import { projectTool } from "../../protocol/projection.js";
import type { ServedTool } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { Serve, ServerParts, Target } from "../stages/stage.js";
import { composeHandlers } from "../stages/stages.js";
import { findServed, createNotServedError } from "./find-served.js";
import { createList } from "./lists.js";
import { createListCapability, type Method, type MethodFamily } from "./method.js";

export const tools: MethodFamily = {
  createMethods: createToolMethods,
  getCapabilities: ({ entries }, _revision, announced) =>
    entries.tools.size > 0 ? { tools: createListCapability(announced, "tools") } : undefined,
};

function createToolMethods(server: ServerParts): Record<string, Method> {
  const { entries, settings } = server;
  const served = [...entries.tools.values()];
  const search = server.createToolSearch?.(served, server);
  const list = createList(
    {
      member: "tools",
      entries: search?.listed ?? served,
      getKey: (tool) => tool.entry.definition.name,
      project: (tool, revision) => projectTool(tool.entry.definition, revision),
      hint: settings.getCacheHint(
        "tools",
        served.every(({ handler }) => !handler.canBeDisabled),
      ),
    },
    server,
  );

  const handlers = composeHandlers(served, createTarget, server);
  const headerChecks = new Map(served.map((tool) => [tool, server.createHeaderCheck?.(tool)]));

  const findTool = (call: Call): ServedTool => findServed(entries.tools, "tool", call.params.name, call);
  // `callTool` repeats this instead of calling it, which keeps the stack below the author's method shorter.
  const serveTool: Serve<string> = (call) => (handlers.get(findTool(call)) as Serve<string>)(call);

  return {
    "tools/list": list,

    "tools/call": function callTool(call) {
      // If a call goes through `call_tool`, its headers repeat the arguments of `call_tool`.
      const served = search?.serve(call, serveTool);
      if (served !== undefined) return served;
      const tool = findTool(call);
      headerChecks.get(tool)?.(call);
      return (handlers.get(tool) as Serve<string>)(call);
    },
  };
}

/** Creates the target of the calls to one tool. */
function createTarget(tool: ServedTool, server: ServerParts): Target {
  const { entry, handler } = tool;
  const { name } = entry.definition;
  const subject = `tool "${name}"`;
  return {
    entry,
    handler,
    arguments: tool.arguments,
    task: entry.task,
    subject,
    member: "content",
    callsHandler: true,
    invoke: handler.invoke,
    createNotFoundError: (call) => createNotServedError(server.entries.tools, "tool", name, call),
    readArguments: (call) => readArguments(tool, call.params.arguments),
    toResult: (call, value, revision, reject) => {
      if (reject) tool.checkPage?.(value, call, reject);
      return tool.buildResult(value, revision, reject);
    },
    replaceResult: (_call, result, own, revision, reject) => tool.acceptResult(result, own, revision, reject),
    // A failed tool is a result, so that the model can read it and correct itself.
    toFailure: (call, error) => {
      if (isProtocolError(error)) throw error;
      const text = server.sanitizeText(server.formatFailure(error, subject, call));
      return toErrorResult(text, findChallenge(error));
    },
  };
}

/**
 * Reads the arguments of a tool.
 *
 * @throws ToolError for invalid arguments, with the problems for the model
 */
function readArguments({ arguments: plan, entry }: ServedTool, values: unknown): Record<string, unknown> {
  try {
    return prepareArguments(plan, values);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    throw new ToolError(formatArgumentsMessage(entry.definition.name, error.issues));
  }
}

/** Returns the problems as a message: one on the same line, several as a list. */
function formatArgumentsMessage(name: string, issues: readonly string[]): string {
  const heading = `Invalid arguments for tool "${name}":`;
  if (issues.length === 1) return `${heading} ${toProblemSentence(issues)}`;
  return [heading, ...issues.map((issue) => `- ${issue}`)].join("\n");
}
