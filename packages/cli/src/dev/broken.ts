import type { Affected, Compilation, Diagnostic } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { errorsText } from "../terminal/print-diagnostics.js";
import type { BrokenDeclaration } from "./process/broken-calls.js";

/** What errors leave of a server. */
export interface Broken {
  /** What is answered with its errors. */
  declarations: BrokenDeclaration[];
  /** The same by their names, for people. */
  names: string[];
  /** Every error belongs to one of them, so that all else may be served. */
  isAll: boolean;
}

export const NOTHING_BROKEN: Broken = { declarations: [], names: [], isAll: true };

type Name = Affected["declarations"][number]["name"];

const METHODS = {
  tool: "tools/call",
  prompt: "prompts/get",
  resource: "resources/read",
  "resource template": "resources/read",
} as const;

/**
 * What of a project cannot be called, given the diagnostics of a compilation.
 *
 * @param served what clients know, which has URIs also for what is not compiled now
 */
export function brokenBy(
  { affected, manifest }: Compilation,
  diagnostics: readonly Diagnostic[],
  served: Manifest | undefined,
): Broken {
  const found: Affected = affected?.(diagnostics) ?? {
    declarations: [],
    others: [...diagnostics],
    declared: [],
  };
  const entries = [served, manifest].flatMap((each) => (each ? entriesOf(each) : []));
  const lost = served && affected ? lostIn(entriesOf(served), found, diagnostics) : [];
  const declarations = [...found.declarations, ...lost].map(({ name, errors }): BrokenDeclaration => {
    const entry = entries.find((each) => each.name.kind === name.kind && each.name.name === name.name);
    return {
      method: METHODS[name.kind],
      target: entry?.uri ?? name.name,
      problem: `\`${name.name}\` has errors in its source, and works again when they are corrected.\n\n${errorsText(errors)}`,
    };
  });
  const names = [...found.declarations, ...lost].map(({ name }) => name.name);
  return { declarations, names: [...new Set(names)], isAll: found.others.length === 0 };
}

/** Nothing is left that could be called. */
export function isEverything({ declarations }: Broken, manifest: Manifest | undefined): boolean {
  return manifest === undefined || targetsOf(manifest).every((target) => isBroken(declarations, target));
}

/** Clients know all that is broken by the lists of this manifest. */
export function isEverythingListed({ declarations }: Broken, manifest: Manifest): boolean {
  const listed = targetsOf(manifest);
  return declarations.every(({ target }) => listed.includes(target));
}

function isBroken(declarations: Broken["declarations"], target: string): boolean {
  return declarations.some((each) => each.target === target);
}

function targetsOf(manifest: Manifest): string[] {
  return entriesOf(manifest).map(({ name, uri }) => uri ?? name.name);
}

interface Known {
  name: Name;
  module: string;
  uri?: string;
}

function entriesOf({ tools, prompts, resources, resourceTemplates }: Manifest): Known[] {
  return [
    ...tools.map(({ definition, handler }) => known("tool", definition.name, handler.module)),
    ...prompts.map(({ definition, handler }) => known("prompt", definition.name, handler.module)),
    ...resources.map(({ definition: { name, uri }, handler }) => {
      return { ...known("resource", name, handler.module), uri };
    }),
    ...resourceTemplates.map(({ definition: { name, uriTemplate }, handler }) => {
      return { ...known("resource template", name, handler.module), uri: uriTemplate };
    }),
  ];
}

function known(kind: Name["kind"], name: string, module: string): Known {
  return { name: { kind, name }, module };
}

/** What was served from a file that has errors, and that the parser does not find in it any more. */
function lostIn(
  served: readonly Known[],
  { declared }: Affected,
  diagnostics: readonly Diagnostic[],
): Affected["declarations"] {
  return served.flatMap(({ name, module }) => {
    if (declared.some((each) => each.kind === name.kind && each.name === name.name)) return [];
    const errors = diagnostics.filter(({ severity, span }) => severity === "error" && span?.file === module);
    return errors.length > 0 ? [{ name, errors }] : [];
  });
}
