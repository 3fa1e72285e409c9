/** Requests that imported servers send: values in every style, and credentials of every kind. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { connect } from "@tenon/runtime/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { projectFolder } from "../support/project-folder.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { startRecordedApi } from "./import/recorded-api.js";

/** Imports a document and builds its server. */
async function imported(document: object): Promise<BuiltServer> {
  const project = projectFolder({ "src/.keep": "", "api.json": JSON.stringify(document) });
  const terminal = recordingTerminal(project.root);
  const code = await run(["import", "api.json", "--class", "Service"], terminal);
  expect({ code, err: terminal.stderr() }).toEqual({ code: 0, err: "" });
  const sources = ["src/service.ts", "src/api-client.ts"].map((path) => {
    return [path, readFileSync(join(project.root, path), "utf8")] as const;
  });
  project.remove();
  const built = await buildServer(Object.fromEntries(sources));
  onTestFinished(() => built.remove());
  return built;
}

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
  const client = await connect(await (await imported(document)).load());
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
  expect(request?.headers).toMatchObject({ "x-list": "a b,c|d", cookie: "cookie=a%20b%2Cc%7Cd" });
});

describe("security requirements", () => {
  const operation = (operationId: string, security?: object[]): object => ({
    get: { operationId, ...(security && { security }), responses: { "204": { description: "Done" } } },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "API" },
    security: [{ queryKey: [], cookieKey: [] }, { bearer: [] }],
    paths: {
      "/usual": operation("usual"),
      "/own": operation("own", [{ login: [] }]),
      "/optional": operation("optional", [{ bearer: [] }, {}]),
    },
    components: {
      securitySchemes: {
        queryKey: { type: "apiKey", in: "query", name: "k" },
        cookieKey: { type: "apiKey", in: "cookie", name: "c" },
        bearer: { type: "http", scheme: "bearer" },
        login: { type: "http", scheme: "basic" },
      },
    },
  };
  const keys = { SERVICE_QUERY_KEY: "q&", SERVICE_COOKIE_KEY: "c;" };
  const token = { SERVICE_TOKEN: "t" };

  test("are met by the first alternative with complete credentials", LONG_COMPUTATION, async () => {
    const built = await imported(document);
    const call = async (tool: string, environment: Record<string, string>): Promise<string> => {
      const api = await startRecordedApi();
      const given = { ...environment, SERVICE_URL: api.url };
      Object.assign(process.env, given);
      const client = await connect(await built.load(encodeURIComponent(JSON.stringify([tool, given]))));
      for (const name of Object.keys(given)) delete process.env[name];
      const { content } = await client.callTool(tool, {});
      await client.close();
      api.close();
      const [request] = api.asked;
      if (request === undefined) return content.map((each) => ("text" in each ? each.text : "")).join("");
      const { authorization = "", cookie = "" } = request.headers;
      return [request.call, authorization, cookie].join(" ").trim();
    };
    expect(await call("usual", { ...keys, ...token })).toBe("GET /v1/usual?k=q%26  c=c%3B");
    expect(await call("usual", { SERVICE_QUERY_KEY: "q", ...token })).toBe("GET /v1/usual Bearer t");
    expect(await call("own", { ...keys, SERVICE_LOGIN_USERNAME: "ada" })).toBe("GET /v1/own Basic YWRhOg==");
    expect(await call("optional", token)).toBe("GET /v1/optional Bearer t");
    expect(await call("optional", keys)).toBe("GET /v1/optional");
    expect(await call("usual", { SERVICE_COOKIE_KEY: "c" })).toBe(
      "The server has no credentials for the API. Set SERVICE_QUERY_KEY and SERVICE_COOKIE_KEY, or SERVICE_TOKEN " +
        "in its environment.",
    );
  });
});
