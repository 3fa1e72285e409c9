/** Views are part of every package, and are loaded when a client reads them. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProjectFolder, projectFolder, tsconfig } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { WireClient } from "../../support/wire-client.js";
import { httpWire, stdioWire } from "../../support/wires.js";
import { thirdParty } from "../../third-party/installed.js";
import { Miniflare } from "../../third-party/miniflare.js";

const URI = "ui://weather/forecast.00000000.html";
/** A text that only the view contains. */
const MARK = "The view of the forecast";

let project: ProjectFolder;
beforeAll(async () => {
  project = projectFolder({
    "package.json": JSON.stringify({
      name: "weather",
      version: "1.0.0",
      description: "Weather",
      author: "Ada",
      license: "MIT",
      type: "module",
    }),
    "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
    "src/weather.ts": `
      import { Tool } from "@tenon/runtime";
      export class Weather {
        /** The forecast. */
        @Tool({ readOnly: true, view: "./forecast.view.tsx" }) forecast(city: string): string { return city; }
      }`,
    "src/forecast.view.tsx": `
      import type { ViewProps } from "@tenon/runtime/view";
      import type { Weather } from "./weather.js";
      export default function Forecast({ result }: ViewProps<Weather, "forecast">) {
        return <p>${MARK}: {result}</p>;
      }`,
  });
  const terminal = recordingTerminal(project.root);
  const targets = ["--single-file", "--npx", "--worker", "--mcpb"];
  expect(await run(["package", ...targets], terminal), terminal.stderr()).toBe(0);
});
afterAll(() => project.remove());

async function readView(client: WireClient): Promise<string> {
  await client.open();
  const { contents } = await client.result("resources/read", { uri: URI });
  await client.close();
  return JSON.stringify(contents);
}

describe("a view in", () => {
  test.each(["single-file/weather.mjs", "npx/dist/server.js"])("package/%s can be read", async (file) => {
    const wire = stdioWire(join(project.root, "package", file));
    expect(await readView(new WireClient(wire, { revision: "2026-07-28" }))).toContain(MARK);
  });

  test("an MCP Bundle can be read", async () => {
    const folder = join(project.root, "unpacked");
    const packer = thirdParty("@anthropic-ai/mcpb/dist/cli/cli.js");
    const bundle = join(project.root, "package/mcpb/weather-1.0.0.mcpb");
    execFileSync(process.execPath, [packer, "unpack", bundle, folder]);
    const { server } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
      server: { entry_point: string };
    };
    const wire = stdioWire(join(folder, server.entry_point));
    expect(await readView(new WireClient(wire, { revision: "2026-07-28" }))).toContain(MARK);
  });

  test("a worker can be read, and is not part of the module that starts it", async () => {
    const folder = join(project.root, "package/worker");
    const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(names).toEqual(["view-forecast.js", "worker.js"]);
    const modules = names.toReversed().map((name) => ({
      type: "ESModule" as const,
      path: name,
      contents: readFileSync(join(folder, name), "utf8"),
    }));
    expect(modules[0]?.contents).not.toContain(MARK);
    const worker = new Miniflare({
      modules,
      compatibilityDate: "2026-04-01",
      compatibilityFlags: ["nodejs_compat"],
    });
    const url = new URL("/mcp", await worker.ready).href;
    expect(await readView(new WireClient(httpWire(url, fetch), { revision: "2026-07-28" }))).toContain(MARK);
    await worker.dispose();
  });
});
