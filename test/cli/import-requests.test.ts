/** Requests that imported servers send: paths, queries, headers, and cookies. */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import {
  buildImported,
  createApi,
  DONE,
  type ImportedServer,
  serveForTest,
  serveImported,
} from "./import/imported-server.js";
import { startRecordedApi } from "./import/recorded-api.js";

test("parameter styles determine how lists and objects are written", LONG_COMPUTATION, async () => {
  const api = await startRecordedApi();
  onTestFinished(() => api.close());
  const list = { type: "array", items: { type: "string" } };
  const object = { $ref: "#/components/schemas/Range" };
  const parameters = [
    { name: "form", in: "query", schema: list },
    { name: "joined", in: "query", explode: false, schema: list },
    { name: "spaces", in: "query", style: "spaceDelimited", explode: false, schema: list },
    { name: "pipes", in: "query", style: "pipeDelimited", explode: false, schema: list },
    { name: "range", in: "query", schema: object },
    { name: "flat", in: "query", explode: false, schema: object },
    { name: "deep", in: "query", style: "deepObject", schema: object },
    { name: "json", in: "query", content: { "application/json": { schema: object } } },
    { name: "X-List", in: "header", schema: list },
    { name: "cookie", in: "cookie", explode: false, schema: list },
    { name: "path", in: "path", required: true, schema: list },
    { name: "label", in: "path", required: true, style: "label", schema: { type: "string" } },
    { name: "matrix", in: "path", required: true, style: "matrix", schema: { type: "string" } },
  ];
  const document = {
    openapi: "3.1.0",
    info: { title: "API" },
    servers: [{ url: api.url }],
    paths: { "/{path}/{label}/{matrix}": { get: { operationId: "find", parameters } } },
    components: {
      schemas: { Range: { type: "object", properties: { from: { type: "integer" }, to: list } } },
    },
  };
  const built = await buildImported(document);
  onTestFinished(() => built.remove());
  const client = await connect(await built.load());
  onTestFinished(() => client.close());
  const values = ["a b", "c|d"];
  const range = { from: 1, to: ["x", "y"] };
  const lists = { form: values, joined: values, spaces: values, pipes: values, "X-List": values };
  const objects = { range, flat: range, deep: range, json: range };
  const rest = { cookie: values, path: values, label: "l", matrix: "m" };
  const { isError } = await client.callTool("find", { ...lists, ...objects, ...rest });
  expect(isError).not.toBe(true);
  const [request] = api.asked;
  const [path = "", query = ""] = (request?.call ?? "").split("?");
  expect(path).toBe("GET /v1/a%20b,c%7Cd/.l/;matrix=m");
  expect(query.split("&").map(decodeURIComponent)).toEqual([
    "form=a b",
    "form=c|d",
    "joined=a b,c|d",
    "spaces=a b c|d",
    "pipes=a b|c|d",
    "from=1",
    "to=x",
    "to=y",
    'flat=from,1,to,["x","y"]',
    "deep[from]=1",
    "deep[to][0]=x",
    "deep[to][1]=y",
    'json={"from":1,"to":["x","y"]}',
  ]);
  expect(request?.headers).toMatchObject({ "x-list": "a b,c|d", cookie: "cookie=a%20b,c%7Cd" });
});

describe("a path with a query", () => {
  test("keeps its query in addition to the parameters", LONG_COMPUTATION, async () => {
    const parameters = [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "limit", in: "query", schema: { type: "integer" } },
    ];
    const paths = {
      "/items?action=list": { get: { operationId: "list", parameters: parameters.slice(1), ...DONE } },
      "/items/{id}?action=read": { get: { operationId: "read", parameters, ...DONE } },
      "/items?action=find&id={id}": { get: { operationId: "find", parameters, ...DONE } },
      "/items#upload": { post: { operationId: "upload", ...DONE } },
    };
    const { call } = await serveForTest(createApi(paths));
    expect((await call("list", { limit: 2 })).call).toBe("GET /v1/items?action=list&limit=2");
    expect((await call("list", {})).call).toBe("GET /v1/items?action=list");
    expect((await call("read", { id: "a?b" })).call).toBe("GET /v1/items/a%3Fb?action=read");
    expect((await call("find", { id: "a&b=c", limit: 1 })).call).toBe(
      "GET /v1/items?action=find&id=a%26b%3Dc&limit=1",
    );
    expect((await call("upload", {})).call).toBe("POST /v1/items");
  });
});

