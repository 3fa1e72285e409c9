/**
 * The table of styles in the specification of OpenAPI, with the values of its examples: each request is sent exactly so.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-examples
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { type ImportedServer, serveImported } from "./import/imported-server.js";

const VALUES = {
  text: "blue",
  list: ["blue", "black", "brown"],
  object: { R: 100, G: 200, B: 150 },
};

type Place = "path" | "query" | "header" | "cookie";

/** Rows of the table: the location, the style, whether it is exploded, and how a string, a list, and an object are written. */
const ROWS: readonly [Place, string, boolean, text: string, list: string, object: string][] = [
  ["path", "matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["path", "matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["path", "label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["path", "label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["path", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["path", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["header", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["header", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["query", "form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["query", "form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  ["cookie", "form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["cookie", "form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  // The specification defines these for lists and objects only; a string is written as with `form`.
  [
    "query",
    "spaceDelimited",
    false,
    "color=blue",
    "color=blue%20black%20brown",
    "color=R%20100%20G%20200%20B%20150",
  ],
  [
    "query",
    "pipeDelimited",
    false,
    "color=blue",
    "color=blue%7Cblack%7Cbrown",
    "color=R%7C100%7CG%7C200%7CB%7C150",
  ],
  [
    "query",
    "deepObject",
    true,
    "color=blue",
    "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
    "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
  ],
];

/** How an empty text is written. Servers do not receive an empty path segment, nor a segment that is a dot. */
const EMPTY: Readonly<Record<string, string | undefined>> = {
  "path matrix": ";color",
  "header simple": "",
  "query form": "color=",
  "cookie form": "color=",
};

/** Schemas of the values: by themselves, by reference, and in parts. */
const SCHEMAS = {
  text: { type: "string" },
  list: { type: "array", items: { type: "string" } },
  object: {
    type: "object",
    properties: { R: { type: "integer" } },
    additionalProperties: { type: "integer" },
  },
};

const FORMS: Readonly<Record<string, (kind: keyof typeof SCHEMAS) => object>> = {
  "by itself": (kind) => SCHEMAS[kind],
  "by reference": (kind) => ({ $ref: `#/components/schemas/${kind}` }),
  "in allOf": (kind) => ({ allOf: [{ $ref: `#/components/schemas/${kind}` }] }),
  "in anyOf": (kind) => ({ anyOf: [{ $ref: `#/components/schemas/${kind}` }, { type: "boolean" }] }),
};

const KINDS = ["text", "list", "object"] as const;

/** Returns the operation of a row, and the argument's path in the request. */
function createPaths(row: number, form: string): [path: string, item: object][] {
  const [place, style, explode] = ROWS[row] ?? [];
  return KINDS.map((kind) => {
    const schema = FORMS[form]?.(kind);
    const operationId = `call-${row}-${form.replaceAll(" ", "-")}-${kind}`;
    const name = place === "header" ? "X-Color" : "color";
    const parameter = { name, in: place, style, explode, required: true, schema };
    const path = `/${operationId}${place === "path" ? "/{color}" : ""}`;
    const item = { get: { operationId, parameters: [parameter], responses: { "204": { description: "" } } } };
    return [path, item];
  });
}

let server: ImportedServer;
let names: readonly string[];
beforeAll(async () => {
  const paths = ROWS.flatMap((_, row) => Object.keys(FORMS).flatMap((form) => createPaths(row, form)));
  names = paths.map(([path]) => path.split("/")[1] ?? "");
  server = await serveImported((url) => ({
    openapi: "3.1.0",
    info: { title: "API" },
    servers: [{ url }],
    paths: Object.fromEntries(paths),
    components: { schemas: SCHEMAS },
  }));
}, LONG_COMPUTATION.timeout);
afterAll(() => server.close());

/** Calls the operation of a row, and returns how its parameter was written. */
async function write(row: number, form: string, kind: keyof typeof SCHEMAS, color: unknown): Promise<string> {
  const [place = "path"] = ROWS[row] ?? [];
  const operation = `call-${row}-${form.replaceAll(" ", "-")}-${kind}`;
  expect(names).toContain(operation);
  const tool = operation.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { call, headers } = await server.call(tool, { [place === "header" ? "X-Color" : "color"]: color });
  if (place === "cookie") return String(headers["cookie"] ?? "");
  if (place === "header") return String(headers["x-color"] ?? "");
  const [path = "", query = ""] = call.replace(/^GET \/v1\/[^/?]+\/?/, "").split("?");
  return place === "path" ? path : query;
}

describe.each(Object.keys(FORMS))("with a schema %s", (form) => {
  test.each(ROWS.map(([place, style, explode], row) => [place, style, explode, row] as const))(
    "a parameter in the %s with the style %s and explode %s is written as in the table",
    async (_place, _style, _explode, row) => {
      const [, , , text, list, object] = ROWS[row] ?? [];
      expect({
        text: await write(row, form, "text", VALUES.text),
        list: await write(row, form, "list", VALUES.list),
        object: await write(row, form, "object", VALUES.object),
      }).toEqual({ text, list, object });
    },
  );
});

test.each(ROWS.flatMap(([place, style, explode], row) => (explode ? [] : [[place, style, row] as const])))(
  "an empty string in the %s with the style %s is written as in the table",
  async (place, style, row) => {
    const expected = EMPTY[`${place} ${style}`];
    if (expected !== undefined) expect(await write(row, "by itself", "text", "")).toBe(expected);
  },
);
