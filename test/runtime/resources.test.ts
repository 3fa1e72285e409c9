import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFixture } from "./fixture/application.js";
import { PNG, SECRET } from "./fixture/src/handlers.js";

describeTransports(createFixture, (open) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    const isModern = revision >= "2026-07-28";
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision });
    });

    const read = async (uri: string) => (await client.result("resources/read", { uri }))["contents"];

    test("resources are listed, including those that a template lists", async () => {
      const { resources } = (await client.result("resources/list")) as { resources: { uri: string }[] };
      expect(resources.map((resource) => resource.uri)).toEqual([
        "broken://always",
        "data://table",
        "image://dot",
        "notes://today",
        "note://1",
        "note://2",
      ]);
      expect(resources.at(3)).toEqual({
        uri: "notes://today",
        name: "today",
        description: "The resource today.",
        mimeType: "text/plain",
        ...(revision >= "2025-06-18" && { title: "Today" }),
        annotations: {
          audience: ["user"],
          priority: 0.5,
          ...(revision >= "2025-06-18" && { lastModified: "2026-07-28T00:00:00Z" }),
        },
      });
      expect(resources.at(5)).toMatchObject({ name: "Second", mimeType: "text/markdown" });
    });

    test("templates are listed", async () => {
      const { resourceTemplates } = await client.result("resources/templates/list");
      expect(resourceTemplates).toMatchObject([
        { uriTemplate: "climate://{city}/{year}" },
        { uriTemplate: "note://{id}" },
      ]);
    });

    test("text, bytes, and JSON are read", async () => {
      expect(await read("notes://today")).toEqual([
        { uri: "notes://today", mimeType: "text/plain", text: "Rain." },
      ]);
      expect(await read("image://dot")).toEqual([{ uri: "image://dot", mimeType: "image/png", blob: PNG }]);
      expect(await read("data://table")).toEqual([
        { uri: "data://table", mimeType: "application/json", text: '{"rows":[1,2]}' },
      ]);
    });

    test("reading forbids caching by default", async () => {
      const { ttlMs, cacheScope } = await client.result("resources/read", { uri: "notes://today" });
      expect([ttlMs, cacheScope]).toEqual(isModern ? [0, "private"] : [undefined, undefined]);
    });

    test("a resource is read through its template, with the variables decoded and converted", async () => {
      const uri = "climate://S%C3%A3o%20Paulo/2020";
      expect(await read(uri)).toEqual([
        { uri, mimeType: "text/markdown", text: "São Paulo in 2020: number" },
      ]);
      expect(await read("note://a%2Fb")).toMatchObject([{ uri: "note://a/b" }]);
    });

    const code = isModern ? -32602 : -32002;

    test("a missing resource has the revision's error code", async () => {
      for (const uri of [
        "notes://tomorrow",
        "note://missing",
        "note://unnamed",
        "note://",
        "climate://Oslo/2020/May",
        "note://%",
      ]) {
        expect(await client.error("resources/read", { uri })).toMatchObject({ code, data: { uri } });
      }
    });

    test("the client receives the handler's message if nothing was found", async () => {
      const uri = "note://lost";
      expect(await client.error("resources/read", { uri })).toEqual({
        code,
        message: "That note was lost.",
        data: { uri },
      });
    });

    test("an invalid variable is named", async () => {
      expect(await client.error("resources/read", { uri: "climate://Oslo/soon" })).toEqual({
        code,
        message: 'No resource "climate://Oslo/soon": `year` must be an integer (got "soon").',
        data: { uri: "climate://Oslo/soon" },
      });
    });

    test.each(["climate://New York/2020", "note://a]"])("%s is rejected as a URI", async (uri) => {
      const message = `No resource "${uri}": it is not a valid URI. Percent-encode special characters, such as a space as %20.`;
      expect(await client.error("resources/read", { uri })).toEqual({ code, message, data: { uri } });
    });

    test("a request without a URI is rejected", async () => {
      expect((await client.error("resources/read", {})).code).toBe(-32602);
      expect((await client.error("resources/read", { uri: ["notes://today"] })).code).toBe(-32602);
    });

    test("an error of a handler is hidden from the client", async () => {
      const error = await client.error("resources/read", { uri: "broken://always" });
      expect(error.code).toBe(-32603);
      expect(error.message).toMatch(/^The resource "broken:\/\/always" failed because of an internal error/);
      expect(JSON.stringify(error)).not.toContain(SECRET);
    });

    test("suggestions come from callbacks and choices, at most a hundred", async () => {
      const complete = async (ref: object, name: string, value: string): Promise<unknown> =>
        (await client.result("completion/complete", { ref, argument: { name, value } }))["completion"];
      const plan = { type: "ref/prompt", name: "plan" };
      const note = { type: "ref/resource", uri: "note://{id}" };
      expect(await complete(plan, "city", "Os")).toEqual({
        values: ["Oslo", "Osaka"],
        total: 2,
        hasMore: false,
      });
      expect(await complete(plan, "mood", "B")).toEqual({ values: ["busy"], total: 1, hasMore: false });
      expect(await complete(plan, "days", "")).toEqual({ values: [], total: 0, hasMore: false });
      const many = (await complete(note, "id", "n")) as { values: string[]; total: number; hasMore: boolean };
      expect([many.values.length, many.total, many.hasMore]).toEqual([100, 150, true]);
    });

    test("completion for unknown names is rejected", async () => {
      const argument = { name: "city", value: "" };
      for (const params of [
        { ref: { type: "ref/prompt", name: "nobody" }, argument },
        { ref: { type: "ref/resource", uri: "nothing://{x}" }, argument },
        { ref: { type: "ref/tool", name: "add" }, argument },
        { ref: { type: "ref/prompt", name: "plan" }, argument: { name: "__proto__", value: "" } },
        { ref: { type: "ref/prompt", name: "plan" } },
        { argument },
      ]) {
        expect((await client.error("completion/complete", params)).code).toBe(-32602);
      }
    });
  });
});
