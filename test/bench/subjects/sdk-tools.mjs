/** The tools as both official SDKs register them, with zod schemas that say what Tenon reads from the types. */
import * as z from "zod";
import { add, document, extra, extraDescription, extraName, extraTools, search } from "./workload.mjs";

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
/** No two tools of a server take the same. @param {number} index */
const extraArguments = (index) =>
  z.object({
    query: z.string().describe("What to look for"),
    limit: z.int().min(1).max(100).optional().describe("Most entries to return"),
    [`order_${index}`]: z.enum(["newest", "oldest"]).optional().describe("Which entries come first"),
  });
const READ_ONLY = { readOnlyHint: true };

/** @param {string} text */
const textResult = (text) => ({ content: [{ type: "text", text }] });

/**
 * Both versions' `McpServer` have the same `registerTool`.
 * @template {{ registerTool: Function }} Server
 * @param {Server} server
 * @returns {Server}
 */
export function withTools(server) {
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: ADD, annotations: READ_ONLY },
    ({ a, b }) => textResult(add(a, b)),
  );
  server.registerTool(
    "search",
    {
      description: "Searches the catalogue.",
      inputSchema: SEARCH,
      outputSchema: FOUND,
      annotations: READ_ONLY,
    },
    (args) => {
      const found = search(args);
      return { ...textResult(JSON.stringify(found)), structuredContent: found };
    },
  );
  server.registerTool(
    "document",
    { description: "Returns a document of 64 KiB.", inputSchema: z.object({}), annotations: READ_ONLY },
    () => textResult(document()),
  );
  for (let index = 0; index < extraTools(); index++) {
    server.registerTool(
      extraName(index),
      { description: extraDescription(index), inputSchema: extraArguments(index) },
      ({ query, limit }) => textResult(extra(query, limit)),
    );
  }
  return server;
}