describe("parameters of an imported API whose style does not determine their text", () => {
  const range = {
    type: "object",
    properties: { from: { type: ["integer", "null"] }, to: { type: "integer" } },
  };
  const list = { type: "array", items: { type: "string" } };
  const json = { content: { "application/json": { schema: range } } };
  const parameters = [
    { name: "at", in: "path", required: true, ...json },
    { name: "X-Range", in: "header", ...json },
    { name: "range", in: "cookie", ...json },
    { name: "url", in: "query", allowReserved: true, schema: { type: "string" } },
    { name: "list", in: "query", schema: list },
    { name: "flat", in: "query", explode: false, schema: list },
    { name: "deep", in: "query", style: "deepObject", schema: range },
    { name: "maybe", in: "query", schema: { type: ["string", "null"] } },
    { name: "odd name[]", in: "query", schema: { type: "string" } },
    { name: "text", in: "query", content: { "text/plain": { schema: { type: "string" } } } },
    { name: "xml", in: "query", content: { "application/xml": { schema: range } } },
  ];
  const paths = { "/at/{at}": { get: { operationId: "find", parameters, ...DONE } } };
  let server: ImportedServer;
  const find = async (args: object): Promise<string> =>
    (await server.call("find", { at: { to: 1 }, ...args })).call.replace(/^[^?]*\??/, "");
  beforeAll(async () => {
    server = await serveImported(createApi(paths));
  }, LONG_COMPUTATION.timeout);
  afterAll(() => server.close());

  test("JSON is written in the path, in headers, and in cookies", async () => {
    const value = { from: 1, to: 2 };
    const { call, headers } = await server.call("find", { at: value, "X-Range": value, range: value });
    expect(call).toBe("GET /v1/at/%7B%22from%22%3A1%2C%22to%22%3A2%7D");
    expect(headers).toMatchObject({
      "x-range": '{"from":1,"to":2}',
      cookie: "range=%7B%22from%22%3A1%2C%22to%22%3A2%7D",
    });
  });

  test.each([
    [
      "reserved characters, if the parameter allows them",
      { url: "https://a.example/?b=c d&e#f%20" },
      "url=https://a.example/?b=c%20d%26e%23f%20",
    ],
    ["the separator inside an item", { flat: ["a,b", "c"] }, "flat=a%2Cb,c"],
    ["characters that only RFC 3986 reserves", { list: ["a!b'c(d)e*f"] }, "list=a%21b%27c%28d%29e%2Af"],
    ["nothing for empty lists and objects", { list: [], flat: [], deep: {} }, ""],
    ["nothing for null", { maybe: null, deep: { from: null, to: 2 } }, "deep%5Bto%5D=2"],
    ["a name that is not an argument's", { odd_name: "x" }, "odd%20name%5B%5D=x"],
    ["text whose media type is text", { text: "a b" }, "text=a%20b"],
  ])("a query has %s", async (_, args, query) => {
    expect(await find(args)).toBe(query);
  });

  test("a media type that cannot be written is reported, and its parameter is not an argument", async () => {
    expect(server.report.replaceAll(/\s+/g, " ")).toContain(
      "find does not send: the query parameter `xml`, whose media type is application/xml.",
    );
    expect(await server.fail("find", { at: {}, xml: { from: 1 } })).toContain("unknown argument `xml`");
  });
});
