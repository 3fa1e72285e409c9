/**
 * Runs in every test worker: the declarations of TypeScript itself, of installed packages, and of the built runtime
 * are parsed once for all projects that read them in the same way, as an editor does for its open projects. Parsing
 * them takes three quarters of the time that a small project takes to compile.
 */
import { join } from "node:path";
import { vi } from "vitest";

// Internal: the compiler has no option that saves time only when hundreds of projects are compiled.
vi.mock("../../packages/compiler/src/project/compiler-host.js", async (original) => {
  const { libraryFolder } = await import("../../packages/compiler/src/typescript/typescript.js");
  const workspace = join(import.meta.dirname, "../..");
  const libraries = [
    libraryFolder,
    join(workspace, "node_modules"),
    join(workspace, "packages/runtime/dist"),
  ];
  const isLibrary = (path: string): boolean => libraries.some((folder) => path.startsWith(`${folder}/`));

  const actual = await original<typeof import("../../packages/compiler/src/project/compiler-host.js")>();
  type Host = ReturnType<typeof actual.createCompilerHost>;
  type SourceFile = NonNullable<ReturnType<Host["getSourceFile"]>>;
  const parsed = new Map<string, Map<string, SourceFile>>();
  const createCompilerHost: typeof actual.createCompilerHost = (options, sourceFiles) => {
    const host = actual.createCompilerHost(options, sourceFiles);
    const { getSourceFile } = host;
    // The options that determine how TypeScript parses and binds declarations.
    const { target, module, moduleResolution, moduleDetection, jsx } = options;
    const key = JSON.stringify({ target, module, moduleResolution, moduleDetection, jsx });
    const known = parsed.get(key) ?? new Map<string, SourceFile>();
    parsed.set(key, known);
    const getParsed: typeof getSourceFile = (path, settings) => {
      if (!isLibrary(path)) return getSourceFile(path, settings);
      const file = known.get(path) ?? getSourceFile(path, settings);
      if (file) known.set(path, file);
      return file;
    };
    return Object.assign(host, { getSourceFile: getParsed });
  };
  return { ...actual, createCompilerHost };
});
