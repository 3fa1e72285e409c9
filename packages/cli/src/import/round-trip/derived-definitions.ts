/**
 * What the compiler derives from written sources, held against what they were written for.
 * @module
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compile,
  type Diagnostic,
  differences,
  keyOf,
  type ServerLists,
  type Verbatim,
} from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { Failure } from "../../terminal/failure.js";
import { errorsText } from "../../terminal/print-diagnostics.js";

/** Definitions that types do not say, and options of decorators carry. */
export type Carried = ReadonlyMap<string, readonly string[]>;

export function verbatimOf(carried: Carried): Verbatim {
  const having = (part: string): ReadonlySet<string> =>
    new Set([...carried].flatMap(([key, parts]) => (parts.includes(part) ? key : [])));
  return { schemas: having("schemas"), descriptions: having("description") };
}

export interface Derived {
  readonly manifest: Manifest;
  readonly errors: readonly Diagnostic[];
}

/**
 * What the compiler makes of sources, in a folder of its own within the project.
 *
 * @param files their texts by name
 * @param types which of the project's `@types` they need
 * @throws Failure when they cannot be compiled
 */
export function derivedFrom(
  root: string,
  files: ReadonlyMap<string, string>,
  types: readonly string[] = [],
): Derived {
  const folder = join(root, ".tenon", `import-${process.pid}`);
  try {
    mkdirSync(join(folder, "src"), { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "imported", version: "0.0.0", type: "module" }),
    );
    writeFileSync(join(folder, "tsconfig.json"), tsconfig(types));
    for (const [name, text] of files)
      writeFileSync(join(folder, "src", name.replaceAll(/[^\w.-]/g, "-")), text);
    const { manifest, diagnostics } = compile({ root: folder });
    if (manifest !== undefined)
      return { manifest, errors: diagnostics.filter(({ severity }) => severity === "error") };
    throw new Failure(`The class cannot be compiled.\n\n${errorsText(diagnostics)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tsconfig(types: readonly string[]): string {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    types,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return JSON.stringify({ compilerOptions, include: ["src"] });
}

/** @throws Failure for what still differs, or is wrong */
export function refuse(left: Carried, errors: readonly Diagnostic[]): void {
  if (errors.length > 0) throw new Failure(`The class cannot be compiled.\n\n${errorsText(errors)}`);
  if (left.size === 0) return;
  const names = [...left].map(([key, parts]) => `  ${key}: ${parts.join(", ")}`).join("\n");
  throw new Failure(`These definitions do not come back as they were:\n${names}`);
}

/** In what derived definitions differ from those of the lists. */
export function differing(
  { tools, prompts, resources, resourceTemplates }: ServerLists,
  derived: Manifest | undefined,
): Carried {
  const found = new Map<string, readonly string[]>();
  const compare = (
    kind: Parameters<typeof keyOf>[0],
    originals: readonly { name: string }[],
    made: readonly { definition: { name: string } }[] = [],
  ): void => {
    for (const original of originals) {
      const definition = made.find((each) => each.definition.name === original.name)?.definition;
      const parts =
        definition === undefined
          ? ["schemas", "description"]
          : differences(original as never, definition as never);
      if (parts.length > 0) found.set(keyOf(kind, original.name), parts);
    }
  };
  compare("tool", tools, derived?.tools);
  compare("prompt", prompts, derived?.prompts);
  compare("resource", resources, derived?.resources);
  compare("resource template", resourceTemplates, derived?.resourceTemplates);
  return found;
}
