/** Real OpenAPI documents: each is imported, and its operations send the same requests as an independent client. */
import type { JsonSchema } from "@tenon/runtime/manifest";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildImported } from "../cli/import/imported-server.js";
import { type RecordedApi, startRecordedApi } from "../cli/import/recorded-api.js";
import { thirdParty } from "../third-party/installed.js";
import { DOCUMENTS, downloadDocuments, withServer } from "./openapi-documents.js";
import { sampleValue } from "./sample-value.js";
import { listCompared, loadSwaggerClient } from "./swagger-client.js";

let documents: ReturnType<typeof downloadDocuments>;
let api: RecordedApi;
let library: Awaited<ReturnType<typeof loadSwaggerClient>>;
beforeAll(async () => {
  documents = downloadDocuments();
  api = await startRecordedApi(true);
  library = await loadSwaggerClient(thirdParty("swagger-client/lib/commonjs.js"));
});
afterAll(() => {
  api.close();
  documents.remove();
});

/** The number of requests that were compared. */
let comparedCount = 0;

describe("tools that are imported from a real document", () => {
  test.each(DOCUMENTS)("send what swagger-client sends for %s", async (path) => {
    const source = withServer(documents.read(path), api.url);
    const built = await buildImported(source);
    const client = await connect(await built.load());
    try {
      const tools = await client.listTools();
      const operations = await listCompared(library, source);
      expect(tools.map(({ name }) => name).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
      const differences: unknown[] = [];
      for (const operation of operations) {
        const { name } = operation;
        const inputSchema = tools.find((tool) => tool.name === name)?.inputSchema as JsonSchema;
        const args = sampleValue(inputSchema, inputSchema) as Record<string, unknown>;
        const before = api.asked.length;
        await client.callTool(name, args);
        const sent = api.asked[before];
        const wanted = sent && operation.prepare(args, sent);
        if (sent === undefined || wanted === undefined) continue;
        comparedCount++;
        const actual = operation.read(sent);
        if (JSON.stringify(actual) !== JSON.stringify(wanted))
          differences.push({ operation: name, actual, wanted });
      }
      expect(differences).toEqual([]);
    } finally {
      await client.close();
      built.remove();
    }
  });

  test("were compared in hundreds of requests", () => {
    expect(comparedCount).toBeGreaterThan(900);
  });
});
