import { addViewHashes, type Compilation, type Diagnostic, type SourceSpan } from "@tenon/compiler";
import type { DirectoryName } from "@tenon/compiler/directories";
import type { Manifest } from "@tenon/runtime/manifest";
import { inputReader } from "../bundle/input-reader.js";
import { bundleViews } from "../bundle/bundle-views.js";
import { readContract } from "../contract/contract.js";
import { writeServerTypes } from "../project/server-types.js";
import { listDeclaredEntries } from "../project/declared-entries.js";
import { type DeclaredQuestions, listDeclaredQuestions } from "../project/declared-questions.js";
import { hasErrors } from "../terminal/print-diagnostics.js";
import { checkProjectForDirectories } from "./directory-check.js";

/** The facts about a project that `tenon check` reports, as plain JSON. */
export interface CheckedProject extends Pick<Compilation, "manifest" | "profile" | "diagnostics"> {
  /** The views with the hashes of their HTML. Absent without views. */
  views?: Manifest["views"];
  /** The requests for input of each entry. */
  questions: DeclaredQuestions;
  /** The diagnostics of the directories. */
  directoryDiagnostics: Diagnostic[];
  /** Where the entries of the project and of its contract are declared, by kind and name, such as `tool book`. */
  locations: Readonly<Record<string, SourceSpan>>;
}

/**
 * Collects the facts about a compiled project for `tenon check`.
 *
 * @param root the project folder, absolute
 * @param directories the public directories whose rules to check
 */
export async function readCheckedProject(
  compilation: Compilation,
  root: string,
  directories: readonly DirectoryName[],
): Promise<CheckedProject> {
  const { manifest, profile } = compilation;
  const diagnostics = await checkTypes(compilation, root);
  const views = hasErrors(diagnostics)
    ? manifest?.views
    : manifest && (await buildViewEntries(manifest, compilation, root));
  return {
    ...(manifest && { manifest }),
    ...(profile && { profile }),
    diagnostics,
    ...(views && { views }),
    questions: listDeclaredQuestions(compilation),
    directoryDiagnostics: checkProjectForDirectories(compilation, root, directories),
    locations: locateEntries(compilation, root),
  };
}

/** Returns the diagnostics, including TypeScript's errors. Checks the types of tests only if the server has no errors. */
async function checkTypes(compilation: Compilation, root: string): Promise<Diagnostic[]> {
  const diagnostics = await compilation.typeCheck();
  if (!compilation.manifest || hasErrors(diagnostics)) return diagnostics;
  writeServerTypes(compilation.manifest, root);
  return [...diagnostics, ...((await compilation.typeCheckTests?.()) ?? [])];
}

/** Builds the views, and returns their entries with the hashes of the HTML. */
async function buildViewEntries(
  manifest: Manifest,
  { views = [] }: Compilation,
  root: string,
): Promise<Manifest["views"]> {
  return addViewHashes(manifest, await bundleViews(root, views, { plugins: [inputReader()] })).views;
}

/** Finds the declarations of all entries, and those of the contract that an error removed from the manifest. */
function locateEntries({ manifest, locate }: Compilation, root: string): Record<string, SourceSpan> {
  const entries = [manifest, manifest && tryReadContract(root)].flatMap((lists) =>
    lists ? listDeclaredEntries(lists) : [],
  );
  return Object.fromEntries(
    entries.flatMap(({ kind, name }) => {
      const span = locate?.(kind, name);
      return span ? [[`${kind} ${name}`, span]] : [];
    }),
  );
}

function tryReadContract(root: string): ReturnType<typeof readContract> {
  try {
    return readContract(root);
  } catch {
    // The comparison with the contract reports why it cannot be read.
    return undefined;
  }
}
