import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, expect, it } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { npmEnvironment } from "../local-registry.js";
import { INSTALLED, NATIVE, WEATHER } from "./sources.js";
import { callText, ERAS, startClient } from "./started-server.js";

let project: ProjectFolder;
const folders: string[] = [];
afterEach(() => {
  project.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const SETTINGS = {
  name: "@ada/weather",
  version: "1.2.3",
  type: "module",
  private: true,
  license: "MIT",
  scripts: { build: "tenon build" },
  devDependencies: { "@tenon/cli": "^0.1.0" },
};

it("tenon package --npx creates a package that installs by itself and runs by its name", async () => {
  project = projectFolder({
    ...WEATHER,
    "package.json": JSON.stringify({ ...SETTINGS, files: ["dist", "data", "src/*.json"] }),
    "data/mark.txt": "!",
    "README.md": "# Weather\n",
    "src/mark.ts": `import { readFileSync } from "node:fs";
import { Tool } from "@tenon/runtime";
export class Mark {
  /** Reads a file. */
  @Tool() mark(): string { return readFileSync(new URL("../data/mark.txt", import.meta.url), "utf8"); }
}`,
  });
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--npx"], terminal)).toBe(0);
  const shown = terminal
    .stdout()
    .replaceAll(/in \d+\.\d s/g, "in 0.0 s")
    .replaceAll(/\d+ more files/g, "N more files")
    .replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");
  expect(shown).toMatchInlineSnapshot(`
    "✓ @ada/weather 1.2.3: 2 tools, 1 prompt, and 1 resource template in 0.0 s

    --npx
      package/npx/package.json  0.0 kB
      package/npx/README.md  0.0 kB
      package/npx/data/mark.txt  0.0 kB
      … N more files  0.0 kB
      \`files\` in package.json contains src/*.json, which is ignored. Name a file or folder of the
        project.

      npx --yes ./package/npx --version           tries it
      npm publish ./package/npx --access public   publishes it
      npx --yes @ada/weather                      starts the published server
    "
  `);
  const packed = join(project.root, "package/npx");
  expect(JSON.parse(readFileSync(join(packed, "package.json"), "utf8"))).toMatchInlineSnapshot(`
    {
      "bin": {
        "weather": "dist/server.js",
      },
      "engines": {
        "node": ">=20.19",
      },
      "files": [
        "dist",
        "data",
      ],
      "license": "MIT",
      "name": "@ada/weather",
      "type": "module",
      "version": "1.2.3",
    }
  `);

  const cwd = mkdtempSync(join(tmpdir(), "tenon-installed-"));
  folders.push(cwd);
  writeFileSync(join(cwd, "package.json"), "{}");
  const npm = (...args: string[]): string =>
    execFileSync("npm", args, { cwd, env: npmEnvironment(), encoding: "utf8" });
  const archive = npm("pack", "--silent", packed).trim();
  npm("install", "--offline", "--no-audit", "--no-fund", "--silent", archive);
  expect(readdirSync(join(cwd, "node_modules"))).toEqual([".bin", ".package-lock.json", "@ada"]);
  expect(readdirSync(join(cwd, "node_modules/@ada/weather")).sort()).toEqual([
    "README.md",
    "data",
    "dist",
    "package.json",
  ]);
  for (const era of ERAS) {
    const client = await startClient({ command: join(cwd, "node_modules/.bin/weather"), args: [], cwd }, era);
    expect(await callText(client, "current", { city: "Oslo" })).toContain("Oslo");
    expect(await callText(client, "mark")).toBe("!");
    await client.close();
  }
});

it("tenon package --npx lets npm install packages that cannot be bundled, in the project's versions", async () => {
  project = projectFolder(
    {
      ...NATIVE,
      "package.json": JSON.stringify({ ...SETTINGS, dependencies: { "native-thing": "~2.0.0" } }),
    },
    INSTALLED,
  );
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--npx"], terminal)).toBe(0);
  expect(terminal.stdout()).toContain("  npm also installs native-thing.\n");
  const { dependencies } = JSON.parse(
    readFileSync(join(project.root, "package/npx/package.json"), "utf8"),
  ) as {
    dependencies: unknown;
  };
  expect(dependencies).toEqual({ "native-thing": "~2.0.0" });
});

it.each([
  [
    { ...SETTINGS, name: "Weather" },
    "error  npm rejects the package name `Weather`: name can no longer contain capital letters.\n" +
      'hint   Change "name" in package.json, for example to "weather".\n',
  ],
  [
    { ...SETTINGS, version: "1.02.0" },
    'error  The version "1.02.0" in package.json is not valid for npm.\n' +
      'hint   Use three numbers, such as "version": "1.0.0".\n',
  ],
  [
    { ...SETTINGS, version: "1" },
    'error  The version "1" in package.json is not valid for npm.\n' +
      'hint   Use three numbers, such as "version": "1.0.0".\n',
  ],
])("tenon package --npx reports settings that npm would reject: case %#", async (settings, message) => {
  project = projectFolder({ ...WEATHER, "package.json": JSON.stringify(settings) });
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--npx"], terminal)).toBe(1);
  expect(terminal.stderr()).toBe(message);
  expect(readdirSync(project.root)).not.toContain("package");
});

it("tenon package --npx reports files outside the package", async () => {
  project = projectFolder({
    "server/package.json": JSON.stringify({ ...SETTINGS, files: ["dist", "data"] }),
    "server/README.md": "# Weather\n",
    "server/tsconfig.json": tsconfig({ paths: { beside: ["../beside/src/index.ts"] } }),
    "server/names.txt": "Ada",
    "server/data/marks.txt": "!",
    "server/src/mark.ts": `import { mark } from "beside";
import { Tool } from "@tenon/runtime";
export const files = ["../names.txt", new URL("../data/marks.txt", import.meta.url)].map((each) => new URL(each, import.meta.url));
export const names = new URL("../names.txt", import.meta.url);
export const settings = new URL("../package.json", import.meta.url);
export class Mark {
  /** Reads a file. */
  @Tool() mark(): string { return mark; }
}`,
    "beside/package.json": JSON.stringify({ name: "@ada/beside", type: "module" }),
    "beside/src/index.ts": `import { readFileSync } from "node:fs";
export const mark: string = readFileSync(new URL("../mark.txt", import.meta.url), "utf8");`,
    "beside/mark.txt": "!",
  });
  const terminal = recordingTerminal(join(project.root, "server"));
  expect(await run(["package", "--npx"], terminal)).toBe(0);
  expect(terminal.stdout().replaceAll(/\s+/g, " ")).toContain(
    "Not included: names.txt, which src/mark.ts reads. Add it to `files` in package.json. " +
      "Not included: ../beside/mark.txt (@ada/beside), which the server reads. Import its content instead.",
  );
});
