/** Views are part of every package, and are loaded when a client reads them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tsconfig } from "../../support/project-folder.js";
import type { WireClient } from "../../support/wire-client.js";
import { packageProject, type PackagedProject } from "./packaged-project.js";

const URI = "ui://weather/forecast.00000000.html";
/** A text that only the view contains. */
const MARK = "The view of the forecast";

let project: PackagedProject;
beforeAll(async () => {
  project = await packageProject("weather", {
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
});
afterAll(() => project.remove());

async function readView(client: WireClient): Promise<string> {
  const { contents } = await client.result("resources/read", { uri: URI });
  return JSON.stringify(contents);
}

describe("a view in", () => {
  test.each(["single-file/weather.mjs", "npx/dist/server.js"])("package/%s can be read", async (file) => {
    expect(await project.fromFile(file, readView)).toContain(MARK);
  });

  test("an MCP Bundle can be read", async () => {
    expect(await project.fromBundle(readView)).toContain(MARK);
  });

  test("a worker can be read, and is not part of the module that starts it", async () => {
    expect(project.workerModules).toEqual(["view-forecast.js", "worker.js"]);
    expect(project.readWorkerModule("worker.js")).not.toContain(MARK);
    expect(await project.fromWorker(readView)).toContain(MARK);
  });
});
