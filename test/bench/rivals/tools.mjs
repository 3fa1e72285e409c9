/**
 * The tools of all rivals: their schemas, and their work. Each rival registers them as its documentation shows.
 * @module
 */
import { add, document, search, SECRET } from "../subjects/workload.mjs";

/**
 * Returns the schemas, created with the rival's own zod, since rivals need different versions.
 *
 * @param {any} z
 */
export function schemas(z) {
  return {
    add: z.object({
      a: z.number().describe("First number"),
      b: z.number().describe("Second number"),
    }),
    search: z.object({
      query: z.string().min(1).describe("Words of the title"),
      limit: z.number().int().min(1).max(50).optional().describe("Maximum number of hits"),
      filters: z
        .object({
          tags: z.array(z.string()).optional().describe("Tags that a hit must have"),
          price: z
            .object({
              min: z.number().optional().describe("Lowest price"),
              max: z.number().optional().describe("Highest price"),
            })
            .optional()
            .describe("Range of prices"),
          order: z.enum(["cheapest", "dearest"]).optional().describe("Which hits come first"),
        })
        .optional()
        .describe("Conditions that a hit must meet"),
    }),
    found: z.object({
      total: z.number(),
      hits: z.array(z.object({ id: z.string(), title: z.string(), price: z.number() })),
    }),
    none: z.object({}),
    counted: z.object({ count: z.number() }),
  };
}

/**
 * @typedef {object} RivalTool
 * @property {string} name
 * @property {string} description
 * @property {any} input
 * @property {any} [output]
 * @property {(args: any) => { content: { type: "text", text: string }[], structuredContent?: any }} run
 */

/**
 * Returns the three tools that are measured, or with `BENCH_PROBES` those that misbehave.
 *
 * @param {any} z @returns {RivalTool[]}
 */
export function tools(z) {
  const { add, search, found, none, counted } = schemas(z);
  return process.env.BENCH_PROBES === undefined
    ? [
        { name: "add", description: "Adds two numbers.", input: add, run: runs.add },
        {
          name: "search",
          description: "Searches the catalog.",
          input: search,
          output: found,
          run: runs.search,
        },
        { name: "document", description: "Returns a document of 64 KiB.", input: none, run: runs.document },
      ]
    : [
        { name: "fail", description: "Fails.", input: none, run: runs.fail },
        {
          name: "promise",
          description: "Promises a number.",
          input: none,
          output: counted,
          run: runs.promise,
        },
        { name: "print", description: "Prints.", input: none, run: runs.print },
      ];
}

/** The work of each tool, for frameworks that make a result of any value. */
export const works = {
  add: (/** @type {{ a: number, b: number }} */ { a, b }) => add(a, b),
  search,
  document,
  /** @returns {never} */
  fail: () => {
    throw new Error(SECRET);
  },
  promise: () => ({ count: "many" }),
  print: () => {
    console.log("Hello!");
    return "printed";
  },
};

/** The work of each tool, and its result. */
export const runs = {
  add: (/** @type {Parameters<typeof works.add>[0]} */ args) => text(works.add(args)),
  search: (/** @type {Parameters<typeof search>[0]} */ args) => structured(search(args)),
  document: () => text(document()),
  fail: works.fail,
  promise: () => structured(works.promise()),
  print: () => text(works.print()),
};

/** The port for HTTP, which the benchmark chooses. */
export const port = Number(process.env.PORT);

/** Whether to serve HTTP instead of stdio. */
export const isHttp = process.argv.includes("--http");

/** @param {string} text */
function text(text) {
  return { content: [{ type: /** @type {const} */ ("text"), text }] };
}

/** @param {object} value */
function structured(value) {
  return { ...text(JSON.stringify(value)), structuredContent: value };
}
