import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileTree } from "@tenon/compiler";
import { formatPathArgument } from "../../terminal/path-argument.js";
import { formatList } from "../../terminal/text-format.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";
import { type PackageSettings, toFileName, getUnscopedName } from "../settings/package-settings.js";

/** Members that a published package copies from the project's package.json. */
const COPIED_MEMBERS = [
  "description",
  "keywords",
  "license",
  "author",
  "contributors",
  "funding",
  "homepage",
  "bugs",
  "repository",
  "publishConfig",
  "os",
  "cpu",
];

/** Files that npm always publishes in addition to package.json. */
const ALWAYS_PUBLISHED = /^(?:readme|licen[cs]e|notice)(?:\.\w+)?$/i;

/** The same range as for Tenon itself. */
const NODE_RANGE = ">=20.19";

/** Creates the target `--npx`: a folder to publish to npm, which contains only the built server. */
export async function createNpx(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, outDir, settings, version, registryName, buildOnce } = parts;
  const { files, needed, accompanying } = await buildOnce();
  const program = toFileName(getUnscopedName(settings));
  const published = {
    name: settings.name,
    version,
    ...(registryName !== undefined && { mcpName: registryName }),
    ...pick(settings, COPIED_MEMBERS),
    type: "module",
    bin: { [program]: "dist/server.js" },
    files: ["dist", ...accompanying.entries],
    engines: { ...settings.engines, node: settings.engines?.["node"] ?? NODE_RANGE },
    ...(needed.length > 0 && {
      dependencies: Object.fromEntries(
        needed.map(({ name, version }) => [name, findRange(settings, name) ?? `^${version ?? "0.0.0"}`]),
      ),
    }),
  };
  const tree: FileTree = new Map([
    ["package.json", `${JSON.stringify(published, null, 2)}\n`],
    ...readdirSync(root).flatMap((name): [string, Buffer][] =>
      ALWAYS_PUBLISHED.test(name) && statSync(join(root, name)).isFile()
        ? [[name, readFileSync(join(root, name))]]
        : [],
    ),
    ...accompanying.files,
    ...[...files].map(([path, content]): [string, string | Uint8Array] => [`dist/${path}`, content]),
  ]);
  const folder = formatPathArgument(join(outDir, "npx"), cwd);
  const access = settings.name.startsWith("@") ? " --access public" : "";
  return {
    files: tree,
    notes: [
      ...(needed.length > 0 ? [`npm also installs ${formatList(needed.map(({ name }) => name))}.`] : []),
      ...accompanying.notes,
      ...(settings.license === undefined
        ? ["package.json has no license: without one, others may not use the package."]
        : []),
      ...(existsSync(join(root, "README.md"))
        ? []
        : ["The project has no README.md, which npm shows on the package's page."]),
    ],
    next: [
      [`npx --yes ${folder} --version`, "tries it"],
      [`npm publish ${folder}${access}`, "publishes it"],
      [`npx --yes ${settings.name}`, "starts the published server"],
    ],
  };
}

/** Returns the range in package.json, unless it names a path on this machine. */
function findRange({ dependencies, devDependencies }: PackageSettings, name: string): string | undefined {
  const range = dependencies?.[name] ?? devDependencies?.[name];
  return range === undefined || /^(?:file|link|workspace|portal|catalog):/.test(range) ? undefined : range;
}

function pick(settings: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}
