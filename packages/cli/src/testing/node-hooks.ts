/**
 * The hooks with which Node finds and reads the modules of a project under test.
 *
 * @see https://nodejs.org/api/module.html#customization-hooks
 * @module
 */
import { statSync } from "node:fs";
import type { InitializeHook, LoadHook, ResolveFnOutput, ResolveHook } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TEST_MODULE } from "./test-module.js";
import { TestProjects } from "./test-projects.js";

/** The scheme of generated modules; their project is a parameter. */
const GENERATED = "tenon-generated:";

const projects = new TestProjects();

/** Registers the project in whose folder Node was started. */
export const initialize: InitializeHook<{ root: string }> = ({ root }) => {
  projects.get(root);
};

/** Resolves generated modules and the author's TypeScript sources. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier.startsWith(TEST_MODULE))
    return resolveGenerated(specifier.slice(TEST_MODULE.length), "testing.js");
  const from = context.parentURL === undefined ? undefined : readGenerated(context.parentURL);
  if (from === undefined) return next(toSourceUrl(specifier, context.parentURL), context);
  if (specifier.startsWith("./")) return resolveGenerated(from.root, specifier.slice(2));
  // Resolves the imports of a generated module from the path that it would have in a build.
  return next(specifier, { ...context, parentURL: pathToFileURL(join(from.root, "dist", from.name)).href });
};

/** Loads generated modules and lowered TypeScript sources. */
export const load: LoadHook = async (url, context, next) => {
  const from = readGenerated(url);
  if (from !== undefined) {
    const source = await projects.get(from.root).loadGenerated(from.name);
    return { format: from.name.endsWith(".json") ? "json" : "module", source, shortCircuit: true };
  }
  const lowered = url.startsWith("file:") ? await projects.loadAuthorModule(fileURLToPath(url)) : undefined;
  if (lowered === undefined) return next(url, context);
  const map = Buffer.from(lowered.map).toString("base64");
  const source = `${lowered.code}\n//# sourceMappingURL=data:application/json;base64,${map}\n`;
  return { format: "module", source, shortCircuit: true };
};

function resolveGenerated(root: string, name: string): ResolveFnOutput {
  return { url: `${GENERATED}${name}?${new URLSearchParams({ root })}`, shortCircuit: true };
}

function readGenerated(url: string): { name: string; root: string } | undefined {
  if (!url.startsWith(GENERATED)) return undefined;
  const { pathname, searchParams } = new URL(url);
  return { name: pathname, root: searchParams.get("root") ?? "" };
}

/**
 * Returns the URL of the source `./weather.ts` for `./weather.js`, and in CommonJS for `./weather`. An alias of
 * tsconfig.json becomes the URL of its source.
 */
function toSourceUrl(specifier: string, parentURL: string | undefined): string {
  if (parentURL?.startsWith("file:") !== true) return specifier;
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return findSource(specifier, parentURL) ?? specifier;
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(specifier)) return specifier;
  for (const target of projects.findAliasTargets(specifier, fileURLToPath(parentURL))) {
    const { href } = pathToFileURL(target);
    const source = href.endsWith(".d.ts") ? undefined : findSource(href, parentURL);
    if (source !== undefined) return source;
  }
  return specifier;
}

function findSource(specifier: string, parentURL: string): string | undefined {
  const isFile = (text: string): boolean =>
    statSync(new URL(text, parentURL), { throwIfNoEntry: false })?.isFile() === true;
  const sources = [
    specifier,
    specifier.replace(/(\.[cm]?)js$/, "$1ts"),
    ...[".ts", ".tsx", "/index.ts"].map((end) => specifier.replace(/\/$/, "") + end),
  ];
  return sources.find(isFile);
}
