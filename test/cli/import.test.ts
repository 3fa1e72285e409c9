/** Classes for existing servers: their derived definitions equal the listed ones. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "@tenon/cli";
import type { ServerLists } from "@tenon/compiler";
import type { Tool } from "@tenon/runtime/manifest";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer as createMcpServer } from "@tenon/runtime/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
// Internal: imported sources are compiled in place of being written by the command.
import { writeSource } from "../../packages/cli/src/import/import.js";
import { createFixture } from "../runtime/fixture/application.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { FOREIGN } from "../wire/recorder.mjs";

let project: ProjectFolder;
beforeAll(() => {
  // A package that was a server without Tenon: the import creates `src/`.
  project = projectFolder();
});
afterAll(() => project.remove());

function generateClass(lists: Partial<ServerLists>): {
  source: string;
  verbatimParts: ReadonlyMap<string, readonly string[]>;
} {
  const all = { tools: [], prompts: [], resources: [], resourceTemplates: [], ...lists };
  return writeSource(project.root, join(project.root, "src/imported.ts"), all, "Imported");
}

const toObject = (properties: Record<string, object>, more: object = {}): Tool["inputSchema"] =>
  ({ type: "object", properties, ...more }) as Tool["inputSchema"];
const tool = (properties: Record<string, unknown>, more: Partial<Tool> = {}): Tool => ({
  name: "do-it",
  inputSchema: { type: "object", properties: properties as never, required: Object.keys(properties) },
  ...more,
});

describe("a generated class", () => {
  test("reads as if written by hand", async () => {
    const { source, verbatimParts } = generateClass({
      tools: [
        tool(
          {
            city: { type: "string", description: "City name\nor postal code", minLength: 1 },
            days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
            units: { type: "string", enum: ["metric", "imperial"] },
            "dry-run": { type: "boolean" },
            tags: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, uniqueItems: true },
            region: { type: "string", "x-mcp-header": "Region" },
            passphrase: { type: "string", writeOnly: true },
            place: { anyOf: [{ type: "object", properties: { lat: { type: "number" } } }, { type: "null" }] },
            tree: { $ref: "#/$defs/node" },
          },
          {
            description: "Plans a trip.\n\nSee https://example.com/*/x.",
            annotations: { title: "Plan", readOnlyHint: true, openWorldHint: false },
            outputSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
          },
        ),
        { name: "noArguments", inputSchema: { type: "object" } },
      ].map((each) => ({
        ...each,
        inputSchema: {
          ...each.inputSchema,
          $schema: "http://json-schema.org/draft-07/schema#",
          additionalProperties: false,
          ...(each.name === "do-it" && {
            $defs: { node: { type: "object", properties: { name: { type: "string" } } } },
          }),
        },
      })) as Tool[],
      prompts: [
        {
          name: "plan",
          description: "Plans a day.",
          arguments: [
            { name: "mood", description: "How it feels" },
            { name: "city", required: true },
          ],
        },
      ],
      resources: [{ uri: "notes://all", name: "All notes", mimeType: "text/plain" }],
      resourceTemplates: [{ uriTemplate: "notes://{year}/{id}", name: "note", description: "One note." }],
    });
    await expect(source).toMatchFileSnapshot("import/imported.ts.txt");
    expect(verbatimParts).toEqual(new Map());
  });

  test.each<[string, Record<string, unknown>]>([
    [
      "texts",
      { a: { type: "string", format: "uri", maxLength: 9, examples: ["a:b", "c:d"] }, b: { const: "only" } },
    ],
    [
      "numbers",
      { a: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 }, b: { type: "integer", title: "B" } },
    ],
    [
      "null as a choice",
      { a: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }], default: null } },
    ],
    ["constants or null", { a: { anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] } }],
    ["the schema `true`", { a: true }],
    [
      "types that are named like built-in ones",
      { a: { $ref: "#/properties/Promise" }, Promise: toObject({}) },
    ],
    ["several types", { a: { type: ["string", "number", "null"] }, b: {} }],
    [
      "lists of lists",
      { a: { type: "array", items: { type: "array", items: { type: "number" } }, minItems: 1 } },
    ],
    [
      "tuples",
      {
        a: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, maxItems: 2 },
      },
    ],
    [
      "tuples of draft-07",
      {
        a: {
          type: "array",
          items: [
            { type: "string" },
            { type: "array", items: [{ type: "number" }], minItems: 1, maxItems: 1 },
          ],
          additionalItems: false,
          minItems: 2,
          maxItems: 2,
        },
      },
    ],
    ["records", { a: { type: "object", additionalProperties: { type: "number" } }, b: { type: "object" } }],
    [
      "records whose names are strings",
      { a: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} } },
    ],
    [
      "unions of objects",
      {
        a: {
          anyOf: [{ type: "object", properties: { k: { const: "x" } }, required: ["k"] }, { type: "string" }],
        },
      },
    ],
    [
      "references to itself",
      {
        a: { $ref: "#/properties/b" },
        b: { type: "object", properties: { next: { $ref: "#/properties/b" } } },
      },
    ],
    [
      "any JSON",
      {
        a: {
          anyOf: [
            { type: "string" },
            { type: "null" },
            { type: "array", items: { $ref: "#/properties/a" } },
            { type: "object", additionalProperties: { $ref: "#/properties/a" } },
          ],
        },
      },
    ],
    ["objects or null", { a: { type: ["object", "null"], properties: { x: { type: "string" } } } }],
    ["objects without members", { a: { type: "object", additionalProperties: false } }],
    [
      "lists with a description, in lists",
      {
        a: { type: "array", items: { $ref: "#/properties/b" } },
        b: {
          type: "array",
          description: "Points",
          items: { type: "object", properties: { x: { type: "number" } } },
        },
      },
    ],
    ["integers among numbers", { a: { type: ["integer", "number", "null"] } }],
    ["bytes", { a: { type: "string", format: "byte", contentEncoding: "base64" } }],
    [
      "names that are not identifiers",
      { "a b": { type: "string" }, class: { type: "string" }, ["it's"]: { type: "number" } },
    ],
  ])("expresses %s with types and comments", (_name, properties) => {
    expect(generateClass({ tools: [tool(properties)] }).verbatimParts).toEqual(new Map());
  });

  test.each<[string, string]>([
    ["lists in a path", "folder://{/parts*}"],
    ["lists after other variables", "search://x/{kind}{?tags*,limit}"],
    ["a variable that occurs twice", "book://{id}/{id}"],
    ["names that no parameter can have", "user://{user.name}/{class}{?await*}"],
  ])("expresses templates with %s", (_name, uriTemplate) => {
    const template = { uriTemplate, name: "found", description: "Found." };
    expect(generateClass({ resourceTemplates: [template] }).verbatimParts).toEqual(new Map());
  });

  test("contains each resource of the same name", () => {
    const resources = ["a", "b"].map((folder) => ({ uri: `file:///${folder}/index.md`, name: "index.md" }));
    const { source } = generateClass({ resources });
    expect(source).toContain('@Resource("file:///a/index.md"');
    expect(source).toContain('@Resource("file:///b/index.md"');
  });

  test("expresses prompts with arguments that no parameter can be called", () => {
    const names = ["class", "await", "type", "of"].map((name) => ({ name, required: true }));
    const prompt = { name: "plan", description: "Plans.", arguments: names };
    expect(generateClass({ prompts: [prompt] }).verbatimParts).toEqual(new Map());
  });

  test.each<[string, Tool]>([
    ["exclusive choices", tool({ a: { oneOf: [{ type: "string" }, { type: "number", minimum: 3 }] } })],
    [
      "dependent members",
      tool(
        { a: { type: "string" } },
        { inputSchema: { type: "object", dependentRequired: { a: ["b"] } } as never },
      ),
    ],
    ["a negation", tool({ a: { not: { type: "string" } } })],
    [
      "a negation in draft-07",
      tool(
        {},
        {
          inputSchema: {
            $schema: "http://json-schema.org/draft-07/schema#",
            type: "object",
            properties: { a: { not: { type: "string" } } },
          } as never,
        },
      ),
    ],
    [
      "a tuple of draft-07 next to a negation",
      tool({
        a: { not: { type: "string" } },
        b: { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" }, minItems: 1 },
      }),
    ],
    [
      "a description that no comment can contain",
      tool({ a: { type: "string" } }, { description: "Use @minimum 3 here.\n@param nothing" }),
    ],
    [
      "a result's description that no comment can contain",
      tool({}, { outputSchema: toObject({ a: { type: "string", description: "uses @default 3" } }) }),
    ],
    [
      "a reference with a weaker limit next to it",
      tool(
        {},
        {
          inputSchema: toObject(
            { a: { $ref: "#/$defs/N", minimum: 1 } },
            { $defs: { N: { type: "number", minimum: 2 } } },
          ),
        },
      ),
    ],
    [
      "a closed object that is joined with another",
      tool({ a: { allOf: [{ ...toObject({ b: {} }), additionalProperties: false }, toObject({ c: {} })] } }),
    ],
    ["a constant that its type excludes", tool({ a: { type: "string", const: 5 } })],
    ["the schema `false`", tool({}, { inputSchema: toObject({ a: false as never, b: {} }) })],
    [
      "an anchor",
      tool(
        {},
        { inputSchema: toObject({ a: { $ref: "#n" } }, { $defs: { N: { $anchor: "n", type: "integer" } } }) },
      ),
    ],
  ])("passes %s to the decorator if types cannot express it", (_name, definition) => {
    expect([...generateClass({ tools: [definition] }).verbatimParts.keys()]).toEqual(["tool do-it"]);
  });
});

