/** Sources that change after `tenon dev` has compiled them, and before it bundles them. */
import { execFileSync } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const GREETER = `import { Tool } from "@tenon/runtime";
import { greeting } from "./greeting.js";
export class Greeter {
  /** Greets a guest. */
  @Tool({ readOnly: true, openWorld: false })
  greet(name: string): string {
    return greeting + name;
  }
}
`;

let project: ProjectFolder;
let dev: DevProcess | undefined;

afterEach(async () => {
  dev?.kill();
  await dev?.exited;
  project.remove();
});

/** Opens a pipe for writing when the bundler reads it, which then waits for its end. */
async function whenRead(pipe: string): Promise<WriteStream> {
  const stream = createWriteStream(pipe);
  await new Promise((resolve, reject) => stream.once("open", resolve).once("error", reject));
  return stream;
}

it.skipIf(process.platform === "win32")(
  "only the next build reports the problems of an edit during the first build",
  async () => {
    project = projectFolder({
      "src/greeter.ts": GREETER,
      "src/greeting.d.ts": "export declare const greeting: string;\n",
      "src/word.ts": 'export const word = "Hello";\n',
    });
    const pipe = join(project.root, "src/greeting.js");
    execFileSync("mkfifo", [pipe]);
    dev = startDev(project.root, "--port", "0");
    const stream = await whenRead(pipe);
    project.write({ "src/word.ts": "export const word = ;\n" });
    // The bundler reads a module with its location only once.
    stream.end('import { word } from "./word.js";\nexport const greeting = word + import.meta.url;\n');
    await dev.waitForOutput(/TS1109[^]*Nothing is served until/);
    expect(dev.log()).not.toContain("cannot be bundled");
    expect(dev.log().match(/Nothing is served until/g)).toHaveLength(1);
  },
);
