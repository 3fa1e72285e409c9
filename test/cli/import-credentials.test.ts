/** Credentials that imported servers send, and to whom. */
import { connect } from "@tenon/runtime/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { buildImported, createApi, DONE, serveForTest } from "./import/imported-server.js";
import { startRecordedApi } from "./import/recorded-api.js";

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
    const built = await buildImported(document);
    onTestFinished(() => built.remove());
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

describe("credentials", () => {
  const schemes = {
    key: { type: "apiKey", in: "query", name: "key" },
    header: { type: "apiKey", in: "header", name: "X-Key" },
    cookie: { type: "apiKey", in: "cookie", name: "session" },
  };
  const components = { securitySchemes: schemes };
  const environment = { SERVICE_KEY: "k&1", SERVICE_HEADER: "h", SERVICE_COOKIE: "c;1" };

  test(
    "are sent together with the parameters, and once if a parameter has their name",
    LONG_COMPUTATION,
    async () => {
      const text = { schema: { type: "string" } };
      const parameters = [
        { name: "key", in: "query", ...text },
        { name: "q", in: "query", ...text },
        { name: "X-Key", in: "header", ...text },
        { name: "X-Other", in: "header", ...text },
        { name: "lang", in: "cookie", ...text },
      ];
      const security = [{ key: [], header: [], cookie: [] }];
      const paths = { "/items": { get: { operationId: "list", parameters, ...DONE } } };
      const { call, fail } = await serveForTest(createApi(paths, { components, security }), environment);
      const { call: sent, headers } = await call("list", { q: "a", "X-Other": "b", lang: "en" });
      expect(sent).toBe("GET /v1/items?q=a&key=k%261");
      expect(headers).toMatchObject({ "x-key": "h", "x-other": "b", cookie: "lang=en; session=c%3B1" });
      expect(await fail("list", { key: "mine" })).toContain("unknown argument `key`");
    },
  );

  test(
    "are not sent to an operation's own server at another origin, which the report lists",
    LONG_COMPUTATION,
    async () => {
      const other = await startRecordedApi();
      onTestFinished(() => other.close());
      const paths = {
        "/upload": { servers: [{ url: other.url }], post: { operationId: "upload", ...DONE } },
        "/near": { get: { operationId: "near", servers: [{ url: "/v2/" }], ...DONE } },
        "/here": { get: { operationId: "here", ...DONE } },
      };
      const security = [{ key: [], header: [], cookie: [] }];
      const server = await serveForTest(createApi(paths, { components, security }), environment);
      expect(await server.call("upload", {}, other)).toEqual({
        call: "POST /v1/upload",
        headers: { accept: "application/json" },
        body: "",
      });
      expect((await server.call("near", {})).call).toBe("GET /v2/near?key=k%261");
      expect((await server.call("here", {})).call).toBe("GET /v1/here?key=k%261");
      expect(server.report.replaceAll(/\s+/g, " ")).toContain(
        `Sent to ${new URL(other.url).origin} without credentials, which belong to the address of the API: upload.`,
      );
    },
  );
});