describe("tenon import of a server", () => {
  const terminal = () => recordingTerminal(project.root);
  const runImport = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const at = terminal();
    const code = await run(["import", ...args], at);
    const clean = (text: string): string =>
      text.replaceAll(/127\.0\.0\.1:\d+/g, "<host>").replaceAll(project.root, "<project>");
    return { code, out: clean(at.stdout()), err: clean(at.stderr()) };
  };

  test("imports from a URL and from a command, and generates code that compiles to the same definitions", async () => {
    const handle = createHttpHandler(createMcpServer(createFixture({ log: "off" })));
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const init = { method: request.method!, headers: request.headers as Record<string, string> };
        const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
        void handle(new Request(`http://${request.headers.host}${request.url}`, { ...init, ...body })).then(
          async (answer) => {
            response.writeHead(answer.status, Object.fromEntries(answer.headers));
            response.end(Buffer.from(await answer.arrayBuffer()));
          },
        );
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { code, out, err } = await runImport(url, "--out", "src/fixture.ts", "--class", "Fixture");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatchInlineSnapshot(`
      "✓ src/fixture.ts contains everything that http://<host>/mcp lists: 24 tools, 3 prompts, 6 resources, and 2 resource templates
        Types and comments alone express 35 of 35. All match the lists of the server.
        In arguments, objects now reject undeclared members unless their schema explicitly allows them, and
        members with a default are optional. In results, objects may have undeclared members.
        The server's instructions are not part of a class. Pass them to \`defineServer\` in src/server.ts.
        Values that the server may suggest are not part of its lists. Write \`complete\` in the options of
        prompts and resource templates.

      Now write what each method does. Until then, it throws.
      "
    `);
    expect(readFileSync(join(project.root, "src/fixture.ts"), "utf8")).toContain("export class Fixture {");
    expect(existsSync(join(project.root, ".tenon"))).toBe(true);
    const again = await runImport(url, "--out", "src/fixture.ts");
    expect(again.err).toMatchInlineSnapshot(`
      "error  src/fixture.ts already exists.
      hint   Choose another path with --out, or replace it with --force.
      "
    `);
  });

  test("omits definitions that no server of Tenon could have, and says why", async () => {
    const text = (more: object): object => toObject({ text: { type: "string", ...more } });
    const tools = [
      { name: "good", inputSchema: text({}) },
      { name: "inline_flags", inputSchema: text({ pattern: "(?i)abc" }) },
      { name: "ü x", inputSchema: text({}) },
      { name: "bell\u0007", inputSchema: text({}) },
      { name: "twice", inputSchema: text({}) },
      { name: "twice", inputSchema: text({ default: "" }) },
      { name: "wrong_default", inputSchema: text({ default: 5 }) },
      { name: "missing", inputSchema: toObject({ a: { $ref: "#/$defs/none" } }) },
    ];
    writeFileSync(join(project.root, "odd.mjs"), ODD_SERVER.replace("TOOLS", JSON.stringify(tools)));
    const { code, out, err } = await runImport("--out", "src/odd.ts", "--", "node", "odd.mjs");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatchInlineSnapshot(`
      "✓ src/odd.ts contains 1 of the 8 definitions that node odd.mjs lists: 1 tool
        tool inline_flags is omitted: \`inputSchema\` is not valid JSON Schema 2020-12: Invalid regular
          expression: /(?i)abc/u: Invalid group.
        tool ü x is omitted: \`ü x\` is not a valid tool name: clients accept 1 to 128 letters, digits,
          dots, hyphens, and underscores.
        tool bell is omitted: \`bell\` is not a valid tool name: clients accept 1 to 128 letters, digits,
          dots, hyphens, and underscores.
        tool twice (all 2 of this name) is omitted: There is already a tool \`twice\`: \`Imported.twice\` in
          src/odd.ts.
        tool wrong_default is omitted: The default \`5\` of \`text\` in \`inputSchema\` does not fit its own
          schema.
        tool missing is omitted: \`inputSchema\` is not valid JSON Schema 2020-12: can't resolve reference
          #/$defs/none from id #.
        Types and comments alone express 1 of 1. All match the lists of the server.
        In arguments, objects now reject undeclared members unless their schema explicitly allows them, and
        members with a default are optional. In results, objects may have undeclared members.

      Now write what each method does. Until then, it throws.
      "
    `);
    expect(readFileSync(join(project.root, "src/odd.ts"), "utf8").match(/@Tool/g)).toHaveLength(1);
  });

  test("names the invalid part of a list", async () => {
    const foreign = Object.assign(createServer(), { [FOREIGN]: true });
    foreign.on("request", async (request: IncomingMessage, response: ServerResponse) => {
      const text = (await request.toArray()).join("") || "{}";
      const { id, method, params } = JSON.parse(text) as {
        id?: number;
        method?: string;
        params?: Record<string, unknown>;
      };
      const { protocolVersion } = params ?? {};
      const result =
        method === "initialize"
          ? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1.0.0" } }
          : method === "tools/list" && { tools: [{ name: "untyped" }] };
      response.writeHead(result ? 200 : 202, { "content-type": "application/json" });
      response.end(result ? JSON.stringify({ jsonrpc: "2.0", id, result }) : "");
    });
    await new Promise<void>((resolve) => {
      foreign.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void foreign.close());
    const { port } = foreign.address() as AddressInfo;
    const { code, err } = await runImport(`http://127.0.0.1:${port}/mcp`, "--era", "legacy");
    expect({ code, err }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error  http://<host>/mcp does not respond as an MCP server: Invalid result for tools/list: \`tools.0.inputSchema\`: Invalid input: expected object, received undefined
      ",
      }
    `);
  });

  test("explains what is wrong with a target", async () => {
    const foreign = Object.assign(
      createServer((_, response) => response.writeHead(404).end("nothing here")),
      { [FOREIGN]: true },
    );
    await new Promise<void>((resolve) => {
      foreign.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void foreign.close());
    const { port } = foreign.address() as AddressInfo;
    writeFileSync(join(project.root, "none.mjs"), `console.error("starting"); process.exit(3);`);
    const answers = [
      await runImport(`http://127.0.0.1:${port}/mcp`),
      await runImport("--", process.execPath, "none.mjs"),
      await runImport("--", "no-such-program-anywhere"),
      await runImport("http://["),
      await runImport("http://x.example", "--header", "nothing"),
    ];
    expect(
      answers.map(({ code, err }) => `${code}: ${err.replaceAll(process.execPath, "node")}`).join("\n"),
    ).toMatchSnapshot();
  });
});

