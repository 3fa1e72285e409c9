/** Servers that never start, because a top-level `await` never ends. */
import { join } from "node:path";
import { appendFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { startDev, type DevProcess } from "./dev-process.js";

const GREETER = `import { Tool } from "@tenon/runtime";
export class Greeter {
  /** Greet. */
  @Tool()
  greet(name: string): string {
    return \`Hello, \${name}!\`;
  }
}
`;
const ENDLESS = `console.error("Waiting.");
await new Promise(() => setInterval(() => {}, 1000));
`;

let project: ProjectFolder;
let dev: DevProcess;

afterEach(async () => {
  dev.kill();
  await dev.exited;
  project.remove();
});

it("an edit ends a server that never starts", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER });
  const file = join(project.root, "src/greeter.ts");
  dev = startDev(project.root, "--port", "0");
  await dev.waitForOutput(/ready in/);
  appendFileSync(file, ENDLESS);
  await dev.waitForOutput(/Waiting\./);
  dev.forget();
  writeFileSync(file, GREETER.replace("Greet.", "Greets."));
  await dev.waitForOutput(/"Greet\." → "Greets\."/);
  expect(dev.log()).not.toContain("error");
});

it("an edit during the first start ends a server that hangs", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER + ENDLESS });
  dev = startDev(project.root, "--port", "0");
  await dev.waitForOutput(/Waiting\./);
  writeFileSync(join(project.root, "src/greeter.ts"), GREETER);
  await dev.waitForOutput(/1 tool/);
});

it("SIGTERM ends `tenon dev` while its server hangs at start", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER + ENDLESS });
  dev = startDev(project.root, "--port", "0");
  await dev.waitForOutput(/Waiting\./);
  await dev.waitForOutput(/The server has not started after 5 s\./);
  dev.signal("SIGTERM");
  expect(await dev.exited).toBe(0);
});

it("the end of stdin ends `tenon dev --stdio` while its server hangs at start", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER + ENDLESS });
  dev = startDev(project.root, "--stdio");
  await dev.waitForOutput(/Waiting\./);
  dev.input.end();
  expect(await dev.exited).toBe(0);
});
