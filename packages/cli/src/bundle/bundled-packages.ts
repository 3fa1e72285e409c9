import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { build, transform, type BuildFailure, type Metafile, type Plugin } from "esbuild";
import { conditionsFor, OUTPUT } from "./output.js";
import { type PackageImport, packageName, packageOf } from "./package-of.js";

/** What becomes of the npm packages that a server imports. */
export interface PackageChoice {
  /** Names of those that can be bundled, and of all that these import. */
  bundled: ReadonlySet<string>;
  /** Why others cannot be, by name. */
  reasons: ReadonlyMap<string, string>;
}

/** What can only work where a package is installed. */
const NEEDS_ITS_PLACE: [RegExp, reason: string][] = [
  [
    /\b__(?:dirname|filename)\b|\bimport\.meta\b|\brequire\.(?:resolve|main|cache)\b|\bcreateRequire\b/,
    "finds files by its own place",
  ],
  [/\bnew Worker\(/, "starts threads from its own files"],
  [/\b(?:require|import)\((?!\s*["'])/, "loads modules whose names only the running program knows"],
];

/** The bundler does not understand what it is made of. */
export const CANNOT_BE_BUNDLED = "cannot be bundled";

/** What runs on one kind of machine alone. */
export const NATIVE_CODE = "has native code";

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/**
 * Finds out which packages work as well inside one file as where they are installed. In doubt a package is left where it
 * is, and with it all that it imports or that imports it: of each package there is one copy.
 *
 * @param imports what the server imports, such as `zod` and `date-fns/format`
 * @param root the project folder, absolute
 */
export async function choosePackages(
  imports: readonly PackageImport[],
  root: string,
): Promise<PackageChoice> {
  const reasons = new Map<string, string>();
  const metafile = await tryToBundle(imports, root, reasons);
  if (!metafile) return { bundled: new Set(), reasons };
  const names = new Set<string>();
  const needs: [name: string, other: string][] = [];
  const nameOf = (path: string): string | undefined => packageOf(resolve(root, path))?.name;
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    const name = path.startsWith("<") ? undefined : nameOf(path);
    if (name === undefined) continue;
    names.add(name);
    const reason = reasons.get(name) ?? (await reasonAgainst(resolve(root, path)));
    if (reason !== undefined) reasons.set(name, reason);
    for (const { path: imported, external } of imports) {
      if (external && isBuiltin(imported)) continue;
      const other = external ? packageName(imported) : nameOf(imported);
      if (other !== undefined && other !== name) needs.push([name, other]);
    }
  }
  for (let before = -1; before < reasons.size;) {
    before = reasons.size;
    for (const [name, other] of needs) {
      if (reasons.has(other) && !reasons.has(name)) reasons.set(name, `needs ${other}`);
      if (reasons.has(name) && !reasons.has(other)) reasons.set(other, `is needed by ${name}`);
    }
  }
  if (reasons.size > 0 && names.has(POLYFILL) && !reasons.has(POLYFILL))
    reasons.set(POLYFILL, "has to be loaded before the others");
  return { bundled: new Set([...names].filter((name) => !reasons.has(name))), reasons };
}

/** Others look for what it adds when they are loaded, and what is outside a bundle is loaded before what is in it. */
const POLYFILL = "reflect-metadata";

/** Bundles the packages alone, and notes those on which the bundler fails. */
async function tryToBundle(
  imports: readonly PackageImport[],
  root: string,
  reasons: Map<string, string>,
): Promise<Metafile | undefined> {
  const lines = imports.map(
    (_, index) => `import * as m${index} from "${IMPORT}${index}"; export { m${index} };`,
  );
  for (let before = -1; before < reasons.size;) {
    before = reasons.size;
    try {
      const { metafile } = await build({
        ...OUTPUT,
        absWorkingDir: root,
        stdin: { contents: lines.join("\n"), resolveDir: join(root, "src") },
        outdir: join(root, "dist"),
        splitting: false,
        sourcemap: false,
        metafile: true,
        conditions: conditionsFor(root, { bundlesPackages: true }),
        external: ["@tenon/runtime", ...reasons.keys()],
        plugins: [eachFromItsOwn(imports)],
      });
      return metafile;
    } catch (error) {
      for (const { location } of (error as Partial<BuildFailure>).errors ?? []) {
        const name = location ? packageOf(resolve(root, location.file))?.name : undefined;
        if (name !== undefined) reasons.set(name, CANNOT_BE_BUNDLED);
      }
    }
  }
  return undefined;
}

const IMPORT = "tenon-import:";

/** Finds each import from where it is written: packages of one workspace may have different versions of another. */
function eachFromItsOwn(imports: readonly PackageImport[]): Plugin {
  return {
    name: "tenon-each-from-its-own",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${IMPORT}`) }, async ({ path, kind, importer }) => {
        const { specifier, from } = imports[Number(path.slice(IMPORT.length))] as PackageImport;
        const found = await build.resolve(specifier, { kind, importer, resolveDir: from });
        return found.errors.length > 0 ? { path: specifier, external: true } : found;
      });
    },
  };
}

async function reasonAgainst(file: string): Promise<string | undefined> {
  const found = packageOf(file);
  if (!found) return "has no package.json";
  const { folder, settings } = found;
  const scripts = (settings["scripts"] ?? {}) as Record<string, unknown>;
  const isNative =
    settings["gypfile"] === true ||
    settings["os"] ||
    settings["cpu"] ||
    existsSync(join(folder, "binding.gyp"));
  if (isNative) return NATIVE_CODE;
  if (INSTALL_SCRIPTS.some((name) => name in scripts)) return "prepares itself when it is installed";
  if (!/\.[cm]?js$/.test(file)) return undefined;
  const text = readFileSync(file, "utf8");
  if (!reasonIn(text)) return undefined;
  // Most often it is a comment that says so.
  const { code } = await transform(text, { minifyWhitespace: true, legalComments: "none" });
  return reasonIn(code);
}

function reasonIn(text: string): string | undefined {
  return NEEDS_ITS_PLACE.find(([pattern]) => pattern.test(text))?.[1];
}
