/**
 * What is shown when a server cannot start. Loaded only then.
 * @module
 */

/** What an engine says of a module that uses what another one has not made yet. */
const NOT_MADE_YET = /^Class extends value undefined|before initialization$|is not a constructor$/;
const NO_PACKAGE = /^Cannot find package '([^']+)'/;

/** A place in a stack, such as `file:///app/dist/app.js:1234:5`. */
const PLACE = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;

/**
 * Ends the process, and says why in terms of the author's files.
 *
 * @param error what was thrown while the server was loaded
 * @param loader URL of the module that loaded it
 */
export function failToStart(error: unknown, loader: string): never {
  // An import of `stderr-write.ts` would make a file of it that every server has to load.
  process.stderr.write(`The server cannot start.\n\n${startFailureText(error, loader)}\n`);
  process.exit(1);
}

/**
 * An error with its stack in the author's files and lines, as the source maps beside the built ones have them, and what
 * to do about the errors that are hard to read.
 *
 * @param loader URL of the module that loaded the server: it and what called it are left out
 */
export function startFailureText(error: unknown, loader: string): string {
  const [first, ...causes] = withCauses(error).map((each) => placedText(each, loader));
  const advice = error instanceof Error ? adviceFor(error.message) : undefined;
  const text = [first, ...causes.map((each) => `Caused by: ${each}`)].join("\n");
  return advice === undefined ? text : `${text}\n\n${advice}`;
}

const MOST_CAUSES = 10;

/** An error, what caused it, and each of the errors that several attempts ended with, as where a host has several addresses. */
function withCauses(error: unknown): unknown[] {
  const found = new Set<unknown>([error]);
  for (const each of found) {
    if (!(each instanceof Error)) continue;
    const attempts: unknown[] = each instanceof AggregateError ? each.errors : [];
    for (const cause of [each.cause, ...attempts])
      if (cause !== undefined && found.size <= MOST_CAUSES) found.add(cause);
  }
  return [...found];
}

function placedText(error: unknown, loader: string): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = message } = error;
  const maps: SourceMaps = new Map();
  const frames = stack.split("\n");
  const end = frames.findIndex((frame) => frame.includes(loader));
  const lines = frames
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => !/\bnode:internal\//.test(line))
    .map((line) => originalStack(line, maps));
  return lines.join("\n");
}

/**
 * A stack in the author's files and lines, as far as there are source maps.
 *
 * @param maps keeps what has been read for the next stack
 * @example
 * originalStack("at Weather.current (file:///app/dist/app.js:812:11)", new Map())
 * // at Weather.current (src/weather.ts:14:11)
 */
export function originalStack(stack: string, maps: SourceMaps): string {
  return stack.replaceAll(PLACE, (place, url: string, row: string, column: string) => {
    if (!maps.has(url)) maps.set(url, readSourceMap(url));
    return originalPlace(maps.get(url), Number(row), Number(column)) ?? place;
  });
}

function adviceFor(message: string): string | undefined {
  if (NOT_MADE_YET.test(message)) {
    return (
      "Most often, two modules import each other, and the one that runs first finds what the other exports undefined. " +
      "Move what both need to a module of its own, or import only types: `import type`."
    );
  }
  const [, name] = NO_PACKAGE.exec(message) ?? [];
  if (name === undefined) return undefined;
  return `The package \`${name}\` is not in the build. Install the project's dependencies where the server runs: \`npm install --omit=dev\`.`;
}

/** By the URL of the built file; undefined where it has none. */
export type SourceMaps = Map<string, SourceMap | undefined>;

/** As much of Node's own as is used here. */
interface SourceMap {
  /** Lines and columns count from 0. */
  findEntry(
    line: number,
    column: number,
  ): {
    originalSource?: string;
    originalLine?: number;
    originalColumn?: number;
  };
}

function readSourceMap(url: string): SourceMap | undefined {
  try {
    const { SourceMap: Constructor } = process.getBuiltinModule("node:module");
    const { readFileSync } = process.getBuiltinModule("node:fs");
    return new Constructor(
      JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")) as ConstructorParameters<typeof Constructor>[0],
    ) as SourceMap;
  } catch {
    return undefined;
  }
}

/** `../src/weather.ts`, as a source map has it, is `src/weather.ts` to the author. */
function originalPlace(map: SourceMap | undefined, row: number, column: number): string | undefined {
  const { originalSource, originalLine, originalColumn } = map?.findEntry(row - 1, column - 1) ?? {};
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined)
    return undefined;
  return `${originalSource.replace(/^(?:\.\.\/)+/, "")}:${originalLine + 1}:${originalColumn + 1}`;
}
