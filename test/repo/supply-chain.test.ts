import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { evaluateAudit } from "../../.ci/audit.mjs";
import { lockedPackages, PUBLISHED, WORKSPACE } from "../../.ci/locked-packages.mjs";
import { billOfMaterials } from "../../.ci/sbom.mjs";

/** Licenses that require only attribution. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

interface PackageFile {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  bundledLibraries?: string[];
  devDependencies?: Record<string, string>;
  scripts?: { prepack?: string };
}

const read = (...path: string[]): string => readFileSync(join(WORKSPACE, ...path), "utf8");
const packageIn = (folder: string): PackageFile => JSON.parse(read(folder, "package.json")) as PackageFile;

describe.each(PUBLISHED)("%s", (folder) => {
  test("includes only packages whose licenses require no more than attribution", () => {
    const others = Array.from(lockedPackages(folder).values());
    expect(others.filter(({ license = "" }) => !ALLOWED.has(license))).toEqual([]);
  });

  test("refers to no source map, since none is packed", () => {
    const dist = join(WORKSPACE, folder, "dist");
    const modules = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.[cm]?js$/.test(path),
    );
    expect(modules.length).toBeGreaterThan(0);
    expect(
      modules.filter((path) => /^\/\/# sourceMappingURL=/m.test(readFileSync(join(dist, path), "utf8"))),
    ).toEqual([]);
  });

  test("has a bill of materials with its dependencies and theirs", () => {
    const { metadata, components, dependencies } = billOfMaterials(folder);
    const { name, version, dependencies: required = {}, bundledLibraries = [] } = packageIn(folder);
    const fullName = (given: { group?: string | undefined; name?: string | undefined }): string =>
      given.group === undefined ? String(given.name) : `${given.group}/${given.name}`;
    expect([fullName(metadata.component), metadata.component.version]).toEqual([name, version]);
    expect(components.map(fullName)).toEqual(
      expect.arrayContaining([...Object.keys(required), ...bundledLibraries]),
    );
    const refs = new Set([metadata.component, ...components].map((each) => each["bom-ref"]));
    expect(refs.size).toBe(components.length + 1);
    expect(dependencies.map(({ ref }) => ref)).toEqual([...refs]);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((each) => !refs.has(each))).toEqual([]);
    // Hashes identify the packages from other repositories.
    const ours = new Set(PUBLISHED.map((each) => packageIn(each).name));
    expect(components.filter((each) => !ours.has(fullName(each)) && !("hashes" in each))).toEqual([]);
  });

  test("lists the installed versions in its bill of materials", () => {
    for (const [path, { version, isOptional }] of lockedPackages(folder)) {
      if (!isOptional) expect([path, packageIn(path).version]).toEqual([path, version]);
    }
  });

  test("has a reproducible bill of materials without machine paths", () => {
    const text = JSON.stringify(billOfMaterials(folder));
    expect(JSON.stringify(billOfMaterials(folder))).toBe(text);
    for (const path of [WORKSPACE, homedir()]) expect(text).not.toContain(path);
    expect(text).not.toContain("file:");
  });

  test("is packed with the libraries that it contains", () => {
    const { bundledLibraries = [], devDependencies = {}, scripts } = packageIn(folder);
    for (const library of bundledLibraries) expect(devDependencies).toHaveProperty([library]);
    if (bundledLibraries.length > 0) expect(scripts?.prepack).toContain("node scripts/bundle-mcp-client.js");
  });

  test("is packed with its bill of materials", () => {
    expect(packageIn(folder).scripts?.prepack).toContain("node ../../.ci/sbom.mjs .");
  });
});

test("the runtime's bill of materials has one package", () => {
  expect(billOfMaterials("packages/runtime").components).toMatchObject([{ name: "reflect-metadata" }]);
});

test("the command line's bill of materials includes development tools", () => {
  const names = billOfMaterials("packages/cli").components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["ajv", "fast-uri", "commander", "esbuild", "linux-x64", "win32-x64"]),
  );
  expect(names).not.toContain("vitest");
});

interface Locked {
  packages: Record<
    string,
    { engines?: { node?: string }; hasInstallScript?: boolean; optional?: boolean; link?: boolean }
  >;
}
const lockIn = (folder: string): Locked["packages"] =>
  (JSON.parse(read(folder, "package-lock.json")) as Locked).packages;

/** Folders with their own lock file, installed only when needed. */
const APART = ["test/third-party", "packages/docs", ".ci"];

