import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect } from "@tenon/cli/testing";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FOREIGN } from "../../../test/wire/recorder.mjs";
import { startParcelsApi } from "../api/parcels-api.js";
import { ApiClient } from "../src/api-client.js";
import { ParcelService } from "../src/parcel-service.js";

let api: Awaited<ReturnType<typeof startParcelsApi>>;
let server: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  api = await startParcelsApi(0, "k-1");
  Object.assign(api.http, { [FOREIGN]: true });
  server = await connect(new URL("..", import.meta.url), {
    provide: [new ParcelService(new ApiClient({ url: api.url, apiKey: "k-1" }))],
  });
});
afterAll(async () => {
  await server.close();
  api.http.close();
});

test("the server sends a parcel and lists it by its state", async () => {
  const { tools } = server;
  const to = { name: "Ada", street: "Storgata 2", city: "Oslo" };
  const { number } = await tools.sendParcel({ to, grams: 300 });
  const waiting = await tools.listParcels({ state: ["announced", "moving"] });
  expect(waiting.map((each) => each.number)).toEqual([number, "P2"]);
  await tools.cancelParcel({ number });
  await expect(tools.trackParcel({ number })).rejects.toThrow(
    `GET /parcels/${number} returned 404 Not Found: {"title":"There is no parcel ${number}."}`,
  );
});

test("the server distinguishes the kinds of events", async () => {
  const { events } = await server.tools.trackParcel({ number: "P1" });
  expect(events.map((event) => (event.kind === "scan" ? event.place : event.receivedBy))).toEqual([
    "Ada",
    "Oslo",
  ]);
});

test("the server requests prices without a key, and encodes sizes as documented", async () => {
  expect(await server.tools.getPrice({ grams: 2000, size: { length: 40, width: 30, height: 20 } })).toEqual({
    euros: 8,
    days: 2,
  });
});

test("the server rejects invalid arguments before a request to the API", async () => {
  await expect(server.tools.getPrice({ grams: 0 })).rejects.toThrow("grams");
  await expect(server.tools.getLabel({ number: ".." })).rejects.toThrow("is not a valid path of the API");
});

test("the server works with the official client over stdio, configured by its environment", async () => {
  const program = fileURLToPath(new URL("../dist/server.js", import.meta.url));
  const connect = async (env: Record<string, string>): Promise<Client> => {
    const client = new Client({ name: "check", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: "pipe" }),
    );
    return client;
  };
  const client = await connect({ PARCEL_SERVICE_URL: api.url, PARCEL_SERVICE_API_KEY: "k-1" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "cancelParcel",
    "getLabel",
    "getPrice",
    "listParcels",
    "sendParcel",
    "trackParcel",
  ]);
  const { content } = await client.callTool({ name: "getLabel", arguments: { number: "P1" } });
  expect(content).toEqual([
    { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBORw0/) as string },
  ]);
  await client.close();
  const stranger = await connect({ PARCEL_SERVICE_URL: api.url });
  expect(await stranger.callTool({ name: "listParcels", arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("Set PARCEL_SERVICE_API_KEY") as string }],
  });
  await stranger.close();
});
