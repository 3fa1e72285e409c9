/**
 * Writes classes, compiles them, and compares the derived definitions with the originals.
 * @module
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compile,
  type Diagnostic,
  findDifferences,
  toDeclarationKey,
  type ServerLists,
  type Verbatim,
} from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { OWN_FOLDER } from "../../files/own-folder.js";
import { Failure } from "../../terminal/failure.js";
import { formatErrors } from "../../terminal/print-diagnostics.js";

/** The parts of each declaration that types and comments cannot express. The options of its decorator contain them. */
export type VerbatimParts = ReadonlyMap<string, readonly string[]>;

/** The generated classes, and the definitions that the compiler derives from them. */
export interface RoundTrip {
  /** Sources by file name. */
  readonly files: ReadonlyMap<string, string>;
  readonly verbatimParts: VerbatimParts;
  /** The manifest that the compiler derives from the sources. */
  readonly manifest: Manifest;
}

/** The failure of classes that cannot be compiled. */
export class UncompilableError extends Failure {
  constructor(readonly errors: readonly Diagnostic[]) {
    super(`The class cannot be compiled.\n\n${formatErrors(errors)}`);
  }
}

/**
 * Writes classes and compiles them. Where a derived definition differs from its original, writes them again with
 * decorator options that contain the difference.
 *
 * @param root the project folder, absolute
 * @param write returns sources by file name
 * @param compare returns the differences between the originals and the derived definitions
 * @param types the packages of `@types` that the sources need
 * @throws UncompilableError if the classes cannot be compiled
 * @throws Failure if a definition still differs
 */
export function writeRoundTrip(
  root: string,
  write: (verbatim: Verbatim) => ReadonlyMap<string, string>,
  compare: (derived: Manifest) => VerbatimParts,
  types: readonly string[] = [],
): RoundTrip {
  const plain = write({ schemas: new Set(), descriptions: new Set() });
  const first = compileInTemporaryFolder(root, plain, types);
  const verbatimParts = compare(first.manifest);
  if (verbatimParts.size === 0 && first.errors.length === 0)
    return { files: plain, verbatimParts, manifest: first.manifest };
  const findKeysWith = (part: string): ReadonlySet<string> =>
    new Set([...verbatimParts].flatMap(([key, parts]) => (parts.includes(part) ? key : [])));
  const files = write({ schemas: findKeysWith("schemas"), descriptions: findKeysWith("description") });
  const { manifest, errors } = compileInTemporaryFolder(root, files, types);
  if (errors.length > 0) throw new UncompilableError(errors);
  const names = [...compare(manifest)].map(([key, parts]) => `  ${key}: ${parts.join(", ")}`);
  if (names.length > 0)
    throw new Failure(
      `The compiler derives different definitions from the generated class:\n${names.join("\n")}`,
    );
  return { files, verbatimParts, manifest };
}

/** Compiles sources in a temporary folder within the project. */
function compileInTemporaryFolder(
  root: string,
  files: ReadonlyMap<string, string>,
  types: readonly string[],
): { manifest: Manifest; errors: readonly Diagnostic[] } {
  const folder = join(root, OWN_FOLDER, `import-${process.pid}`);
  const write = (name: string, value: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  try {
    mkdirSync(join(folder, "src"), { recursive: true });
    write("package.json", { name: "imported", version: "0.0.0", type: "module" });
    write("tsconfig.json", { compilerOptions: { ...COMPILER_OPTIONS, types }, include: ["src"] });
    for (const [name, text] of files)
      writeFileSync(join(folder, "src", name.replaceAll(/[^\w.-]/g, "-")), text);
    const { manifest, diagnostics } = compile({ root: folder });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (manifest === undefined) throw new UncompilableError(errors);
    return { manifest, errors };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const COMPILER_OPTIONS = {
  target: "es2022",
  lib: ["es2023"],
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

interface Listed {
  name: string;
  uri?: string;
  uriTemplate?: string;
}

/** Returns the parts in which derived definitions differ from their originals. */
export function compareDefinitions(originals: ServerLists, derived: Manifest): VerbatimParts {
  const found = new Map<string, readonly string[]>();
  const compare = (
    kind: Parameters<typeof toDeclarationKey>[0],
    list: readonly Listed[],
    derivedEntries: readonly { definition: Listed }[] = [],
  ): void => {
    for (const original of list) {
      // Resources may share a name, but not a URI.
      const isSame = ({ name, uri, uriTemplate }: Listed): boolean =>
        name === original.name && uri === original.uri && uriTemplate === original.uriTemplate;
      const definition = derivedEntries.find((each) => isSame(each.definition))?.definition;
      const parts =
        definition === undefined
          ? ["schemas", "description"]
          : findDifferences(original as never, definition as never);
      if (parts.length > 0) found.set(toDeclarationKey(kind, original.name), parts);
    }
  };
  compare("tool", originals.tools, derived.tools);
  compare("prompt", originals.prompts, derived.prompts);
  compare("resource", originals.resources, derived.resources);
  compare("resource template", originals.resourceTemplates, derived.resourceTemplates);
  return found;
}
