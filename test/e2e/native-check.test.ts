import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildProject } from "@tenon/cli";
import { compile } from "@tenon/compiler";
import { afterEach, describe, expect, it } from "vitest";
import { startNativeCheck } from "../../packages/cli/src/project/native-check.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const workspace = resolve(import.meta.dirname, "../..");

const RIGHT = `import { Tool } from "@tenon/runtime";

export class Echo {
  /** Says it again. */
  @Tool()
  say(text: string): string {
    return text;
  }
}
`;
const WRONG = RIGHT.replace("return text", "return text.length");

const projects: ProjectFolder[] = [];
afterEach(() => {
  for (const each of projects.splice(0)) each.remove();
});

/** A project in which the runtime is installed, and no TypeScript. */
function project(files: Record<string, string> = {}): string {
  const made = projectFolder({ "src/echo.ts": RIGHT, ...files }, ["@tenon", "@types", "undici-types"]);
  projects.push(made);
  return made.root;
}

/** The TypeScript of this workspace, which is native. */
function installNative(root: string): void {
  symlinkSync(join(workspace, "node_modules/typescript"), join(root, "node_modules/typescript"));
}

/** The files of a package \`typescript\` whose program is this script. */
function installation(script: string, version = "7.0.0"): Record<string, string> {
  const at = "node_modules/typescript";
  return {
    [`${at}/package.json`]: JSON.stringify({ name: "typescript", version, type: "module" }),
    [`${at}/lib/getExePath.js`]: `
      import { chmodSync } from "node:fs";
      import { fileURLToPath } from "node:url";
      export default () => {
        const path = fileURLToPath(new URL("tsc", import.meta.url));
        chmodSync(path, 0o755);
        return path;
      };`,
    [`${at}/lib/tsc`]: script,
  };
}

async function foundNothing(root: string): Promise<boolean | undefined> {
  const check = await startNativeCheck(root);
  await check?.ended;
  return check?.foundNothing();
}

describe("the native compiler", () => {
  it("finds nothing where types are right, and says no where they are not", async () => {
    const [right, wrong] = [project(), project({ "src/echo.ts": WRONG })];
    installNative(right);
    installNative(wrong);
    expect(await foundNothing(right)).toBe(true);
    expect(await foundNothing(wrong)).toBe(false);
  });

  it("leaves nothing behind in a project that is built step by step", async () => {
    const root = project({
      "tsconfig.json": tsconfig({ composite: true, tsBuildInfoFile: "kept.tsbuildinfo" }),
    });
    installNative(root);
    expect(await foundNothing(root)).toBe(true);
    expect(() => readFileSync(join(root, "kept.tsbuildinfo"))).toThrow(/ENOENT/);
  });

  it.each<[string, Record<string, string>]>([
    ["no TypeScript is installed", {}],
    ["the installed one is not native", installation("#!/bin/sh\nexit 0\n", "6.0.3")],
    ["it is not released yet", installation("#!/bin/sh\nexit 0\n", "7.1.0-dev.20260101")],
    [
      "it has no program for this platform",
      { "node_modules/typescript/package.json": '{ "version": "7.0.0" }' },
    ],
    ["its package.json cannot be read", { "node_modules/typescript/package.json": "{" }],
  ])("is not started where %s", async (_, files) => {
    expect(await startNativeCheck(project(files))).toBeUndefined();
  });

  it("is not started without tsconfig.json", async () => {
    const root = project(installation("#!/bin/sh\nexit 0\n"));
    rmSync(join(root, "tsconfig.json"));
    expect(await startNativeCheck(root)).toBeUndefined();
  });

  it.each([
    ["refuses", "#!/bin/sh\nexit 1\n"],
    ["crashes", "#!/bin/sh\nkill -SEGV $$\n"],
    ["is missing what runs it", "#!/nowhere/at/all\n"],
    ["is for another machine", "\u007fELF"],
  ])("has found nothing out when it %s", async (_, script) => {
    expect((await foundNothing(project(installation(script)))) ?? false).toBe(false);
  });
});

describe("a build", () => {
  const errorsOf = async (root: string): Promise<string[]> => {
    const { compilation } = await buildProject({ root });
    return compilation.diagnostics.map(({ message }) => message);
  };

  it("asks the installed TypeScript about the types of the project, without looking at them itself", async () => {
    const script = '#!/bin/sh\necho "$@" > asked.txt\n';
    const root = project({ "src/echo.ts": WRONG, ...installation(script) });
    const { compilation, written } = await buildProject({ root });
    expect(compilation.diagnostics).toEqual([]);
    expect(written).toContain("server.js");
    expect(readFileSync(join(root, "asked.txt"), "utf8")).toContain(
      `-p ${join(root, "tsconfig.json")} --noEmit`,
    );
  });

  it("explains by itself what the installed TypeScript refuses", async () => {
    const root = project({ "src/echo.ts": WRONG });
    installNative(root);
    expect(await errorsOf(root)).toEqual(["Type 'number' is not assignable to type 'string'. (TS2322)"]);
  });

  it("relies on itself where the installed TypeScript refuses what is right", async () => {
    expect(await errorsOf(project(installation("#!/bin/sh\nexit 1\n")))).toEqual([]);
  });

  it("waits for no TypeScript that does not come to an end, and leaves none running", async () => {
    const script = "#!/bin/sh\necho $$ > pid.txt\nexec sleep 600\n";
    const root = project({ "src/echo.ts": WRONG, ...installation(script) });
    expect(await errorsOf(root)).toEqual(["Type 'number' is not assignable to type 'string'. (TS2322)"]);
    const pid = Number(readFileSync(join(root, "pid.txt"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});

describe("that types are right", () => {
  const checked = async (files: Record<string, string>): Promise<string[]> => {
    const { checked } = compile({ root: project({ "src/echo.ts": WRONG, ...files }), typeCheck: false });
    return (await checked(() => true)).map(({ code }) => code);
  };
  const configured = (settings: Record<string, unknown>): string =>
    JSON.stringify({ ...(JSON.parse(tsconfig({})) as object), ...settings });

  it("is believed", async () => {
    expect(await checked({})).toEqual([]);
  });

  it("says nothing of syntax and options, which each TypeScript judges for itself", async () => {
    expect(await checked({ "src/more.ts": "export const a = ;" })).toEqual(["typescript"]);
    expect(
      await checked({
        "tsconfig.json": tsconfig({
          ignoreDeprecations: "5.0",
          module: "esnext",
          moduleResolution: "node10",
        }),
      }),
    ).not.toEqual([]);
  });

  it("is not believed of a project that reads what others have built", async () => {
    const other = {
      "other/tsconfig.json": '{ "compilerOptions": { "composite": true } }',
      "other/a.ts": "export {};",
    };
    expect(
      await checked({ ...other, "tsconfig.json": configured({ references: [{ path: "./other" }] }) }),
    ).toEqual(["typescript"]);
  });

  it.each(["allowJs", "checkJs"])("is not believed of a project with JavaScript: %s", async (option) => {
    expect(await checked({ "tsconfig.json": tsconfig({ [option]: true }) })).toEqual(["typescript"]);
  });
});
