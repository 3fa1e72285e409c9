import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judge } from "../../.ci/audit.mjs";
import { lockedPackages, PUBLISHED, WORKSPACE } from "../../.ci/locked-packages.mjs";
import { billOfMaterials } from "../../.ci/sbom.mjs";

/** Licences that ask for nothing but to be named. */
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
  devDependencies?: Record<string, string>;
  scripts?: { prepack?: string };
}

const read = (...path: string[]): string => readFileSync(join(WORKSPACE, ...path), "utf8");
const packageIn = (folder: string): PackageFile => JSON.parse(read(folder, "package.json")) as PackageFile;

describe.each(PUBLISHED)("%s", (folder) => {
  test("brings nothing along whose licence asks for more than to be named", () => {
    const others = Array.from(lockedPackages(folder).values());
    expect(others.filter(({ license = "" }) => !ALLOWED.has(license))).toEqual([]);
  });

  test("has no module that points to a source map, since none is packed", () => {
    const dist = join(WORKSPACE, folder, "dist");
    const modules = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.[cm]?js$/.test(path),
    );
    expect(modules.length).toBeGreaterThan(0);
    expect(
      modules.filter((path) => /^\/\/# sourceMappingURL=/m.test(readFileSync(join(dist, path), "utf8"))),
    ).toEqual([]);
  });

  test("has a bill of materials that names what it needs, and what that needs", () => {
    const { metadata, components, dependencies } = billOfMaterials(folder);
    const { name, version, dependencies: needed = {} } = packageIn(folder);
    const fullName = (given: { group?: string | undefined; name?: string | undefined }): string =>
      given.group === undefined ? String(given.name) : `${given.group}/${given.name}`;
    expect([fullName(metadata.component), metadata.component.version]).toEqual([name, version]);
    expect(components.map(fullName)).toEqual(expect.arrayContaining(Object.keys(needed)));
    const refs = new Set([metadata.component, ...components].map((each) => each["bom-ref"]));
    expect(refs.size).toBe(components.length + 1);
    expect(dependencies.map(({ ref }) => ref)).toEqual([...refs]);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((each) => !refs.has(each))).toEqual([]);
    // What is not of this repository can be told from a forgery.
    const ours = new Set(PUBLISHED.map((each) => packageIn(each).name));
    expect(components.filter((each) => !ours.has(fullName(each)) && !("hashes" in each))).toEqual([]);
  });

  test("has the versions in it that are installed", () => {
    for (const [place, { version, isOptional }] of lockedPackages(folder)) {
      if (!isOptional) expect([place, packageIn(place).version]).toEqual([place, version]);
    }
  });

  test("has a bill that says nothing of this machine, and is the same each time", () => {
    const text = JSON.stringify(billOfMaterials(folder));
    expect(JSON.stringify(billOfMaterials(folder))).toBe(text);
    for (const place of [WORKSPACE, homedir()]) expect(text).not.toContain(place);
    expect(text).not.toContain("file:");
  });

  test("is packed with it", () => {
    expect(packageIn(folder).scripts?.prepack).toContain("node ../../.ci/sbom.mjs .");
  });
});

test("the bill of the runtime has one package in it", () => {
  expect(billOfMaterials("packages/runtime").components).toMatchObject([{ name: "reflect-metadata" }]);
});

test("the bill of the command line has what tools of development need as well", () => {
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

/** What is installed when something needs it, each with a lock file of its own. */
const APART = ["test/third-party", "packages/docs", ".ci"];

/** What `npm ci` would begin with a warning about. */
test.each([".", ...APART])("all that %s locks runs on the oldest Node that Tenon supports", (folder) => {
  const packages = lockIn(folder);
  const least = (range: string): number => Number(/\d+/.exec(range)?.[0] ?? 0);
  const newer = Object.entries(packages).filter(([, { engines }]) =>
    (engines?.node ?? "").split("||").every((range) => least(range) > 20),
  );
  expect(newer.map(([path]) => path)).toEqual([]);
});

/** What a stranger waits for; what only a longer group of tests needs belongs into `test/third-party`. */
describe("a first npm ci", () => {
  const packages = Object.entries(lockIn(".")).filter(([path]) => path.includes("node_modules/"));

  test("installs few packages", () => {
    const everywhere = packages.filter(([, { optional, link }]) => optional !== true && link !== true);
    expect(everywhere.length).toBeLessThanOrEqual(345);
  });

  test("ends without a warning of install scripts: each is refused, since none is needed", () => {
    const { allowScripts } = JSON.parse(read("package.json")) as { allowScripts: Record<string, boolean> };
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.split("node_modules/").at(-1) ?? path);
    expect(Object.values(allowScripts)).not.toContain(true);
    expect(names.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
  });

  test.each(APART)("installs none of those that %s asks for", (folder) => {
    const { devDependencies = {} } = packageIn(folder);
    expect(Object.keys(devDependencies)).not.toEqual([]);
    const names = new Set(packages.map(([path]) => path.split("node_modules/").at(-1)));
    expect(Object.keys(devDependencies).filter((name) => names.has(name))).toEqual([]);
  });
});

test("npm create waits for few packages before its first question", () => {
  const packages = Array.from(lockedPackages("packages/create-mcp-server").values(), ({ name }) => name);
  expect(packages.length, packages.join(", ")).toBeLessThanOrEqual(12);
});

/** npm shows it, and it must tell a stranger what the package is for. */
test.each(PUBLISHED)("%s has a page of its own, packed with it", (folder) => {
  const page = read(folder, "README.md");
  const { name } = packageIn(folder);
  expect(page.startsWith(`# ${name}\n`)).toBe(true);
  // What it links to is in the package or on the web: a file beside it, or an address.
  const links = [...page.matchAll(/\]\((?!https:|#)([^)#]+)/g)].map(([, path = ""]) => path);
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

  test("without findings is clean", () => {
    expect(judge(report(0)).outcome).toBe("clean");
  });

  test("with a finding fails, and names it", () => {
    const found = { ajv: { severity: "low", range: "<9" } };
    expect(judge(report(1, found))).toEqual({
      outcome: "vulnerable",
      message: "Known vulnerabilities:\n  low: ajv <9",
    });
  });

  test.each(["", "<html>", "null", '{"message":"405 Method Not Allowed","error":{}}'])(
    "that the registry answers with %j says nothing",
    (text) => {
      expect(judge(text).outcome).toBe("unknown");
    },
  );
});
