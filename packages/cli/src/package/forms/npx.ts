import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { FileTree } from "@tenon/compiler";
import { quoteWord } from "../../create/quote-word.js";
import { filesOf } from "./accompanying-files.js";
import { leftBehindNotes } from "./left-behind-notes.js";
import type { MadeForm, ServerParts } from "./package-form.js";
import { fileName, type PackageSettings, requiredVersion } from "../settings/package-settings.js";

/** What a published package says in the words of the project's own package.json. */
const PASSED_ON = [
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

/** Beside package.json npm publishes these unasked. */
const ALWAYS = /^(?:readme|licen[cs]e|notice)(?:\.\w+)?$/i;

/** As Tenon's own. */
const OLDEST_NODE = ">=20.19";

/** `--npx`: a folder to publish to npm, with nothing in it but what runs. */
export async function makeNpx(parts: ServerParts): Promise<MadeForm> {
  const { root, cwd, outDir, settings, registryName, built } = parts;
  const server = await built();
  const { files, needed } = server;
  const accompanying = filesOf(root, settings.files ?? []);
  const program = fileName(settings.name.replace(/^@[^/]*\//, ""));
  const published = {
    name: settings.name,
    version: requiredVersion(settings),
    ...(registryName !== undefined && { mcpName: registryName }),
    ...pick(settings, PASSED_ON),
    type: "module",
    bin: { [program]: "dist/server.js" },
    files: ["dist", ...accompanying.entries],
    engines: { ...settings.engines, node: settings.engines?.["node"] ?? OLDEST_NODE },
    ...(needed.length > 0 && {
      dependencies: Object.fromEntries(
        needed.map(({ name, version }) => [name, rangeOf(settings, name) ?? `^${version ?? "0.0.0"}`]),
      ),
    }),
  };
  const tree: FileTree = new Map([
    ["package.json", `${JSON.stringify(published, null, 2)}\n`],
    ...readdirSync(root).flatMap((name): [string, Buffer][] =>
      ALWAYS.test(name) && statSync(join(root, name)).isFile()
        ? [[name, readFileSync(join(root, name))]]
        : [],
    ),
    ...accompanying.files,
    ...[...files].map(([path, content]): [string, string | Uint8Array] => [`dist/${path}`, content]),
  ]);
  const folder = `./${relative(cwd, join(outDir, "npx"))}`;
  const access = settings.name.startsWith("@") ? " --access public" : "";
  return {
    files: tree,
    notes: [
      ...(needed.length > 0 ? [`npm installs besides: ${needed.map(({ name }) => name).join(", ")}.`] : []),
      ...accompanying.notes,
      ...leftBehindNotes(server, accompanying, root),
      ...(settings.license === undefined
        ? ["package.json has no license: without one, others may not use the package."]
        : []),
      ...(existsSync(join(root, "README.md")) ? [] : ["There is no README.md, the page that npm shows."]),
    ],
    next: [
      [`npx --yes ${quoteWord(folder)} --version`, "tries it"],
      [`npm publish ${quoteWord(folder)}${access}`, "publishes it"],
      [`npx --yes ${settings.name}`, "is what others start then"],
    ],
  };
}

/** The range that the author asks for; one that names a place on this machine is of no use to others. */
function rangeOf({ dependencies, devDependencies }: PackageSettings, name: string): string | undefined {
  const range = dependencies?.[name] ?? devDependencies?.[name];
  return range === undefined || /^(?:file|link|workspace|portal|catalog):/.test(range) ? undefined : range;
}

function pick(settings: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}
