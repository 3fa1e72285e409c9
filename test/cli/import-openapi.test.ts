/** Classes for HTTP APIs: their requests follow the documents, whatever arguments a model sends. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { connect } from "@tenon/runtime/testing";
import { format } from "prettier";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
// Internal: documents with problems, without a command for each.
import { loadDocument } from "../../packages/cli/src/import/openapi/document/load-document.js";
import { readOperations } from "../../packages/cli/src/import/openapi/document/operations.js";
import { planApi } from "../../packages/cli/src/import/openapi/plan-api.js";
import { reportImport } from "../../packages/cli/src/import/openapi/report.js";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { type RecordedApi, startRecordedApi } from "./import/recorded-api.js";

const PETS = join(import.meta.dirname, "import/pets.yaml");

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({ "src/.keep": "" });
});
afterAll(() => project.remove());

async function runImport(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["import", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

const readSource = (name: string): string => readFileSync(join(project.root, "src", name), "utf8");

describe("the generated source", () => {
  test("reads as if written by hand, with a report that fits narrow terminals", async () => {
    const { code, out, err } = await runImport(PETS);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(readSource("pet-shop.ts")).toMatchFileSnapshot("import/pet-shop.ts.txt");
    await expect(readSource("api-client.ts")).toMatchFileSnapshot("import/api-client.ts.txt");
    expect(out).toMatchSnapshot();
    const narrow = recordingTerminal(project.root);
    narrow.out.columns = 60;
    const document = await loadDocument(PETS, { cwd: project.root, headers: {} });
    const plan = planApi(document, readOperations(document), {
      className: undefined,
      file: undefined,
      isByTag: false,
    });
    reportImport(narrow, {
      plan,
      files: ["src/a.ts"],
      verbatimParts: new Map(),
      differing: ["getPet"],
      deprecatedCount: 2,
      unsupportedOperations: ["HEAD /pets (its response has no content)"],
      brokenReferences: [],
    });
    expect(narrow.stdout()).toMatchSnapshot();
    expect(
      Math.max(
        ...narrow
          .stdout()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(60);
  });

  test("has a class for each tag, next to its types", async () => {
    const { code, out } = await runImport(PETS, "--by-tag", "--out", "src/shop", "--deprecated");
    expect(code).toBe(0);
    expect(out).toContain("src/shop/schemas.ts, src/shop/pets.ts, 3 more files");
    expect(readSource("shop/photos.ts")).toContain("export class Photos {");
    expect(readSource("shop/pets.ts")).toContain("import type { Animal, DeletePetArguments");
    expect(readSource("shop/pet-shop.ts")).toContain("Deprecated. PUT /pets/{petId}");
  });
});

test("generated files contain the client whose source the package ships", () => {
  const { files } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../packages/cli/package.json"), "utf8"),
  ) as {
    files: string[];
  };
  expect(files).toContain("src/import/openapi/client");
});

test("the generated project equals the example in the repository", async () => {
  const example = join(import.meta.dirname, "../../examples/openapi");
  const { err } = await runImport(join(example, "openapi.yaml"), "--out", "src/example");
  expect(err).toBe("");
  for (const name of ["parcel-service.ts", "api-client.ts"]) {
    const text = await format(readSource(`example/${name}`), { parser: "typescript", printWidth: 110 });
    expect(text).toBe(readFileSync(join(example, "src", name), "utf8"));
  }
});

describe("a generated server", () => {
  let built: BuiltServer;
  let api: RecordedApi;
  let client: Awaited<ReturnType<typeof connect>>;
  const environment: Record<string, string> = {
    PET_SHOP_TOKEN: "secret-token",
    PET_SHOP_USERNAME: "ada",
    PET_SHOP_PASSWORD: "p:w",
    PET_SHOP_CLIENT_ID: "id",
    PET_SHOP_CLIENT_SECRET: "s/t",
  };
  beforeAll(async () => {
    api = await startRecordedApi();
    Object.assign(process.env, environment, { PET_SHOP_URL: api.url });
    const files = {
      "src/pet-shop.ts": readSource("pet-shop.ts"),
      "src/api-client.ts": readSource("api-client.ts"),
    };
    built = await buildServer(files);
    client = await connect(await built.load());
  });
  afterAll(async () => {
    for (const name of [...Object.keys(environment), "PET_SHOP_URL"]) delete process.env[name];
    await client.close();
    api.close();
    built.remove();
  });
  beforeEach(() => {
    api.asked.length = 0;
    api.answer = { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
  });
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content, isError } = await client.callTool(name, args);
    return `${isError ? "error: " : ""}${content.map((each) => ("text" in each ? each.text : JSON.stringify(each))).join("\n")}`;
  };

  test("sends parameters where and how the document specifies", async () => {
    api.answer.body = '[{"id":1,"name":"Rex","unknown":true}]';
    const args = {
      limit: 5,
      tags: ["a b", "c"],
      status: ["sold", "available"],
      filter: { color: "r&d", age: 3 },
      "X-Request-Id": "3d594650-3436-11e4-bd0a-4fd3c1e8f5f4",
      session: "a;b=c",
    };
    expect(JSON.parse(await call("listPets", args))).toEqual([{ id: 1, name: "Rex" }]);
    expect(api.asked).toMatchInlineSnapshot(`
      [
        {
          "body": "",
          "call": "GET /v1/pets?limit=5&tags=a%20b,c&status=sold&status=available&filter%5Bcolor%5D=r%26d&filter%5Bage%5D=3",
          "headers": {
            "accept": "application/json",
            "authorization": "Bearer secret-token",
            "cookie": "session=a%3Bb%3Dc",
            "x-request-id": "3d594650-3436-11e4-bd0a-4fd3c1e8f5f4",
          },
        },
      ]
    `);
  });

  test("sends JSON, forms, and files as bodies", async () => {
    api.answer.body = '{"id":2,"name":"Tom"}';
    await call("addPet", { name: "Tom", price: 3.5, parent: null });
    await call("updatePet", { petId: 2, name: "Kit" });
    api.answer = { status: 200, headers: { "content-type": "text/plain" }, body: "token" };
    expect(await call("postLogin", { user: "ada l", options: { remember: true } })).toBe("token");
    await call("petsAddPhoto", { petId: 2, file: Buffer.from("PNG").toString("base64"), title: "Tom" });
    const asked = api.asked.map(
      (each) =>
        JSON.parse(JSON.stringify(each).replaceAll(/(?:--)?part-[\da-f-]{36}/g, "<boundary>")) as object,
    );
    expect(asked).toMatchInlineSnapshot(`
      [
        {
          "body": "{"name":"Tom","price":3.5,"parent":null}",
          "call": "POST /v1/pets",
          "headers": {
            "accept": "application/json",
            "authorization": "Bearer secret-token",
            "type": "application/json",
          },
        },
        {
          "body": "{"name":"Kit"}",
          "call": "PATCH /v1/pets/2",
          "headers": {
            "accept": "application/json",
            "authorization": "Bearer secret-token",
            "type": "application/json",
          },
        },
        {
          "body": "user=ada%20l&options%5Bremember%5D=true",
          "call": "POST /v1/login",
          "headers": {
            "accept": "text/plain",
            "authorization": "Basic YWRhOnA6dw==",
            "type": "application/x-www-form-urlencoded",
          },
        },
        {
          "body": "<boundary>
      Content-Disposition: form-data; name="file"; filename="file"
      Content-Type: application/octet-stream

      PNG
      <boundary>
      Content-Disposition: form-data; name="title"

      Tom
      <boundary>--
      ",
          "call": "POST /v1/pets/2/photo",
          "headers": {
            "accept": "application/json",
            "authorization": "Bearer secret-token",
            "type": "multipart/form-data; boundary=<boundary>",
          },
        },
      ]
    `);
  });

  test("returns bytes as content", async () => {
    api.answer = { status: 200, headers: { "content-type": "image/png" }, body: "PNG" };
    const { content } = await client.callTool("petsGetPhoto", { petId: 1 });
    expect(content).toEqual([
      { type: "image", data: Buffer.from("PNG").toString("base64"), mimeType: "image/png" },
    ]);
    expect(api.asked[0]?.headers["authorization"]).toBeUndefined();
  });

  test.each([
    ["text/markdown; charset=iso-8859-1", Buffer.from("Caf\u00e9", "latin1")],
    ['text/markdown; version=1; Charset="UTF-16LE"', Buffer.from("Caf\u00e9", "utf16le")],
    ["text/markdown; charset=unknown", Buffer.from("Caf\u00e9")],
  ])("decodes text as %s", async (type, body) => {
    api.answer = { status: 200, headers: { "content-type": type }, body };
    expect(await call("getNotes", { name: "a" })).toBe("Caf\u00e9");
    api.answer.status = 400;
    expect(await call("getNotes", { name: "a" })).toContain("400 Bad Request: Caf\u00e9");
  });

  test("warns once if JavaScript rounds an integer of a response", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    for (const id of ["1", "9007199254740991", "0.12345678901234567"]) {
      api.answer.body = `[{"id":1,"name":"9007199254740993","price":${id}}]`;
      await call("listPets", {});
    }
    expect(warn).not.toHaveBeenCalled();
    for (const id of ["9007199254740993", "9007199254740995"]) {
      api.answer.body = `[{"id":${id},"name":"Rex"}]`;
      await call("listPets", {});
    }
    expect(warn.mock.calls).toEqual([
      ["GET /pets returned an integer beyond 2^53, which JavaScript rounds: 9007199254740992."],
    ]);
  });

  test("fetches its own token, and reuses it", async () => {
    await call("deletePet", { petId: 1 });
    await call("deletePet", { petId: 2 });
    expect(api.asked.map(({ call: sent, headers }) => `${sent} ${String(headers["authorization"])}`)).toEqual(
      [`POST /token ${basic("id:s%2Ft")}`, "DELETE /v1/pets/1 Bearer t1", "DELETE /v1/pets/2 Bearer t1"],
    );
  });

  test.each(["..", ".", "", "../../admin", "a/b", "a?b#c", "%2e%2e", "é\ud800"])(
    "encodes %j as a single path segment",
    async (name) => {
      api.answer = { status: 200, headers: { "content-type": "text/markdown" }, body: "# Notes" };
      const result = await call("getNotes", { name });
      const isRejected = ["..", ".", ""].includes(name);
      expect(result).toMatch(isRejected ? /^error: .* is not a valid path of the API/ : /^# Notes$/);
      expect(api.asked.map((each) => each.call.split("/").length)).toEqual(isRejected ? [] : [5]);
    },
  );

  test("rejects values that would add a header", async () => {
    expect(await call("getNotes", { name: "ada", "X-Trace": "1\r\nX-Admin: true" })).toMatchInlineSnapshot(
      `"error: X-Trace is sent as a header, which cannot contain line breaks or characters outside Latin-1."`,
    );
    expect(api.asked).toEqual([]);
  });

  test("reports the status and the start of an error response", async () => {
    api.answer = {
      status: 404,
      headers: { "retry-after": "7" },
      body: `{"message":"No pet","trace":"${"x".repeat(5000)}"}`,
    };
    const result = await call("getPet", { petId: 9 });
    expect(result.replace(/x{100,}/, "x…")).toMatchInlineSnapshot(
      `"error: GET /pets/9 returned 404 Not Found (retry after 7): {"message":"No pet","trace":"x……"`,
    );
    api.answer = { status: 500, headers: { "content-type": "text/html" }, body: "<h1>It\n broke</h1>" };
    expect(await call("getPet", { petId: 9 })).toMatchInlineSnapshot(
      `"error: GET /pets/9 returned 500 Internal Server Error: It broke"`,
    );
  });

  test.each([
    ["listPets", 429, "0", 3],
    ["listPets", 503, "0", 3],
    ["listPets", 500, "0", 1],
    ["listPets", 429, "6", 1],
    ["listPets", 429, "Wed, 21 Oct 2015 07:28:00 GMT", 1],
    ["updatePet", 429, "0", 3],
    ["updatePet", 503, "0", 1],
  ])(
    "after %s with status %i and Retry-After %s sends the request %i times",
    async (tool, status, after, times) => {
      api.answer = { status, headers: { "retry-after": after }, body: "Busy" };
      expect(await call(tool, tool === "updatePet" ? { petId: 1 } : {})).toContain(
        `(retry after ${after}): Busy`,
      );
      expect(api.asked.map((each) => each.call)).toEqual(Array(times).fill(api.asked[0]?.call));
    },
  );

  test("sends requests only to the API's own origin, whatever the API returns", async () => {
    api.answer = { status: 302, headers: { location: "http://169.254.169.254/latest?key=1" }, body: "" };
    expect(await call("getPet", { petId: 1 })).toMatchInlineSnapshot(
      `"error: The API redirects to http://169.254.169.254/latest, which is not followed because its origin differs."`,
    );
    api.answer = { status: 302, headers: { location: "/v1/pets/1" }, body: "" };
    expect(await call("getPet", { petId: 1 })).toMatch(
      /^error: 127\.0\.0\.1:\d+ redirects more than 5 times\.$/,
    );
  });

  test("requests the result of a call that succeeded elsewhere, without its body", async () => {
    api.answer = { status: 303, headers: { location: "/v1/pets/2" }, body: "" };
    expect(await call("addPet", { name: "Tom" })).toContain("redirects more than 5 times");
    const [first, ...others] = api.asked.map((each) => [each.call, each.body, each.headers["type"]]);
    expect(first).toEqual(["POST /v1/pets", '{"name":"Tom"}', "application/json"]);
    expect(others).toEqual(Array.from({ length: 5 }, () => ["GET /v1/pets/2", "", undefined]));
    api.answer.status = 302;
    expect(await call("addPet", { name: "Tom" })).toBe("error: POST /pets returned 302 Found");
  });

  test("validates the API's responses against the document", async () => {
    api.answer.body = '{"id":"one","name":"Rex"}';
    expect(await call("updatePet", { petId: 1 })).toMatch(/^error: /);
    api.answer.body = "<html>";
    expect(await call("updatePet", { petId: 1 })).toBe("error: PATCH /pets/1 did not return JSON.");
  });
});

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("tenon import", () => {
  const write = (name: string, value: unknown): string => {
    project.write({ [name]: typeof value === "string" ? value : JSON.stringify(value) });
    return name;
  };
  const minimal = (more: object): object => ({ openapi: "3.1.0", info: { title: "T" }, ...more });
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `/things${index}`,
      { get: { tags: [index % 2 ? "odd" : "even"] } },
    ]),
  );

  test("follows references to other files of the document", async () => {
    project.write({
      "api/openapi.yaml": "openapi: 3.1.0\ninfo: { title: Parts }\npaths:\n  /a: { $ref: paths/a.yaml }\n",
      "api/paths/a.yaml":
        "get:\n  operationId: a\n  responses:\n    '200':\n      description: it\n      content:\n        application/json: { schema: { $ref: '../schemas.json#/$defs/Node' } }\n",
      "api/schemas.json":
        '{"$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"},"size":{"type":["integer","null"]}}}}}',
    });
    expect((await runImport("api/openapi.yaml", "--out", "src/parts")).err).toBe("");
    expect(readSource("parts/parts.ts")).toContain("next?: Node;");
  });

  test("reads at most 500 other files of a document", async () => {
    const writeChain = (count: number): string => {
      const next = (index: number): string => (index < count ? `{ "$ref": "${index + 1}.json" }` : "true");
      const others = Array.from({ length: count }, (_, index) => [
        `chain/${index + 1}.json`,
        next(index + 1),
      ]);
      project.write(Object.fromEntries(others));
      return write("chain/openapi.json", `{ "openapi": "3.1.0", "info": { "title": "T" }, "x": ${next(0)} }`);
    };
    const load = (count: number): Promise<unknown> =>
      loadDocument(writeChain(count), { cwd: project.root, headers: {} });
    await expect(load(500)).resolves.toBeDefined();
    await expect(load(501)).rejects.toThrow("chain/openapi.json refers to more than 500 other files.");
  });

  test("treats hidden input as a secret, wherever arguments contain it", async () => {
    const password = { type: "string", format: "password" };
    const user = { $ref: "#/components/schemas/User" };
    const json = (schema: object): object => ({ content: { "application/json": { schema } } });
    const paths = {
      "/login": {
        get: {
          operationId: "login",
          parameters: [{ name: "password", in: "query", required: true, schema: password }],
          responses: { "200": { description: "It", ...json(user) } },
        },
        post: {
          operationId: "change",
          requestBody: json({ type: "object", properties: { user, old: { ...password, nullable: true } } }),
          responses: { "200": { description: "It", ...json(user) } },
        },
      },
    };
    const properties = { name: { type: "string" }, password, key: { type: "string", "x-ms-secret": true } };
    const components = { schemas: { User: { type: "object", properties } } };
    const file = write("secrets.json", { ...minimal({ paths }), components });
    const { out, err } = await runImport(file, "--out", "src/secrets");
    expect(err).toBe("");
    // The type of the response is the same one, as specified in the document.
    expect(out).not.toContain("otherwise than the document");
    const text = readSource("secrets/t.ts");
    expect(text.slice(text.indexOf("export interface"), text.indexOf("export class")).trim())
      .toMatchInlineSnapshot(`
      "export interface User {
        name?: string;
        /** @secret */
        password?: string;
        /** @secret */
        key?: string;
      }

      export interface LoginArguments {
        /** @secret */
        password: string;
      }

      export interface ChangeArguments {
        user?: User;
        /** @secret */
        old?: string;
      }

      /** T */"
    `);
  });

  test("keeps defaults that fit their types, limits, and formats, and reports others", async () => {
    const date = { type: "string", format: "date" };
    const parameters = [
      { name: "from", in: "query", schema: { ...date, default: "2026-01-31" } },
      { name: "to", in: "query", schema: { ...date, default: "tomorrow" } },
      { name: "size", in: "query", schema: { type: "integer", maximum: 9, default: 10 } },
    ];
    const file = write("defaults.json", minimal({ paths: { "/a": { get: { parameters } } } }));
    const { out } = await runImport(file, "--out", "src/defaults");
    expect(out.replaceAll(/\s+/g, " ")).toContain("`default` that does not fit its type (2 times)");
    expect(readSource("defaults/t.ts").match(/@default .*/g)).toEqual(['@default "2026-01-31"']);
  });

  test("joins the limits of all parts of a schema, and reports those that no type expresses", async () => {
    const code = { $ref: "#/components/schemas/Code" };
    const properties = {
      text: { allOf: [{ type: "string", maxLength: 9 }, { minLength: 2 }, { maxLength: 3 }] },
      count: { type: "number", minimum: 1, allOf: [{ type: "integer", multipleOf: 2 }] },
      list: {
        type: "array",
        items: { type: "string" },
        allOf: [{ items: { minLength: 1 } }, { minItems: 1 }],
      },
      choice: { allOf: [{ enum: ["a", "b", "c"] }, { enum: ["b", "c", "d"] }] },
      either: { anyOf: [{ type: "string" }, { type: "number" }], minLength: 4, minimum: 5 },
      narrowed: { ...code, minLength: 6 },
      owner: { properties: { name: { type: "string" } }, allOf: [{ required: ["name"] }] },
      member: {
        type: "object",
        properties: { age: { type: "number" } },
        allOf: [{ properties: { age: { minimum: 7 } } }],
      },
      // Only the API checks these.
      patterns: { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
      several: { type: ["string", "number"], minLength: 8 },
      untyped: { maximum: 9 },
      objects: { enum: [{ a: 1 }] },
      missing: { type: "object", properties: { a: { type: "string" } }, required: ["b"] },
      others: {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: { type: "number" },
      },
      sent: { type: "object", properties: { id: { type: "string", readOnly: true } }, required: ["id"] },
    };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const document = minimal({
      openapi: "3.1.0",
      paths: { "/a": { post: { requestBody: { content } } } },
      components: { schemas: { Code: { type: "string", maxLength: 8 } } },
    });
    const { code: exit, out } = await runImport(write("limits.json", document), "--out", "src/limits");
    expect({ exit, out: out.replaceAll(/\s+/g, " ") }).toEqual({
      exit: 0,
      out: expect.stringContaining(
        "only the API checks: pattern, minLength, `enum` with objects or arrays, " +
          "`additionalProperties` next to `properties`, maximum, `required` of a member that is not declared.",
      ),
    });
    const [, members] =
      /interface \w*Arguments \{\n([^]*?)\n  patterns/.exec(readSource("limits/t.ts")) ?? [];
    expect(members).toMatchInlineSnapshot(`
      "  /**
         * @minLength 2
         * @maxLength 3
         */
        text?: string;
        /**
         * @integer
         * @minimum 1
         * @multipleOf 2
         */
        count?: number;
        /** @minItems 1 */
        list?: PostAListItem[];
        choice?: "b" | "c";
        either?: PostAEither1 | PostAEither2;
        /**
         * @minLength 6
         * @maxLength 8
         */
        narrowed?: string;
        owner?: {
          name: string;
        };
        member?: {
          /** @minimum 7 */
          age?: number;
        };
        /** @pattern ^a */"
    `);
  });

  test("accepts every name where a schema limits names with patterns", async () => {
    const text = { type: "string" };
    const patternProperties = { "^x-": text };
    const closed = { type: "object", patternProperties, additionalProperties: false };
    const properties = {
      one: closed,
      several: { ...closed, patternProperties: { ...patternProperties, "^n-": {} } },
      beside: { ...closed, properties: { a: text } },
    };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const paths = { "/a": { get: { responses: { 200: { description: "", content } } } } };
    await runImport(write("names.json", minimal({ openapi: "3.1.0", paths })), "--out", "src/names");
    const source = readSource("names/t.ts").replaceAll(/\s+/g, " ");
    expect(source).toContain("one?: Record<string, string>; several?: Record<string, unknown>;");
    expect(source).toContain("beside?: { a?: string; [name: string]: unknown; };");
  });

  test("limits the lengths of tuples with a tag unless their type does", async () => {
    const [text, number] = [{ type: "string" }, { type: "number" }];
    const properties = {
      open: { type: "array", prefixItems: [text], items: number, minItems: 1, maxItems: 5 },
      closed: { type: "array", prefixItems: [text, number], minItems: 1, maxItems: 2 },
      certain: { type: "array", prefixItems: [text], items: false, maxItems: 3 },
    };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const file = write("tuples.json", minimal({ paths: { "/a": { post: { requestBody: { content } } } } }));
    await runImport(file, "--out", "src/tuples");
    expect(readSource("tuples/t.ts")).toMatch(
      /\/\*\* @maxItems 5 \*\/\s+open\?: \[string, \.\.\.number\[\]\];\s+closed\?: \[string, number\?\];\s+certain\?: \[string\?\];/,
    );
  });

  test("explains what is wrong with a document, and how to fix it", async () => {
    const errors = [
      await runImport("none.json"),
      await runImport(write("swagger.json", { swagger: "2.0" })),
      await runImport(write("other.json", { some: "thing" })),
      await runImport(write("broken.yaml", "a: [1")),
      await runImport(write("empty.json", minimal({ paths: {} }))),
      await runImport(write("away.json", minimal({ paths: { "/a": { $ref: "http://169.254.169.254/a" } } }))),
      await runImport(write("many.json", minimal({ paths: many }))),
      await runImport("many.json", "--tag", "od"),
      await runImport("many.json", "--only", "POST /x*"),
      await runImport(PETS, "--only", "* /pets/{petId}"),
    ];
    expect(errors.map(({ code, err }) => `${code}: ${err}`).join("\n")).toMatchSnapshot();
  });

  test("never writes text of the document as code", async () => {
    const hostile = {
      openapi: "3.1.0",
      info: { title: "Evil */ process.exit() /*" },
      servers: [{ url: "https://x.example/`${process.exit(1)}`" }],
      paths: {
        "/a`${process.exit(2)}/{id}": {
          get: { operationId: "a */ process.exit(3)", description: "*/ process.exit(4)" },
        },
      },
    };
    const { err } = await runImport(
      write("hostile.json", hostile),
      "--out",
      "src/hostile",
      "--class",
      "Safe",
    );
    expect(err).toBe("");
    const sources = `${readSource("hostile/safe.ts")}${readSource("hostile/api-client.ts")}`;
    expect(sources.split("\n").filter((line) => /exit/i.test(line))).toMatchInlineSnapshot(`
      [
        "export interface AProcessExit3Arguments {",
        "  "process.exit_2": string;",
        "/** Evil * / process.exit() /* */",
        "   * * / process.exit(4)",
        "  async aProcessExit3(",
        "    { "process.exit_2": processExit2, id }: AProcessExit3Arguments,",
        "    await this.#api.done("GET", path\`/a\\\`\\$\${processExit2}/\${id}\`, { signal });",
        " * Evil * / process.exit() /*: its base URL, credentials, and encodings.",
        "    url: process.env["SAFE_URL"] || "https://x.example/\`\${process.exit(1)}\`",",
      ]
    `);
  });

  test("selects operations by method, path, ID, and tag", async () => {
    const { out } = await runImport(
      PETS,
      "--only",
      "GET /pets*",
      "--only",
      "add*",
      "--tag",
      "pets",
      "--out",
      "src/some",
    );
    expect(out).toContain("3 tools for Pet Shop API");
  });
});
