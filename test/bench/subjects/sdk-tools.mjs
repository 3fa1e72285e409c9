/**
 * The tools as both official SDKs register them, with zod schemas that equal the schemas that Tenon derives from types.
 */
import * as z from "zod";
import {
  add,
  document,
  extra,
  extraDescription,
  extraName,
  extraTools,
  search,
  SECRET,
} from "./workload.mjs";

const ADD = z.object({ a: z.number().describe("First number"), b: z.number().describe("Second number") });
const SEARCH = z.object({
  query: z.string().min(1).describe("Words of the title"),
  limit: z.int().min(1).max(50).optional().describe("Most hits to return"),
  filters: z
    .object({
      tags: z.array(z.string()).optional().describe("Tags that a hit must have"),
      price: z.object({ min: z.number().optional(), max: z.number().optional() }).optional(),
      order: z.enum(["cheapest", "dearest"]).optional(),
    })
    .optional(),
});
const FOUND = z.object({
  total: z.number(),
  hits: z.array(z.object({ id: z.string(), title: z.string(), price: z.number() })),
});
/** Returns the arguments of a tool, which differ from those of all others. @param {number} index */
const extraArguments = (index) =>
  z.object({
    query: z.string().describe("What to look for"),
    limit: z.int().min(1).max(100).optional().describe("Most entries to return"),
    [`order_${index}`]: z.enum(["newest", "oldest"]).optional().describe("Which entries come first"),
  });
const READ_ONLY = { readOnlyHint: true };

/** @param {string} text */
const textResult = (text) => ({ content: [{ type: "text", text }] });

/** A tool as the official SDKs register it. @typedef {{ name: string, config: any, handler: Function }} Registration */

/** @returns {Registration[]} */
export function registrations() {
  return [
    {
      name: "add",
      config: { description: "Adds two numbers.", inputSchema: ADD, annotations: READ_ONLY },
      handler: (/** @type {z.infer<typeof ADD>} */ { a, b }) => textResult(add(a, b)),
    },
    {
      name: "search",
      config: {
        description: "Searches the catalog.",
        inputSchema: SEARCH,
        outputSchema: FOUND,
        annotations: READ_ONLY,
      },
      handler: (/** @type {z.infer<typeof SEARCH>} */ args) => toStructuredResult(search(args)),
    },
    {
      name: "document",
      config: {
        description: "Returns a document of 64 KiB.",
        inputSchema: z.object({}),
        annotations: READ_ONLY,
      },
      handler: () => textResult(document()),
    },
    ...Array.from({ length: extraTools() }, (_, index) => ({
      name: extraName(index),
      config: { description: extraDescription(index), inputSchema: extraArguments(index) },
      handler: (/** @type {any} */ { query, limit }) => textResult(extra(query, limit)),
    })),
    ...(process.env.BENCH_PROBES === undefined ? [] : PROBES),
  ];
}

/** Tools for the comparison of responses, not of speed. @type {Registration[]} */
const PROBES = [
  {
    name: "fail",
    config: { description: "Fails.", inputSchema: z.object({}) },
    handler: () => {
      throw new Error(SECRET);
    },
  },
  {
    name: "promise",
    config: {
      description: "Promises a number.",
      inputSchema: z.object({}),
      outputSchema: z.object({ count: z.number() }),
    },
    handler: () => toStructuredResult({ count: "many" }),
  },
  {
    name: "print",
    config: { description: "Prints.", inputSchema: z.object({}) },
    handler: () => {
      console.log("Hello!");
      return textResult("printed");
    },
  },
];

/** @param {object} value */
function toStructuredResult(value) {
  return { ...textResult(JSON.stringify(value)), structuredContent: value };
}

/**
 * Registers the tools. `McpServer` has the same `registerTool` in both versions.
 * @template {{ registerTool: Function }} Server
 * @param {Server} server
 * @returns {Server}
 */
export function withTools(server) {
  for (const { name, config, handler } of registrations()) server.registerTool(name, config, handler);
  return server;
}
