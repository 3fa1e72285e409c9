import { basename } from "node:path";
import { type Compilation, type Compiler, createCompiler } from "@tenon/compiler";
import type { SharedCompilation } from "../cache/build-cache.js";
import {
  type ChangedInput,
  findChangedInputs,
  getInputKey,
  type Input,
  isLinked,
  isMissing,
} from "../cache/inputs.js";
import { startRecording } from "../cache/record-inputs.js";
import { compileWithServerTypes } from "../project/compile-project.js";

/** The compiler of a running dev server, which its own builds and the commands in other terminals share. */
export interface DevCompiler {
  /**
   * Returns the last compilation if no input has changed since. Otherwise, compiles what has changed. It
   * compares the inputs itself, because a command may start before the watcher has noticed an edit.
   */
  compile(): SharedCompilation;
  /** Returns whether an input has changed since the last compilation. */
  isOutdated(): boolean;
  /** Makes the next compilation read everything again. */
  reset(): void;
}

/**
 * Creates a compiler that reads nothing until it compiles.
 *
 * @param root the project folder, absolute
 */
export function createDevCompiler(root: string): DevCompiler {
  let compiler: Compiler | undefined;
  let last: SharedCompilation | undefined;
  /**
   * Prepares the compiler for changes. Returns the inputs of the last compilation with their current values, because
   * the compiler depends on unchanged files, but reads them only the first time.
   */
  const refresh = (changes: readonly ChangedInput[]): Map<string, Input> => {
    if (last?.inputs === undefined || changes.some(needsReset)) {
      compiler = undefined;
      return new Map();
    }
    compiler?.refresh(
      changes.map(({ path }) => path),
      changes.some(isMove),
    );
    const current = new Map(last.inputs.map((input) => [getInputKey(input), input]));
    for (const { property, path, now } of changes)
      current.set(getInputKey([property, path, now]), [property, path, now]);
    return current;
  };
  return {
    compile() {
      const changes = [...findChangedInputs(last?.inputs ?? [])];
      if (last?.inputs && changes.length === 0) return last;
      const inputs = refresh(changes);
      // A compilation that throws leaves the compiler in an unknown state.
      last = undefined;
      compiler ??= createCompiler({ root, typeCheck: false });
      const stopRecording = startRecording(root);
      let recorded: Input[] | undefined;
      let compilation: Compilation;
      try {
        compilation = compileWithServerTypes(compiler, root);
      } finally {
        recorded = stopRecording();
      }
      for (const input of recorded ?? []) inputs.set(getInputKey(input), input);
      last = { compilation, ...(recorded && { inputs: [...inputs.values()] }) };
      return last;
    },
    isOutdated() {
      if (last === undefined) return false;
      return last.inputs === undefined || findChangedInputs(last.inputs).next().done !== true;
    },
    reset() {
      last = undefined;
      compiler = undefined;
    },
  };
}

/** Returns whether a change may affect how unchanged files are read: their module format, or their folder. */
function needsReset({ property, path, before, now }: ChangedInput): boolean {
  return (
    basename(path) === "package.json" ||
    property === "target" ||
    (property === "content" && (isLinked(before) || isLinked(now)))
  );
}

/** Returns whether a change may affect where modules are found: a path that was added, removed, or replaced with a path of another kind. */
function isMove({ property, before, now }: ChangedInput): boolean {
  if (property === "content") return isMissing(before) || isMissing(now);
  const isFile = (value: string): boolean => value.startsWith("file of");
  return property !== "kind" || !isFile(before) || !isFile(now);
}
