/** A view that is edited while `tenon dev` runs. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectFolder, projectFolder, tsconfig } from "../support/project-folder.js";
import { type DevProcess, startDev } from "./dev-process.js";

const VIEW = `
import type { ViewProps } from "@tenon/runtime/view";
import type { Weather } from "./weather.js";
export default function Forecast({ result }: ViewProps<Weather, "forecast">) {
  return <p>first {result?.celsius}</p>;
}`;

let project: ProjectFolder;
let dev: DevProcess;
beforeEach(() => {
  project = projectFolder({
    "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
    "src/weather.ts": `
      import { Tool } from "@tenon/runtime";
      export class Weather {
        /** The forecast. */
        @Tool({ readOnly: true, view: "./forecast.view.tsx" })
        forecast(city: string): { celsius: number } { return { celsius: city.length }; }
      }`,
    "src/forecast.view.tsx": VIEW,
  });
  dev = startDev(project.root, "--port", "0");
});
afterEach(async () => {
  dev.kill();
  await dev.exited;
  project.remove();
});

test("clients receive a notification for both lists, and the new view under a new URI", async () => {
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
  const capabilities = { extensions: { "io.modelcontextprotocol/ui": {} } } as object;
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const changes: string[] = [];
  client.fallbackNotificationHandler = ({ method }) => {
    changes.push(method);
    return Promise.resolve();
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const readText = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents;
    return content && "text" in content ? content.text : "";
  };
  const read = async (): Promise<{ uri: string; text: string }> => {
    const { tools } = await client.listTools();
    const ui = tools[0]?._meta?.["ui"] as { resourceUri: string } | undefined;
    const uri = ui?.resourceUri ?? "";
    return { uri, text: await readText(uri) };
  };
  const before = await read();
  expect(before.text).toContain("first");

  dev.forget();
  project.write({ "src/forecast.view.tsx": VIEW.replace("first", "second") });
  await dev.waitForOutput(/~ view forecast[^]*Reloaded in/);
  await expect
    .poll(() => [...changes].sort())
    .toEqual(["notifications/resources/list_changed", "notifications/tools/list_changed"]);
  const after = await read();
  expect(after.text).toContain("second");
  expect(after.uri).not.toBe(before.uri);
  expect(await readText(before.uri)).toContain("second");

  dev.forget();
  project.write({ "src/forecast.view.tsx": VIEW.replace("celsius", "kelvin") });
  await dev.waitForOutput(/Property 'kelvin' does not exist[^]*last working server keeps serving/);
  expect((await read()).uri).toBe(after.uri);
  await client.close();
});

test("an HTML file outside src is followed", async () => {
  const weather = `
    import { Tool } from "@tenon/runtime";
    export class Weather {
      /** The forecast. */
      @Tool({ readOnly: true, view: "../built/forecast.html" })
      forecast(city: string): { celsius: number } { return { celsius: city.length }; }
    }`;
  await dev.waitForOutput(/http:/);
  dev.forget();
  project.write({
    "built/forecast.html": "<!doctype html><title>First</title>",
    "src/weather.ts": weather,
  });
  await dev.waitForOutput(/Reloaded in/);
  dev.forget();
  project.write({ "built/forecast.html": "<!doctype html><title>Second</title>" });
  await dev.waitForOutput(/~ view built\/forecast[^]*Reloaded in/);
});
