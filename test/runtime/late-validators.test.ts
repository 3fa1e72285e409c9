import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { createServer } from "@tenon/runtime/server";
import { lateValidators } from "@tenon/runtime/validation";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFixture } from "./fixture/application.js";

const PART = "./part.cjs";

let folder: string;
let reports: string[];
let client: TestClient;

/** The fixture, with every validator in a file that is not there yet. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-late-"));
  const fixture = createFixture();
  const zero = (names: string[]): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, 0]));
  const { tools, prompts, resourceTemplates } = fixture.manifest;
  const table = {
    parts: [[PART, 2]] as const,
    tools: Object.fromEntries(tools.map(({ definition }) => [definition.name, [0, 1]] as const)),
    prompts: zero(prompts.map(({ definition }) => definition.name)),
    resourceTemplates: zero(resourceTemplates.map(({ definition }) => definition.uriTemplate)),
  };
  const url = pathToFileURL(join(folder, "validators.js")).href;
  const isLong = (text: string): boolean => text.length > 4;
  reports = [];
  client = await connect(
    createServer(
      { ...fixture, validators: lateValidators(url, table, { isLong }) },
      { onInternalError: ({ error }) => reports.push(String(error)) },
    ),
    { showErrors: false },
  );
});
afterEach(() => {
  client.close();
  rmSync(folder, { recursive: true });
});

/** The first validator takes notice of `city` alone, the second nothing at all. */
function writePart(): void {
  const first = "({ isLong }) => (data) => data.city === undefined || isLong(data.city)";
  writeFileSync(join(folder, PART), `module.exports = [${first}, () => () => false];\n`);
}

test("lists are answered without a validator", async () => {
  expect((await client.listTools()).length).toBeGreaterThan(10);
  expect((await client.listPrompts()).length).toBeGreaterThan(1);
  expect((await client.listResourceTemplates()).length).toBeGreaterThan(1);
});

test("a call whose validator cannot be read is answered with an internal error", async () => {
  const failed = expect.stringMatching(/internal error \(reference \w{8}\)/) as string;
  const result = await client.callTool("conditions", { city: "Oslo" });
  expect(result).toMatchObject({ isError: true, content: [{ text: failed }] });
  await expect(client.getPrompt("plan", { city: "Oslo", mood: "calm" })).rejects.toMatchObject({
    code: -32603,
    message: failed,
  });
  await expect(client.readResource("climate://Oslo/2026")).rejects.toMatchObject({
    code: -32603,
    message: failed,
  });
  expect(reports).toHaveLength(3);
  for (const report of reports) expect(report).toMatch(/\.\/part\.cjs cannot be read\. .* start it again\./);
  expect((await client.listTools()).length).toBeGreaterThan(10);
});

test("validators are found at the first call after their file is there, and stay", async () => {
  await client.callTool("conditions", { city: "Bergen" });
  expect(reports).toHaveLength(1);
  writePart();
  expect((await client.callTool("conditions", { city: "Bergen" })).isError).toBeUndefined();
  rmSync(join(folder, PART));
  expect((await client.callTool("conditions", { city: "Tromsø" })).isError).toBeUndefined();
  expect((await client.callTool("conditions", { city: "Å" })).isError).toBe(true);
  expect(await client.getPrompt("plan", { city: "Bergen", mood: "calm" })).toHaveProperty("messages");
  expect(await client.readResource("climate://Bergen/2026")).toHaveProperty("contents");
  expect(reports).toHaveLength(1);
});

test("a validator passes on the problems that it reports itself", () => {
  const problem = { instancePath: "/a", schemaPath: "#/not", keyword: "not", params: {}, message: "no" };
  writeFileSync(
    join(folder, "own.cjs"),
    `module.exports = [() => { function validate(data) { validate.errors = data ? null : [${JSON.stringify(problem)}]; return data; } return validate; }];`,
  );
  const url = pathToFileURL(join(folder, "validators.js")).href;
  const none = { prompts: {}, resourceTemplates: {} };
  const { tools } = lateValidators(url, { parts: [["./own.cjs", 1]], tools: { own: [0] }, ...none }, {});
  const validate = tools.own?.input;
  expect(validate?.(false)).toBe(false);
  expect(validate?.errors).toEqual([problem]);
  expect(validate?.(true)).toBe(true);
});
