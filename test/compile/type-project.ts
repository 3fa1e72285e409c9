import { dirname, join } from "node:path";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "ts-morph";
// Internal: the schema of any type, at the cost of a fraction of a compilation.
import { createCollector, type Diagnostic } from "../../packages/compiler/src/diagnostics/diagnostic.js";
import {
  deriveArguments,
  type DerivedArguments,
} from "../../packages/compiler/src/schema/arguments/arguments.js";
import { createCompilerHost } from "../../packages/compiler/src/project/compiler-host.js";
import { lower, lowerResult } from "../../packages/compiler/src/profiles/profiles.js";
import { deriveType, type Derived, type Direction } from "../../packages/compiler/src/schema/derive.js";
import {
  createDerivationCache,
  type DerivationCache,
} from "../../packages/compiler/src/schema/derivation/derivation-cache.js";

/** Derived result, with the schema as clients of the profile `portable` see it. */
export type Listed<Result> = Result & {
  /** Schema that values are validated against, if the listed schema cannot express it in a form that every client accepts. */
  exact?: JsonSchema;
};

/** The project folder. It is in the workspace, so that imports of packages resolve; nothing is written there. */
const ROOT = join(import.meta.dirname, "virtual").replaceAll("\\", "/");

/** Snippets of TypeScript in one program: loading the library's types once makes a snippet cost a millisecond. */
export interface TypeProject {
  readonly checker: ts.TypeChecker;
  readonly cache: DerivationCache;
  /** Returns the file of a snippet. */
  file(name: string): ts.SourceFile;
  /** Returns the lines (from 1) of a file with errors of TypeScript. */
  errorLines(name: string): Set<number>;
  /** Derives `type Row = …` of a snippet. */
  type(name: string, direction?: "input" | "output"): Outcome<Derived>;
  /** Derives the arguments of a method of the snippet's class, the first unless named. */
  method(name: string, method?: string): Outcome<DerivedArguments>;
  /** Derives the arguments of a method of a class, declared or inherited. */
  inheritedMethod(name: string, className: string, method: string): Outcome<DerivedArguments>;
  methodNode(name: string, method?: string): ts.MethodDeclaration;
}

export interface Outcome<Result> {
  derived: Listed<Result> | undefined;
  diagnostics: Diagnostic[];
}

/** Creates a project of all snippets. Their names must not end in `.ts`. */
export function createTypeProject(
  snippets: Record<string, string>,
  options: ts.CompilerOptions = {},
): TypeProject {
  const settings: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: ["node"],
    skipLibCheck: true,
    experimentalDecorators: true,
    ...options,
  };
  const texts = new Map(Object.entries(snippets).map(([name, text]) => [`${ROOT}/${name}.ts`, text]));
  const host = createHost(texts, settings);
  const program = ts.createProgram({ rootNames: [...texts.keys()], options: settings, host });
  const checker = program.getTypeChecker();
  const cache = createDerivationCache(checker);

  const file = (name: string): ts.SourceFile => {
    const found = program.getSourceFile(`${ROOT}/${name}.ts`);
    if (!found) throw new Error(`No snippet ${name}.`);
    return found;
  };
  const methodNode = (name: string, method?: string): ts.MethodDeclaration => {
    const methods = file(name).statements.flatMap((each) =>
      ts.isClassDeclaration(each) ? each.members.filter((member) => ts.isMethodDeclaration(member)) : [],
    );
    const found =
      method === undefined ? methods.at(-1) : methods.find((each) => each.name.getText() === method);
    if (!found) throw new Error(`No method ${method} in ${name}.`);
    return found;
  };
  return {
    checker,
    cache,
    file,
    methodNode,
    errorLines: (name) =>
      new Set(
        program
          .getSemanticDiagnostics(file(name))
          .map((each) => file(name).getLineAndCharacterOfPosition(each.start ?? 0).line + 1),
      ),
    type(name, direction = "input") {
      const collector = createCollector(ROOT);
      const row = file(name).statements.find(
        (each): each is ts.TypeAliasDeclaration =>
          ts.isTypeAliasDeclaration(each) && each.name.text === "Row",
      );
      if (!row) throw new Error(`No type Row in ${name}.`);
      const context = { checker, cache, direction, report: collector.createReport() };
      const derived = deriveType(checker.getTypeFromTypeNode(row.type), row.type, [], context);
      return { derived: derived && toListed(derived, direction), diagnostics: collector.diagnostics };
    },
    method(name, method) {
      const node = methodNode(name, method);
      return derive(checker.getSignatureFromDeclaration(node), node);
    },
    inheritedMethod(name, className, method) {
      const owner = file(name).statements.find(
        (each): each is ts.ClassDeclaration => ts.isClassDeclaration(each) && each.name?.text === className,
      );
      const symbol = owner && checker.getTypeAtLocation(owner).getProperty(method);
      const node = symbol?.valueDeclaration;
      if (!symbol || !node) throw new Error(`No method ${method} in ${className}.`);
      return derive(checker.getTypeOfSymbol(symbol).getCallSignatures()[0], node, owner);
    },
  };

  function derive(
    signature: ts.Signature | undefined,
    node: ts.Declaration,
    owner: ts.Node = node.parent,
  ): Outcome<DerivedArguments> {
    const collector = createCollector(ROOT);
    if (!signature) throw new Error(`No signature in ${node.getText()}.`);
    const subject = { kind: "tool" as const, name: ts.getNameOfDeclaration(node)?.getText() ?? "" };
    const report = collector.createReport();
    const derived = deriveArguments(signature, node, {
      checker,
      cache,
      subject,
      owner,
      direction: "input",
      report,
    });
    return { derived: derived && toListed(derived, "input"), diagnostics: collector.diagnostics };
  }
}

/** Creates the compiler's own host, with these files in addition to those on disk. */
function createHost(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = createCompilerHost(options, new Map());
  const { fileExists, readFile, directoryExists } = host;
  const folders = new Set([...texts.keys()].map((path) => dirname(path)));
  return Object.assign(host, {
    fileExists: (path: string) => texts.has(path) || fileExists(path),
    readFile: (path: string) => texts.get(path) ?? readFile(path),
    directoryExists: (path: string) => folders.has(path) || directoryExists?.(path) === true,
  });
}

function toListed<Result extends Derived>(derived: Result, direction: Direction): Listed<Result> {
  const { schema } =
    direction === "output" ? { schema: lowerResult(derived.schema) } : lower(derived.schema, "portable");
  return { ...derived, schema, ...(schema !== derived.schema && { exact: derived.schema }) };
}
