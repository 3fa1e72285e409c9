import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { createCompiler, type Diagnostic, type FileTree, type SourceEdits } from "@tenon/compiler";
import { lowerSource, type LoweredSource } from "../bundle/lower-source.js";
import { keepsNames } from "../bundle/output.js";
import { formatErrors } from "../terminal/print-diagnostics.js";
import { Failure } from "../terminal/failure.js";
import { compileWithServerTypes } from "../project/compile-project.js";
import { emitWithViews } from "../project/emit-with-views.js";
import { writeServerTypes } from "../project/server-types.js";

/** The module that tests import from a project, generated in memory. */
const ENTRY = `export { connect } from "@tenon/runtime/testing";
export { createServer } from "@tenon/runtime/server";
export { configuration, resultLimits, secrets, subscriptions } from "@tenon/runtime/features";
export { application } from "./application.js";
`;

const TYPESCRIPT = /\.[cm]?tsx?$/;
const JAVASCRIPT = /\.m?jsx?$/;
/** A decorator on its own line, and not in a comment. Node and Vite run JavaScript as it is, but cannot parse decorators. */
const DECORATOR = /^[ \t]*(?:export[ \t]+)?@[A-Za-z_]/m;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** The modules of a project under test: the author's modules from files, and generated ones from memory. */
export interface TestModules {
  /**
   * Returns the text of a generated module or JSON file, such as `application.js`.
   *
   * @throws Failure with every diagnostic if the project has errors
   */
  loadGenerated(name: string): Promise<string>;
  /**
   * Compiles a TypeScript module of the author, or a JavaScript module with decorators. Returns undefined for any other.
   */
  loadAuthorModule(path: string): Promise<LoweredSource | undefined>;
  /** Returns TypeScript's errors in the tests. Returns none if the project has errors, because then every connection fails. */
  findTypeErrors(): Promise<Diagnostic[]>;
  /** Records that these files, given by absolute path, have changed. */
  refresh(files: readonly string[]): void;
}

interface Compiled {
  readonly modules: FileTree;
  readonly edits: SourceEdits;
  checkTests(): Promise<Diagnostic[]>;
}

/**
 * Creates the modules of a project.
 *
 * @param root the project folder, absolute
 */
export function createTestModules(root: string): TestModules {
  const compiler = createCompiler({ root, typeCheck: false, asModules: true });
  let compiled: Promise<Compiled> | undefined;

  const compile = async (): Promise<Compiled> => {
    const compilation = compileWithServerTypes(compiler, root);
    const { manifest, emit, sourceEdits = new Map(), diagnostics } = compilation;
    const { modules, diagnostics: found } = await emitWithViews(compilation, emit, root);
    if (manifest === undefined || modules === undefined) {
      const errors = formatErrors([...diagnostics, ...found]);
      throw new Failure(`The server of this project has errors.\n\n${errors}`);
    }
    writeServerTypes(manifest, root);
    return {
      modules: new Map([...modules, ["testing.js", ENTRY]]),
      edits: sourceEdits,
      checkTests: async () => (await compilation.typeCheckTests?.()) ?? [],
    };
  };
  const getCompiled = (): Promise<Compiled> => (compiled ??= compile());

  return {
    async loadGenerated(name) {
      const { modules } = await getCompiled();
      const content = modules.get(name);
      if (content === undefined) throw new Error(`The project has no generated module ${name}.`);
      return typeof content === "string" ? content : Buffer.from(content).toString("utf8");
    },
    async loadAuthorModule(path) {
      const inProject = relative(root, path).replaceAll("\\", "/");
      if (inProject.startsWith("..") || inProject.includes("node_modules/")) return undefined;
      const isTypeScript = TYPESCRIPT.test(path) && !DECLARATIONS.test(path);
      if (!isTypeScript && !(JAVASCRIPT.test(path) && inProject.startsWith("src/"))) return undefined;
      const source = readFileSync(path, "utf8");
      if (!isTypeScript && !DECORATOR.test(source)) return undefined;
      // A module can be tested by itself even if others have errors.
      const { edits } = await getCompiled().catch((): Pick<Compiled, "edits"> => ({ edits: new Map() }));
      return lowerSource(path, source, edits.get(inProject) ?? [], keepsNames(root));
    },
    async findTypeErrors() {
      const found = await getCompiled().catch(() => undefined);
      return found ? found.checkTests() : [];
    },
    refresh(files) {
      compiler.refresh(files);
      compiled = undefined;
    },
  };
}
