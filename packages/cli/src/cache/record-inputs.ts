import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { OWN_FOLDER } from "../files/own-folder.js";
import { describeContent, type Input, type Property, readProperty } from "./inputs.js";

/** The result of work, and the inputs that it depends on. */
export interface Recorded<Result> {
  result: Result;
  /** The inputs in the order of their first use. Absent if one of them changed during the work. */
  inputs?: Input[];
}

/**
 * Records a read.
 *
 * @param path the first argument of a function of `node:fs`
 * @param bytes the content, if it is known
 */
type RecordRead = (path: unknown, properties: readonly Property[], bytes: Uint8Array | undefined) => void;

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The functions of `node:fs` that read, with the properties of a path that their results depend on. */
const READ_FUNCTIONS: Readonly<Record<string, (options: unknown) => readonly Property[]>> = {
  readFileSync: () => ["content"],
  openSync: (flags) => (flags === undefined || flags === "r" ? ["content"] : []),
  existsSync: () => ["kind"],
  accessSync: () => ["kind"],
  statSync: () => ["kind"],
  lstatSync: () => ["kind", "target"],
  realpathSync: () => ["target"],
  readdirSync: (options) => [isRecursive(options) ? "tree" : "names"],
};

/**
 * Runs work and records every file, folder, and missing path that it reads with a synchronous function of `node:fs`, with
 * the value before each read. TypeScript, the compiler, and the bundler's plugins read in no other way. Unlike a
 * list of known files, a recording of all reads is complete.
 *
 * @param root the project folder, absolute
 * @param work the work; load its modules first, because loading them would be recorded as well
 */
export async function recordInputs<Result>(
  root: string,
  work: () => Result | Promise<Result>,
): Promise<Recorded<Result>> {
  const stopRecording = startRecording(root);
  let inputs: Input[] | undefined;
  let result: Result;
  try {
    result = await work();
  } finally {
    inputs = stopRecording();
  }
  return { result, ...(inputs && { inputs }) };
}

/**
 * Starts a recording as in {@link recordInputs}. Recordings may be nested.
 *
 * @returns a function that ends the recording and returns the inputs, or undefined if one of them changed meanwhile
 */
export function startRecording(root: string): () => Input[] | undefined {
  const values = new Map<string, Input>();
  let hasChanged = false;
  const ownFolder = join(root, OWN_FOLDER);
  const record: RecordRead = (path, properties, bytes) => {
    const absolute = toPath(path);
    if (absolute === undefined || isOwnOutput(absolute, ownFolder)) return;
    for (const property of properties) {
      const key = `${property} ${absolute}`;
      const value = bytes ? describeContent(absolute, bytes) : readProperty(property, absolute);
      const earlier = values.get(key);
      // A compilation itself writes the types of views, and depends on the last version that it reads.
      if (earlier !== undefined && earlier[2] !== value && dirname(absolute) !== ownFolder) hasChanged = true;
      values.set(key, [property, absolute, value]);
    }
  };
  const restore = replaceReadingFunctions(record);
  return () => {
    restore();
    return hasChanged ? undefined : [...values.values()];
  };
}

/** Replaces the functions of `node:fs` that read. Returns a function that restores them. */
function replaceReadingFunctions(record: RecordRead): () => void {
  const functions = fs as unknown as Record<string, AnyFunction>;
  const readFile = functions["readFileSync"];
  let isRecording = true;
  const observe = (original: AnyFunction, listProperties: (options: unknown) => readonly Property[]) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (!isRecording) return Reflect.apply(original, this, args) as unknown;
      const read = (): unknown => Reflect.apply(original, this, args);
      const [path, options] = args;
      // Node's own functions call each other, for example `readFileSync` calls `openSync`.
      isRecording = false;
      try {
        // Avoids reading a file twice.
        const bytes = original === readFile && options === undefined ? tryRead(read) : undefined;
        record(path, listProperties(options), bytes);
        return bytes ?? read();
      } finally {
        isRecording = true;
      }
    };
  const replaced = Object.entries(READ_FUNCTIONS).map(([name, listProperties]) => {
    const original = functions[name] as AnyFunction;
    const replacement = Object.assign(observe(original, listProperties), original);
    if (name === "realpathSync")
      Object.assign(replacement, { native: observe(fs.realpathSync.native as AnyFunction, listProperties) });
    functions[name] = replacement;
    return { name, original, replacement };
  });
  syncBuiltinESMExports();
  return () => {
    isRecording = false;
    for (const { name, original, replacement } of replaced)
      if (functions[name] === replacement) functions[name] = original;
    syncBuiltinESMExports();
  };
}

/** Returns the bytes of a file, or undefined if it cannot be read. */
function tryRead(read: () => unknown): Uint8Array | undefined {
  try {
    return read() as Uint8Array;
  } catch {
    return undefined;
  }
}

/** Returns the absolute path that a function of `node:fs` was called with; undefined for a file descriptor. */
function toPath(path: unknown): string | undefined {
  if (typeof path === "string") return resolve(path);
  if (path instanceof URL) return fileURLToPath(path);
  return Buffer.isBuffer(path) ? resolve(path.toString()) : undefined;
}

/** Returns whether a path is Tenon's folder or an output in it, except for types, which the compiler reads. */
function isOwnOutput(path: string, ownFolder: string): boolean {
  if (path === ownFolder) return true;
  return path.startsWith(ownFolder + sep) && !(dirname(path) === ownFolder && path.endsWith(".d.ts"));
}

function isRecursive(options: unknown): boolean {
  return typeof options === "object" && (options as { recursive?: boolean } | null)?.recursive === true;
}
