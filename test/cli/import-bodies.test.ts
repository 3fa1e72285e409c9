/** Bodies that imported servers send: in parts, as forms, and as lines. */
import { describe, expect, test } from "vitest";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { createApi, DONE, serveForTest } from "./import/imported-server.js";

describe("a body", () => {
  const part = (name: string, headers: string, value: string): string =>
    `<boundary>\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`;
  const parts = (text: string): string => text.replaceAll(/--part-[\da-f-]{36}/g, "<boundary>");
  const post = (operationId: string, type: string, schema: object, encoding?: object): object => ({
    post: {
      operationId,
      requestBody: { required: true, content: { [type]: { schema, ...(encoding && { encoding }) } } },
      ...DONE,
    },
  });
  const bytes = Buffer.from("PDF").toString("base64");

  test("in parts has the media type, the style, and the headers of each part", LONG_COMPUTATION, async () => {
    const schemas = {
      File: { type: "string", format: "binary" },
      Base: {
        type: "object",
        properties: { scan: { $ref: "#/components/schemas/File" } },
        required: ["scan"],
      },
      Picture: { type: "string", contentMediaType: "image/png" },
    };
    const schema = {
      allOf: [
        { $ref: "#/components/schemas/Base" },
        {
          type: "object",
          properties: {
            title: { type: "string" },
            tags: { type: "array", items: { type: "string" } },
            author: { type: "object", properties: { name: { type: "string" } } },
            picture: { $ref: "#/components/schemas/Picture" },
            pages: { type: "array", items: { $ref: "#/components/schemas/File" } },
            note: { type: "string" },
            ids: { type: "array", items: { type: "integer" } },
            photo: { type: "string", format: "binary" },
            sizes: {
              type: "array",
              items: { type: "object", properties: { width: { type: "integer" } } },
            },
            more: {},
          },
        },
      ],
    };
    const encoding = {
      scan: {
        contentType: "application/pdf",
        headers: { "X-Kind": { schema: { const: "scan" } }, "X-Sum": { schema: { type: "string" } } },
      },
      picture: { contentType: "image/png" },
      note: { contentType: "application/json" },
      ids: { style: "form", explode: false },
      photo: { contentType: "image/png, image/jpeg" },
      sizes: { contentType: "application/xml" },
      more: { contentType: "text/plain" },
    };
    const { call, report } = await serveForTest(
      createApi(
        { "/files": post("upload", "multipart/form-data", schema, encoding) },
        { components: { schemas } },
      ),
    );
    const file = '; filename="';
    const { body, headers } = await call("upload", {
      scan: bytes,
      title: "A",
      tags: ["x", "y"],
      author: { name: "Ada" },
      picture: bytes,
      pages: [bytes, bytes],
      note: "n",
      ids: [1, 2],
      photo: bytes,
      sizes: [{ width: 1 }, { width: 2 }],
      more: { a: 1 },
    });
    const octets = "\r\nContent-Type: application/octet-stream";
    expect(parts(body)).toBe(
      [
        part("scan", `${file}scan"\r\nContent-Type: application/pdf\r\nX-Kind: scan`, "PDF"),
        part("title", "", "A"),
        part("tags", "", "x"),
        part("tags", "", "y"),
        part("author", "\r\nContent-Type: application/json", '{"name":"Ada"}'),
        part("picture", `${file}picture"\r\nContent-Type: image/png`, "PDF"),
        part("pages", `${file}pages"${octets}`, "PDF"),
        part("pages", `${file}pages"${octets}`, "PDF"),
        part("note", "\r\nContent-Type: application/json", '"n"'),
        part("ids", "", "1,2"),
        part("photo", `${file}photo"${octets}`, "PDF"),
        part("sizes", "\r\nContent-Type: application/json", '{"width":1}'),
        part("sizes", "\r\nContent-Type: application/json", '{"width":2}'),
        part("more", "\r\nContent-Type: application/json", '{"a":1}'),
        "<boundary>--\r\n",
      ].join(""),
    );
    expect(headers["type"]).toMatch(/^multipart\/form-data; boundary=part-[\da-f-]{36}$/);
    const text = report.replaceAll(/\s+/g, " ");
    expect(text).toContain("the header `X-Sum` of the field `scan`, whose value is unknown");
    expect(text).toContain("the media type of the file `photo`, which is sent as application/octet-stream");
    expect(text).toContain(
      "the media type `application/xml` of the field `sizes`, which is sent as application/json",
    );
  });

  test("as a form has the styles and media types of its fields", LONG_COMPUTATION, async () => {
    const list = { type: "array", items: { type: "string" } };
    const range = { type: "object", properties: { from: { type: "integer" }, to: { type: "integer" } } };
    const properties = {
      usual: list,
      joined: list,
      pipes: list,
      json: list,
      range,
      flat: range,
      deep: range,
      own: range,
    };
    const encoding = {
      joined: { style: "form", explode: false },
      pipes: { style: "pipeDelimited" },
      json: { contentType: "application/json" },
      flat: { explode: false },
      deep: { style: "deepObject" },
      own: { style: "form" },
    };
    const { call } = await serveForTest(
      createApi({
        "/form": post("fill", "application/x-www-form-urlencoded", { type: "object", properties }, encoding),
      }),
    );
    const values = ["a b", "c"];
    const between = { from: 1, to: 2 };
    const { body, headers } = await call("fill", {
      usual: values,
      joined: values,
      pipes: values,
      json: values,
      range: between,
      flat: between,
      deep: between,
      own: between,
    });
    expect(headers["type"]).toBe("application/x-www-form-urlencoded");
    expect(body.split("&")).toEqual([
      "usual=a%20b",
      "usual=c",
      "joined=a%20b,c",
      "pipes=a%20b%7Cc",
      "json=%5B%22a%20b%22%2C%22c%22%5D",
      "range=%7B%22from%22%3A1%2C%22to%22%3A2%7D",
      "flat=from,1,to,2",
      "deep%5Bfrom%5D=1",
      "deep%5Bto%5D=2",
      "from=1",
      "to=2",
    ]);
  });

  test("as newline-delimited JSON has a line for each item", LONG_COMPUTATION, async () => {
    const item = { type: "object", properties: { id: { type: "integer" } } };
    const paths = {
      "/items": post("addItems", "application/x-ndjson", item),
      "/lists": post("addList", "application/jsonl", { type: "array", items: item }),
    };
    const { call } = await serveForTest(createApi(paths));
    const sent = { body: [{ id: 1 }, { id: 2 }] };
    expect(await call("addItems", sent)).toMatchObject({
      body: '{"id":1}\n{"id":2}\n',
      headers: { type: "application/x-ndjson" },
    });
    expect(await call("addList", sent)).toMatchObject({
      body: '{"id":1}\n{"id":2}\n',
      headers: { type: "application/jsonl" },
    });
  });

  test(
    "is reported where it cannot be sent, and so are operations that cannot become tools",
    LONG_COMPUTATION,
    async () => {
      const content = {
        "application/json": { schema: { type: "object", properties: { q: { type: "string" } } } },
      };
      const paths = {
        "/search": {
          get: { operationId: "search", requestBody: { content }, ...DONE },
          head: { operationId: "peek", ...DONE },
          query: { operationId: "ask", ...DONE },
          additionalOperations: { PURGE: { operationId: "purge", ...DONE } },
        },
        "/filter": { get: { operationId: "filter", requestBody: { required: true, content }, ...DONE } },
      };
      const { call, report } = await serveForTest(createApi(paths));
      expect(await call("search", {})).toMatchObject({ call: "GET /v1/search", body: "" });
      const text = report.replaceAll(/\s+/g, " ");
      expect(text).toContain("1 tool for");
      expect(text).toContain("search does not send: the body, which `fetch` does not send with GET.");
      expect(text).toContain(
        "Operations that cannot become tools: HEAD /search (its response has no content), " +
          "QUERY /search (its method requires OpenAPI 3.2), PURGE /search (its method requires OpenAPI 3.2), " +
          "GET /filter (it requires the body, which `fetch` does not send with GET).",
      );
    },
  );
});
