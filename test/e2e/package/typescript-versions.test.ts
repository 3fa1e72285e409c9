import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { compile, writeFileTree } from "@tenon/compiler";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const workspace = resolve(import.meta.dirname, "../../..");
const VERSIONS = {
  "TypeScript 5.9": "test/third-party/node_modules/typescript-5",
  "TypeScript 6": "test/third-party/node_modules/typescript-6",
  "TypeScript 7": "node_modules/typescript",
};
type Version = keyof typeof VERSIONS;

const SOURCE = `import { Tool, ToolError, type Context } from "@tenon/runtime";

interface Place {
  city: string;
  country?: string;
}

export class Weather {
  /** Returns the weather. */
  @Tool({ readOnly: true })
  async current(place: Place, ctx: Context): Promise<{ celsius: number }> {
    if (place.city === "") throw new ToolError("Name a city.");
    ctx.log("info", place.country ?? "");
    return { celsius: 20 };
  }
}
`;

const ESM = { module: "nodenext", target: "es2022" };

interface Row {
  options: Record<string, unknown>;
  /** The versions that reject it, and `tenon build` with them. */
  rejectedBy?: Version[];
}

const TABLE: Record<string, Row> = {
  "only the module format": { options: { module: "nodenext" } },
  "the options of a new project": {
    options: {
      ...ESM,
      lib: ["es2023"],
      types: ["node"],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      noEmit: true,
    },
  },
  "no types of Node, and declarations that are checked": {
    options: { ...ESM, types: [], skipLibCheck: false },
  },
  "the types of Node, and declarations that are checked": {
    options: { ...ESM, types: ["node"], skipLibCheck: false },
  },
  "only the types of the DOM": {
    options: { ...ESM, types: [], lib: ["es2022", "dom"], skipLibCheck: false },
  },
  strict: { options: { ...ESM, strict: true } },
  "not strict": { options: { ...ESM, strict: false } },
  "exact optional properties": { options: { ...ESM, strict: true, exactOptionalPropertyTypes: true } },
  "legacy decorators": { options: { ...ESM, experimentalDecorators: true } },
  "legacy decorators with metadata": {
    options: { ...ESM, experimentalDecorators: true, emitDecoratorMetadata: true },
  },
  "a bundler's resolution": { options: { module: "esnext", moduleResolution: "bundler", target: "es2022" } },
  "preserved modules": { options: { module: "preserve", target: "es2022" } },
  node16: { options: { module: "node16", target: "es2022" } },
  node20: { options: { module: "node20", target: "es2022" } },
  "isolated modules": { options: { ...ESM, isolatedModules: true, verbatimModuleSyntax: true } },
  "erasable syntax": { options: { ...ESM, erasableSyntaxOnly: true } },
  "imports with extensions of TypeScript": {
    options: { ...ESM, allowImportingTsExtensions: true, noEmit: true },
  },
  "rewritten imports": { options: { ...ESM, rewriteRelativeImportExtensions: true } },
  "a composite project": { options: { ...ESM, composite: true, declaration: true, outDir: "out" } },
  "an output folder": { options: { ...ESM, outDir: "dist", rootDir: "src", sourceMap: true } },
  "no unused code": { options: { ...ESM, noUnusedLocals: true, noUnusedParameters: true } },
  "the newest target": {
    options: { module: "nodenext", target: "esnext", lib: ["esnext"], types: ["node"] },
  },
  "options of TypeScript 7": {
    options: { ...ESM, checkers: 2, singleThreaded: true, deduplicatePackages: true, quiet: true },
    rejectedBy: ["TypeScript 5.9", "TypeScript 6"],
  },
  "a misspelled option": {
    options: { ...ESM, stirct: true },
    rejectedBy: ["TypeScript 5.9", "TypeScript 6", "TypeScript 7"],
  },
};

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-typescript-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function createProject(name: string, version: Version, options: object): string {
  const root = join(folder, name);
  writeFileTree(
    new Map([
      ["package.json", '{ "name": "table", "version": "1.0.0", "type": "module" }'],
      ["tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["src"] })],
      ["src/weather.ts", SOURCE],
    ]),
    root,
  );
  const links = {
    typescript: VERSIONS[version],
    "@tenon/runtime": "packages/runtime",
    "@types/node": "node_modules/@types/node",
  };
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, "node_modules", link)), { recursive: true });
    symlinkSync(join(workspace, target), join(root, "node_modules", link));
  }
  return root;
}

describe.each(Object.keys(VERSIONS) as Version[])("tenon build and %s agree about", (version) => {
  test.each(Object.entries(TABLE))("%s", (name, { options, rejectedBy = [] }) => {
    const root = createProject(`${version}-${name}`.replaceAll(/\W+/g, "-"), version, options);
    const tsc = spawnSync(
      process.execPath,
      [join(workspace, VERSIONS[version], "bin/tsc"), "-p", root, "--noEmit"],
      { encoding: "utf8" },
    );
    const isRejected = rejectedBy.includes(version);
    expect({ isRejected: tsc.status !== 0, output: isRejected ? "" : tsc.stdout }).toEqual({
      isRejected,
      output: "",
    });
    const { diagnostics, manifest } = compile({ root });
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    expect(errors.length > 0, errors.join("\n")).toBe(isRejected);
    if (!isRejected) {
      expect(manifest?.tools[0]?.definition.inputSchema).toMatchObject({ required: ["city"] });
    }
  });
});
