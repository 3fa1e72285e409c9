/**
 * Shows why a server cannot start. Loaded only if it cannot.
 * @module
 */

/** Matches the errors of JavaScript engines for a binding that another module has not initialized yet. */
const UNINITIALIZED = /^Class extends value undefined|before initialization$|is not a constructor$/;
const NO_PACKAGE = /^Cannot find package '([^']+)'/;

/** A location in a stack, such as `file:///app/dist/app.js:1234:5`. */
const LOCATION = /(file:\/\/[^\s()]+):(\d+):(\d+)/g;

/**
 * Ends the process, and shows the reason with the locations in the author's files.
 *
 * @param error the error thrown while the server was loaded
 * @param loader the URL of the module that loaded it
 */
export function failToStart(error: unknown, loader: string): never {
  const reason = explainOldNode(process.versions.node) ?? formatStartFailure(error, loader);
  // Importing `stderr-write.ts` would create another file for every server to load.
  process.stderr.write(`The server cannot start.\n\n${reason}\n`);
  process.exit(1);
}

/** Returns the reason if the version of Node lacks functions that every server calls when it is loaded. */
function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 16)) return undefined;
  return `It requires Node 20.16 or newer, but this is Node ${version}. Install Node 24 from https://nodejs.org.`;
}

/**
 * Formats an error with its stack in the author's files and lines, from the source maps next to the built files. Adds a
 * hint for errors that are hard to understand.
 *
 * @param loader the URL of the module that loaded the server. Its frame and those of its callers are omitted
 */
export function formatStartFailure(error: unknown, loader: string): string {
  const [first, ...causes] = withCauses(error).map((each) => formatError(each, loader));
  const advice = error instanceof Error ? findAdvice(error.message) : undefined;
  const text = maskCredentials([first, ...causes.map((each) => `Caused by: ${each}`)].join("\n"));
  return advice === undefined ? text : `${text}\n\n${advice}`;
}

/**
 * Matches the credentials in a URL, and a value after the name of a secret. Importing `mask-secrets.ts` would create another file
 * for every server to load.
 */
const CREDENTIALS =
  /(\w:\/\/)[^\s/"'@]+(?=@)|((?:password|passwd|pwd|secret|token|api[_-]?key)["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&,;]+/gi;

/** Masks what a database driver or an HTTP client may quote in its message. */
function maskCredentials(text: string): string {
  return text.replaceAll(
    CREDENTIALS,
    (_, scheme: string | undefined = "", name: string | undefined = "") => `${scheme}${name}(secret)`,
  );
}

const MAX_CAUSES = 10;

/** Returns an error with its causes, including each error of an `AggregateError`, such as one per address of a host. */
function withCauses(error: unknown): unknown[] {
  const found = new Set<unknown>([error]);
  for (const each of found) {
    if (!(each instanceof Error)) continue;
    const attempts: unknown[] = each instanceof AggregateError ? each.errors : [];
    for (const cause of [each.cause, ...attempts])
      if (cause !== undefined && found.size <= MAX_CAUSES) found.add(cause);
  }
  return [...found];
}

function formatError(error: unknown, loader: string): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = message } = error;
  const maps: SourceMaps = new Map();
  const frames = stack.split("\n");
  const end = frames.findIndex((frame) => frame.includes(loader));
  const ownFolder = process.env["TENON_VERBOSE"] ? undefined : findOwnFolder(maps);
  const lines = frames
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => !/\bnode:internal\//.test(line))
    .map((line) => getOriginalStack(line, maps))
    .filter((line) => ownFolder === undefined || !/^\s+at /.test(line) || !isTenonFrame(line, ownFolder));
  return lines.join("\n");
}

/** Matches a frame in the emitted `app.js` or `application.js`, which pass the configuration to the runtime. */
const EMITTED = /[\s(](?:(?!.*node_modules)[^()]*[\\/]dist[\\/])?app\w*\.js:\d+:\d+\)?$/;

/** Returns whether a frame is in Tenon's modules, or in a module that Tenon has emitted. */
function isTenonFrame(frame: string, ownFolder: string): boolean {
  return frame.includes(ownFolder) || EMITTED.test(frame);
}

/**
 * Returns the folder of Tenon's modules as stacks show it; undefined if no source map leads from a bundle to them.
 * Frames in this folder do not show the author's code.
 */
function findOwnFolder(maps: SourceMaps): string | undefined {
  const [, frame = ""] = new Error("Only its stack is read.").stack?.split("\n") ?? [];
  return /([^\s(]+[\\/])start-failure\.[jt]s:/
    .exec(getOriginalStack(frame, maps))?.[1]
    ?.replace(/^file:\/\//, "");
}

/**
 * Maps a stack to the author's files and lines. Frames without a source map are unchanged.
 *
 * @param maps caches source maps for further stacks
 * @example
 * getOriginalStack("at Weather.current (file:///app/dist/app.js:812:11)", new Map())
 * // at Weather.current (src/weather.ts:14:11)
 */
export function getOriginalStack(stack: string, maps: SourceMaps): string {
  return stack.replaceAll(LOCATION, (location, url: string, row: string, column: string) => {
    if (!maps.has(url)) maps.set(url, readSourceMap(url));
    return findOriginalLocation(maps.get(url), Number(row), Number(column)) ?? location;
  });
}

function findAdvice(message: string): string | undefined {
  if (UNINITIALIZED.test(message)) {
    return (
      "Two modules probably import each other: one runs before the other has its exports. " +
      "Move what both need to a third module, or import only types."
    );
  }
  const [, name] = NO_PACKAGE.exec(message) ?? [];
  if (name === undefined) return undefined;
  return `The package \`${name}\` is not in the build. Install the project's dependencies where the server runs: \`npm install --omit=dev\`.`;
}

/** Source maps by the URL of the built file. Undefined if the file has none. */
export type SourceMaps = Map<string, SourceMap | undefined>;

/** The members of Node's source maps that this module uses. */
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

/** Returns the original location. `../src/weather.ts` in a source map becomes `src/weather.ts`. */
function findOriginalLocation(map: SourceMap | undefined, row: number, column: number): string | undefined {
  const { originalSource, originalLine, originalColumn } = map?.findEntry(row - 1, column - 1) ?? {};
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined)
    return undefined;
  return `${originalSource.replace(/^(?:\.\.\/)+/, "")}:${originalLine + 1}:${originalColumn + 1}`;
}
