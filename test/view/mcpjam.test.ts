/** Views of a built server, in the conformance test of MCPJam for MCP Apps. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listen } from "@tenon/runtime/node";
import { thirdParty } from "../third-party/installed.js";
import { buildViews, type BuiltViews } from "./built-views.js";

type AppsResult = { summary: string; checks: { id: string; status: string; error?: unknown }[] };

interface McpJam {
  MCPAppsConformanceTest: new (target: object) => { run(): Promise<AppsResult> };
}

let views: BuiltViews;
beforeAll(async () => {
  vi.stubEnv("DO_NOT_TRACK", "1");
  views = await buildViews();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await views.remove();
});

test.each([
  ["stdio", () => ({ command: process.execPath, args: [join(views.root, "dist/server.js")] })],
  ["HTTP", ({ url }: { url: string }) => ({ url })],
])("views conform over %s", async (_name, getTarget) => {
  const { MCPAppsConformanceTest } = (await import(thirdParty("@mcpjam/sdk/dist/index.js"))) as McpJam;
  const listener = await listen(views.server, { port: 0 });
  try {
    const { checks } = await new MCPAppsConformanceTest(getTarget({ url: `${listener.url}` })).run();
    expect(checks.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(checks.length).toBeGreaterThanOrEqual(7);
  } finally {
    await listener.close();
  }
});
