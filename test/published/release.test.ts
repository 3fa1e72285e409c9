/** `npm run release` in a copy of this repository, with its own registry, and the content of the packages. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PUBLISHED } from "../../.ci/locked-packages.mjs";
import { type LocalRegistry, run, startEmptyRegistry } from "../e2e/local-registry.js";
import {
  checkPackage,
  createPackageFromTarballData,
  formatMessage,
  publint,
} from "../third-party/package-checks.js";

const repository = resolve(import.meta.dirname, "../..");

interface PackageFile {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

let folder: string;
let copy: string;
let registry: LocalRegistry;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-release-"));
  registry = await startEmptyRegistry(join(folder, "registry"));
  copy = join(folder, "copy");
  copyRepository(copy);
  git("init", "--quiet", "--initial-branch", "main");
  commitAll("Everything");
});
afterAll(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

function environment(): NodeJS.ProcessEnv {
  const author = { NAME: "Ada", EMAIL: "ada@example.com" };
  const git = Object.entries(author).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  return { ...registry.env, ...Object.fromEntries(git), npm_config_registry: registry.url };
}

/** Copies the files of the repository that are not ignored, and links its installed packages. */
function copyRepository(target: string): void {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  for (const path of stdout.split("\0").filter((each) => each !== "")) {
    cpSync(join(repository, path), join(target, path), { verbatimSymlinks: true, force: true });
  }
  for (const folder of [".", ".ci", ...PUBLISHED])
    linkModules(join(repository, folder), join(target, folder));
}

function linkModules(from: string, to: string): void {
  if (!existsSync(join(from, "node_modules"))) return;
  mkdirSync(join(to, "node_modules"));
  for (const name of readdirSync(join(from, "node_modules"))) {
    const [source, target] = [join(from, "node_modules", name), join(to, "node_modules", name)];
    // The workspace's own packages are links to folders, which must be those of the copy.
    const isOurs = name === "@tenon" || name === "@tenon-examples" || name === "create-mcp-server";
    if (isOurs) cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(source, target);
  }
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: copy,
    env: environment(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

function commitAll(subject: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

const release = (env: NodeJS.ProcessEnv = {}): ReturnType<typeof run> =>
  run("npm", ["run", "release"], copy, { ...environment(), ...env });

const listPublished = async (name: string): Promise<string[]> => {
  const { stdout } = await run("npm", ["view", name, "versions", "--json"], copy, environment());
  return [JSON.parse(stdout)].flat() as string[];
};

const packageIn = (path: string): PackageFile =>
  JSON.parse(readFileSync(join(copy, path, "package.json"), "utf8")) as PackageFile;

describe("npm run release", () => {
  test("publishes unpublished packages as they are", async () => {
    const { version } = packageIn("packages/runtime");
    await release();
    for (const path of PUBLISHED) expect(await listPublished(packageIn(path).name)).toEqual([version]);
    expect(git("tag", "--list").split("\n")).toContain(`create-mcp-server@${version}`);
  });

  test("gives all packages the next version, with their changes", async () => {
    const before = packageIn("packages/runtime").version;
    writeFileSync(
      join(copy, ".changeset/brave-tools-sing.md"),
      '---\n"@tenon/compiler": minor\n---\n\nDerive schemas of songs.\n',
    );
    commitAll("Derive schemas of songs");
    await release({ GITHUB_SERVER_URL: "https://example.com", GITHUB_REPOSITORY: "ada/tenon" });
    const next = before.replace(/\.(\d+)\.\d+$/, (_, minor: string) => `.${Number(minor) + 1}.0`);
    for (const path of PUBLISHED) {
      const { name, version, dependencies = {} } = packageIn(path);
      expect([name, version]).toEqual([name, next]);
      expect(await listPublished(name)).toEqual([before, next]);
      for (const each of PUBLISHED.map((folder) => packageIn(folder).name))
        expect(dependencies[each] ?? next, `${name} needs ${each}`).toBe(next);
      const { stdout } = await run(
        "npm",
        ["view", `${name}@${next}`, "repository", "--json"],
        copy,
        environment(),
      );
      expect(JSON.parse(stdout)).toMatchObject({
        url: "git+https://example.com/ada/tenon.git",
        directory: path,
      });
    }
    expect(readFileSync(join(copy, "packages/compiler/CHANGELOG.md"), "utf8")).toContain(
      "Derive schemas of songs.",
    );
    expect(packageIn("examples/weather").dependencies?.["@tenon/runtime"]).toBe(next);
    expect(git("log", "-1", "--format=%s")).toBe(`Release ${next}`);
    expect(git("status", "--porcelain")).toBe("");
    // The locked versions are the published ones.
    await run("npm", ["ci", "--dry-run", "--ignore-scripts"], copy, environment());
  });

  test("publishes nothing twice", async () => {
    const { stderr } = await release();
    expect(stderr).toContain("No unpublished projects to publish");
    expect(await listPublished("create-mcp-server")).toHaveLength(2);
  });

  test("rejects uncommitted changes", async () => {
    writeFileSync(join(copy, "loose.txt"), "");
    await expect(release()).rejects.toThrow("Not released: commit or stash your changes first.");
    rmSync(join(copy, "loose.txt"));
  });
});

describe.each(PUBLISHED)("%s, packed", (path) => {
  let tarball: string;
  let files: string[];
  beforeAll(async () => {
    const { stdout } = await run(
      "npm",
      ["pack", "--json", "--pack-destination", folder],
      join(copy, path),
      environment(),
    );
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [
      { filename: string; files: { path: string }[] },
    ];
    tarball = join(folder, packed.filename.replace("@", "").replace("/", "-"));
    files = packed.files.map((file) => file.path);
  });

  test("contains its license, README, changelog, and bill of materials", () => {
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "dist/sbom.cdx.json", "package.json"]),
    );
    expect(readFileSync(join(repository, path, "LICENSE"), "utf8")).toBe(
      readFileSync(join(repository, "LICENSE"), "utf8"),
    );
  });

  test("satisfies publint", async () => {
    const data = readFileSync(tarball);
    const tarballData = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    const { messages, pkg } = await publint({
      pack: { tarball: tarballData },
      level: "suggestion",
    });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  // The others are programs.
  const isImported =
    "exports" in (JSON.parse(readFileSync(join(repository, path, "package.json"), "utf8")) as object);
  test.runIf(isImported)("has types for every module resolution", async () => {
    const { problems } = (await checkPackage(createPackageFromTarballData(readFileSync(tarball)))) as {
      problems?: { kind: string; resolutionKind?: string; entrypoint?: string }[];
    };
    // Tenon consists of ES modules. Newer versions of Node can `require` these, and the oldest resolution of TypeScript
    // ignores `exports`.
    const expected = new Set(["node10", "node16-cjs"]);
    expect((problems ?? []).filter(({ resolutionKind = "" }) => !expected.has(resolutionKind))).toEqual([]);
  });
});