/** Engine constraints that would make `npm ci` print warnings. */
test.each([".", ...APART])(
  "all packages locked in %s support the oldest Node that Tenon supports",
  (folder) => {
    const packages = lockIn(folder);
    const minVersion = (range: string): number => Number(/\d+/.exec(range)?.[0] ?? 0);
    const newer = Object.entries(packages).filter(([, { engines }]) =>
      (engines?.node ?? "").split("||").every((range) => minVersion(range) > 20),
    );
    expect(newer.map(([path]) => path)).toEqual([]);
  },
);

/** Duration of a newcomer's first install: packages that only longer test groups need belong in `test/third-party`. */
describe("a first npm ci", () => {
  const packages = Object.entries(lockIn(".")).filter(([path]) => path.includes("node_modules/"));

  test("installs few packages", () => {
    const everywhere = packages.filter(([, { optional, link }]) => optional !== true && link !== true);
    expect(everywhere.length).toBeLessThanOrEqual(345);
  });

  test("ends without a warning about install scripts, none of which is needed", () => {
    const { allowScripts } = JSON.parse(read("package.json")) as { allowScripts: Record<string, boolean> };
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.split("node_modules/").at(-1) ?? path);
    expect(Object.values(allowScripts)).not.toContain(true);
    expect(names.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
  });

  test.each(APART)("installs none of the packages that %s installs", (folder) => {
    const { devDependencies = {} } = packageIn(folder);
    expect(Object.keys(devDependencies)).not.toEqual([]);
    const names = new Set(packages.map(([path]) => path.split("node_modules/").at(-1)));
    expect(Object.keys(devDependencies).filter((name) => names.has(name))).toEqual([]);
  });
});

test("npm create waits for few packages before its first prompt", () => {
  const packages = Array.from(lockedPackages("packages/create-mcp-server").values(), ({ name }) => name);
  expect(packages.length, packages.join(", ")).toBeLessThanOrEqual(12);
});

/** npm shows the README as the package's page. */
test.each(PUBLISHED)("%s has its own README, packed with it", (folder) => {
  const page = read(folder, "README.md");
  const { name } = packageIn(folder);
  expect(page.startsWith(`# ${name}\n`)).toBe(true);
  // Links to the documentation are resolved against the repository; other files have to be in the package.
  const links = [...page.matchAll(/\]\((?!https:|#|\.\.\/docs\/)([^)#]+)/g)].map(([, path = ""]) => path);
  for (const path of links) expect(existsSync(join(WORKSPACE, folder, path)), path).toBe(true);
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", `./${folder}`], {
    cwd: WORKSPACE,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(["README.md", ...links]));
});

describe("an audit", () => {
  const report = (total: number, vulnerabilities = {}): string =>
    JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: { total } } });

  test("passes without findings", () => {
    expect(evaluateAudit(report(0)).outcome).toBe("clean");
  });

  test("fails with a finding, and names it", () => {
    const found = { ajv: { severity: "low", range: "<9" } };
    expect(evaluateAudit(report(1, found))).toEqual({
      outcome: "vulnerable",
      message: "Known vulnerabilities:\n  low: ajv <9",
    });
  });

  test.each(["", "<html>", "null", '{"message":"405 Method Not Allowed","error":{}}'])(
    "is inconclusive if the registry responds with %j",
    (text) => {
      expect(evaluateAudit(text).outcome).toBe("unknown");
    },
  );
});
