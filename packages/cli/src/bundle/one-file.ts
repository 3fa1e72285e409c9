import { join, relative, resolve } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import { build, type BuildResult, type Metafile } from "esbuild";
import { authorSources } from "./author-sources.js";
import { choosePackages, type PackageChoice } from "./bundled-packages.js";
import { bundlingFailure } from "./bundling-failure.js";
import { generatedModules } from "./generated-modules.js";
import { type NeededPackage, neededPackages, packageImports } from "./needed-packages.js";
import { npmPackages, type PackageNames } from "./npm-packages.js";
import { conditionsFor, keepsNames, OUTPUT } from "./output.js";

export interface OneFileOptions {
  /** The project folder, absolute. */
  root: string;
  /** Where the file will be written, absolute. */
  file: string;
  /** The generated modules, relative to `dist/`. */
  modules: FileTree;
  /** What the compiler wants changed in the author's sources. */
  edits: SourceEdits;
  /** The generated module to start from. */
  entry: string;
  /**
   * Bundles every npm package, whether it works without being installed or not: nothing is installed where the file runs.
   * Called before with those that may not, and why; throws where that cannot be.
   */
  acceptPackages?(reasons: PackageChoice["reasons"]): void;
  /** Which of a package's variants are preferred, by the names in its `exports`. */
  conditions?: string[];
  /** Colours in error messages. */
  color?: boolean;
}

export interface OneFile {
  text: string;
  /** The npm packages that the server needs beside it. */
  needed: NeededPackage[];
  /** The files it was made of, absolute, with the specifiers of what each imports from outside. */
  sources: ReadonlyMap<string, readonly string[]>;
}

/**
 * Makes one ES module of generated modules, the author's sources, the runtime and npm packages.
 *
 * @throws Failure when that cannot be done, with every reason
 */
export async function bundleOneFile(options: OneFileOptions): Promise<OneFile> {
  const { root, file, acceptPackages } = options;
  let choice: PackageChoice = { bundled: new Set(), reasons: new Map() };
  let { outputFiles, metafile } = await bundle(options, choice.bundled);
  const imports = packageImports(metafile, root);
  if (imports.length > 0) {
    choice = await choosePackages(imports, root);
    acceptPackages?.(choice.reasons);
    const bundled = acceptPackages === undefined ? choice.bundled : EVERY_PACKAGE;
    ({ outputFiles, metafile } = await bundle(options, bundled));
  }
  const text = outputFiles.find(({ path }) => path === file)?.text;
  if (text === undefined) throw new TypeError(`esbuild made no ${relative(root, file)}.`);
  return { text, needed: neededPackages(metafile, choice, root), sources: sourcesIn(metafile, root) };
}

const EVERY_PACKAGE: PackageNames = { has: () => true };

type Bundled = BuildResult<{ metafile: true; write: false }>;

async function bundle(options: OneFileOptions, packages: PackageNames): Promise<Bundled> {
  const { root, file, modules, edits, entry, conditions } = options;
  try {
    return await build({
      ...OUTPUT,
      absWorkingDir: root,
      entryPoints: [join(root, "dist", entry)],
      outfile: file,
      splitting: false,
      sourcemap: false,
      legalComments: "eof",
      metafile: true,
      keepNames: keepsNames(root),
      conditions: [
        ...(conditions ?? []),
        ...conditionsFor(root, { bundlesPackages: conditions === undefined }),
      ],
      plugins: [
        generatedModules(root, () => modules, { inlinesValidators: true }),
        npmPackages({ root, bundled: () => packages }),
        authorSources(root, resolve(file, ".."), () => edits),
      ],
    });
  } catch (error) {
    throw await bundlingFailure(error, options.color ?? false);
  }
}

function sourcesIn({ inputs }: Metafile, root: string): Map<string, string[]> {
  return new Map(
    Object.entries(inputs).map(([path, { imports }]) => [
      resolve(root, path),
      imports.flatMap(({ path: imported, external }) => (external ? [imported] : [])),
    ]),
  );
}
