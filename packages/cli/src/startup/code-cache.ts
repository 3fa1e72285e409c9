import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";

/** Only what takes noticeably long to compile: TypeScript and its neighbours. */
const LARGE_SOURCE = 400_000;

const EXTENSION = ".code";

const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** What @types/node of the oldest supported Node does not know. */
interface CompileCacheModule {
  enableCompileCache?(folder: string): unknown;
}

interface CompilingModule {
  _compile(this: NodeModule, source: string, path: string): unknown;
}

/**
 * Keeps the code that V8 makes of TypeScript from one run of the command line to the next: half of the time
 * until the compiler can begin. Node does this by itself from 22.8 on; before, large CommonJS files are
 * compiled here. Whatever goes wrong with the cache, the run goes on without it.
 *
 * `NODE_DISABLE_COMPILE_CACHE=1` switches it off, as it does for Node's own.
 *
 * @param folder where the code is kept, readable and writable for this user alone
 */
export function keepCompiledCode(folder = codeFolder()): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_V8_COVERAGE) return;
  const { enableCompileCache } = Module as unknown as CompileCacheModule;
  if (enableCompileCache) enableCompileCache(folder);
  else compileThrough(folder);
}

/** Where programs of this user keep what they can make again. */
function codeFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(homedir(), ".cache"), "tenon", "code");
}

function compileThrough(folder: string): void {
  const { prototype } = Module as unknown as { prototype: CompilingModule };
  const compile = prototype._compile;
  const fresh: { script: Script; path: string }[] = [];
  prototype._compile = function compileKept(source, path) {
    if (source.length < LARGE_SOURCE) return compile.call(this, source, path);
    const kept = join(folder, codeName(path));
    const cachedData = readIfThere(kept);
    const script = new Script(Module.wrap(source), {
      filename: path,
      ...(cachedData && { cachedData }),
      // Without this, an `import()` in the file would be refused.
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (!cachedData || script.cachedDataRejected) fresh.push({ script, path: kept });
    const run = script.runInThisContext() as (...values: unknown[]) => unknown;
    return run.call(this.exports, this.exports, createRequire(path), this, path, dirname(path));
  };
  // At the end, the functions that were used have been compiled as well.
  process.once("exit", () => {
    for (const { script, path } of fresh) writeWhole(path, script.createCachedData());
  });
}

/** V8 compares only the length of a source with what it kept, so the name tells one state of a file from another. */
function codeName(path: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  const state = [path, size, mtimeMs, ctimeMs, process.version, process.arch].join("\0");
  return `${basename(path, ".js")}-${createHash("sha256").update(state).digest("hex").slice(0, 16)}${EXTENSION}`;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Another run may be reading or writing the same file. */
function writeWhole(path: string, content: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, content, { mode: 0o600 });
    renameSync(unfinished, path);
    removeOld(dirname(path));
  } catch {
    // A cache that cannot be written costs time only.
  }
}

/** Every upgrade of TypeScript leaves the code of the one before. */
function removeOld(folder: string): void {
  const limit = Date.now() - KEPT_FOR_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith(EXTENSION) && statSync(path).mtimeMs < limit) rmSync(path);
  }
}