describe("an import that cannot honor its options", () => {
  test.each([
    [["--class", "bad name", "--", "node", "x.js"], "`bad name` cannot be the name of a class."],
    [["--class", "bad name", "api.yaml"], "`bad name` cannot be the name of a class."],
    [["--out", "src/x.js", "--", "node", "x.js"], "`src/x.js` cannot contain the class"],
    [["--out", "src/x.mjs", "api.yaml"], "`src/x.mjs` cannot contain the class"],
    [["--by-tag", "--out", "src/x.ts", "api.yaml"], "--by-tag writes a file for each tag"],
    [["--only", "GET *", "--", "node", "x.js"], "--only requires an OpenAPI document, not a server."],
    [["--tag", "a", "https://a.example/mcp"], "--tag requires an OpenAPI document, not a server."],
    [["--all", "--", "node", "x.js"], "--all requires an OpenAPI document, not a server."],
    [["--openapi", "--", "node", "x.js"], "--openapi reads one document, but there are several arguments"],
  ])("fails for %j before it starts or reads anything", async (args, message) => {
    const terminal = recordingTerminal(project.root);
    expect(await run(["import", ...args], terminal)).toBe(2);
    expect(terminal.stderr()).toContain(`error  ${message}`);
  });
});

/** A server without Tenon, which does not check its definitions. */
const ODD_SERVER = `
import { createInterface } from "node:readline";
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const { protocolVersion } = params ?? {};
  const answers = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1.0.0" } },
    "tools/list": { tools: TOOLS },
  };
  const result = answers[method];
  const error = { code: -32601, message: "Unknown method" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
}
`;
