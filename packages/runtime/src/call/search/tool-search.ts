/**
 * The search mode for servers with hundreds of tools: instead of all tools, clients see one that searches them and one that
 * calls them. A call passes the same stages as a direct one.
 *
 * @module
 */
import { ToolError } from "../../api/errors.js";
import { parseContainer } from "../../data/conversion/json-in-text.js";
import { findNearestName } from "../../data/problems/nearest-name.js";
import { toErrorResult, toStructuredResult } from "../../data/results/tool-result.js";
import { isVisibleTo } from "../../manifest.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectTool } from "../../protocol/projection.js";
import type { Revision } from "../../protocol/revisions.js";
import type { Tool } from "../../protocol/specification.js";
import type { ServedTool } from "../assembly/entries.js";
import { type Handler, OWN_HANDLER } from "../assembly/handlers.js";
import type { Call } from "../connection/call.js";
import type { CreateToolSearch, ServerParts, Target } from "../stages/stage.js";
import { composeHandlers } from "../stages/stages.js";
import {
  DEFAULT_LIMIT,
  describeCallTool,
  describeSearchTool,
  FOUND_SCHEMA,
  MAX_LIMIT,
  MAX_QUERY_CHARACTERS,
} from "./search-tools.js";
import { createTextIndex, type Search } from "./text-index.js";

/** The weights of words in the name, title, and descriptions of a tool. */
const WEIGHTS = { name: 3, title: 2, summary: 3, description: 0.5, argument: 0.5, argumentDescription: 0.1 };

/**
 * Creates the search mode: the two tools that clients see, and the function that serves their calls.
 *
 * @param served all tools of the server
 */
export const createToolSearch: CreateToolSearch = (served, server) => {
  const { toolSearch = {} } = server.settings;
  const always = new Set(toolSearch.always);
  const tools = served.filter(({ entry }) => isVisibleTo(entry, "model"));
  // Clients find the view of a tool in its definition, and views call the tools of their server by name.
  const listed = served.filter(
    ({ entry }) =>
      always.has(entry.definition.name) || entry.view !== undefined || !isVisibleTo(entry, "model"),
  );
  // Every caller reads the descriptions, which therefore must not reveal tools that some callers do not see.
  const shown = tools.filter((tool) => !tool.handler.canBeDisabled);
  const searchTool = describeSearchTool(shown.map(({ entry }) => entry.definition));
  const callTool = describeCallTool(tools.map(({ entry }) => entry.definition));
  const byName = new Map(tools.map((tool) => [tool.entry.definition.name, tool]));
  let search: Search<ServedTool> | undefined;

  const find = (call: Call): object => {
    const { query, limit } = call.arguments as { query: string; limit: number };
    search ??= createTextIndex(tools.map(toDocument));
    const found = search(query).filter(({ handler }) => handler.isEnabled(call));
    return {
      tools: found.slice(0, limit).map(({ entry }) => describeFound(entry.definition, call.revision)),
    };
  };
  const handler: Handler = { ...OWN_HANDLER, invoke: find };
  const target = createSearchTarget(searchTool, handler, server);
  const [serveSearch] = composeHandlers([searchTool], () => target, server).values();

  const fail = (call: Call, message: string): string => {
    const result = toErrorResult(message);
    if (call.notes !== undefined) call.notes.result = result;
    return server.write(call.revision, result);
  };

  return {
    listed: [{ entry: toEntry(searchTool), handler }, { entry: toEntry(callTool), handler }, ...listed],
    serve: (call, serveTool) => {
      if (call.params.name === searchTool.name) return serveSearch?.(call);
      if (call.params.name !== callTool.name) return undefined;
      const { name, arguments: given = {} } = toObject(call.params.arguments) ?? {};
      const args = toObject(given);
      if (typeof name !== "string" || args === undefined)
        return fail(
          call,
          `Invalid arguments for tool "${callTool.name}": \`name\` must be the name of a tool, and \`arguments\` an object.`,
        );
      if (byName.get(name)?.handler.isEnabled(call) !== true) {
        const others = [...byName.keys()].filter((each) => byName.get(each)?.handler.isEnabled(call));
        const nearest = findNearestName(name, others);
        const hint =
          nearest === undefined ? `Search with \`${searchTool.name}\`.` : `Did you mean "${nearest}"?`;
        return fail(call, `There is no tool "${name.slice(0, 128)}". ${hint}`);
      }
      call.params = { ...call.params, name, arguments: args };
      const loading = server.validation.load("tools", name);
      return loading === undefined ? serveTool(call) : loading.then(() => serveTool(call));
    },
  };
};

function toEntry(definition: Tool): ServedTool["entry"] {
  const handler = { module: "", export: "", method: "", parameters: [] };
  return { definition, handler, input: {}, output: { kind: "structured" } };
}

/** Reads an object, which some models write as a string. */
function toObject(value: unknown): Record<string, unknown> | undefined {
  const object = parseContainer(value) ?? value;
  return isObject(object) ? object : undefined;
}

function toDocument(tool: ServedTool): Parameters<typeof createTextIndex<ServedTool>>[0][number] {
  const { name, title = "", description = "", inputSchema } = tool.entry.definition;
  const members = Object.entries((inputSchema as JsonSchema).properties ?? {});
  const [summary = ""] = description.split(/(?<=[.!?])\s|\n/, 1);
  const argumentTexts = members.map(([, schema]) => schema.description ?? "");
  return {
    key: tool,
    name,
    texts: [
      { text: name, weight: WEIGHTS.name },
      { text: title, weight: WEIGHTS.title },
      { text: summary, weight: WEIGHTS.summary },
      { text: description.slice(summary.length), weight: WEIGHTS.description },
      { text: members.map(([argument]) => argument).join(" "), weight: WEIGHTS.argument },
      { text: argumentTexts.join(" "), weight: WEIGHTS.argumentDescription },
    ],
  };
}

/** Returns what a model needs to call a tool. */
function describeFound(definition: Tool, revision: Revision): object {
  const { name, description, inputSchema } = projectTool(definition, revision) as Tool;
  return { name, ...(description !== undefined && { description }), inputSchema };
}

/** Creates the target of searches, which the stages of all tools protect. */
function createSearchTarget(definition: Tool, handler: Handler, server: ServerParts): Target {
  const subject = `tool "${definition.name}"`;
  const plan = { listed: FOUND_SCHEMA, exact: undefined, isDeep: false, write: (value: unknown) => value };
  return {
    entry: { definition },
    handler,
    subject,
    member: "content",
    callsHandler: false,
    invoke: handler.invoke,
    readArguments: ({ params }) => readSearch(params.arguments, definition.name),
    createNotFoundError: () => new ToolError(`There is no ${subject}.`),
    toResult: (_call, value, revision) => toStructuredResult(value, plan, revision, undefined),
    toFailure: (call, error) =>
      toErrorResult(server.sanitizeText(server.formatFailure(error, subject, call))),
  };
}

function readSearch(value: unknown, tool: string): { query: string; limit: number } {
  const { query, limit } = toObject(value) ?? {};
  const count = Number(limit ?? DEFAULT_LIMIT);
  if (typeof query !== "string" || query.trim() === "" || query.length > MAX_QUERY_CHARACTERS)
    throw new ToolError(
      `Invalid arguments for tool "${tool}": \`query\` must be a string with at least one word and at most ${MAX_QUERY_CHARACTERS} characters.`,
    );
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT)
    throw new ToolError(
      `Invalid arguments for tool "${tool}": \`limit\` must be a whole number from 1 to ${MAX_LIMIT}.`,
    );
  return { query, limit: count };
}
