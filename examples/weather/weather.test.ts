import { connect } from "@tenon/runtime/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { server } from "./dist/app.js";

describe("the weather server", () => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect(server);
  });

  test("reports in the requested units", async () => {
    const metric = await client.callTool("current", { city: "Bergen" });
    expect(metric.structuredContent).toEqual({ city: "Bergen", temperature: 8, sky: "rain" });
    const imperial = await client.callTool("current", { city: "bergen", units: "imperial" });
    expect(imperial.structuredContent).toMatchObject({ temperature: 46 });
  });

  test("forecasts from a date that arrives as text", async () => {
    const { structuredContent } = await client.callTool("forecast", {
      city: "Lisbon",
      days: 1,
      from: "2026-02-28T12:00:00Z",
    });
    expect(structuredContent).toEqual([{ date: "2026-02-28T12:00:00.000Z", celsius: 16, sky: "clear" }]);
  });

  test("lists the cities it knows when an unknown one is requested", async () => {
    const { isError, content } = await client.callTool("current", { city: "Atlantis" });
    expect(isError).toBe(true);
    expect(content).toEqual([
      { type: "text", text: 'No data for "Atlantis". Known cities: Oslo, Nairobi, Bergen, Lisbon, Osaka.' },
    ]);
  });

  test("reads a report and completes its city", async () => {
    const { contents } = await client.readResource("climate://Oslo/2024");
    expect(contents).toMatchObject([
      { mimeType: "text/markdown", text: expect.stringContaining("# Oslo, 2024") },
    ]);
    const ref = { type: "ref/resource" as const, uri: "climate://{city}/{year}" };
    expect((await client.complete(ref, { name: "city", value: "os" })).values).toEqual(["Oslo", "Osaka"]);
  });
});
