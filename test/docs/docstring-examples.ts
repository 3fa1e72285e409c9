/**
 * Examples of docstrings, each as a file that can be compiled.
 *
 * An example can use the names in its file, public or not, the exports of our packages, and the names of `GIVEN`, which
 * represent values that a reader has. It consists of statements; of members of a class, if it begins with a decorator;
 * of members of an object, such as `rateLimit: { … }`, which are checked against the interface that documents them; or,
 * if it begins with a brace, of a value of the interface that it documents. `{ … }` is an omitted body.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
// Internal: the program of TypeScript that examples are checked with.
import { createCompilerHost } from "../../packages/compiler/src/project/compiler-host.js";
import { sourceEntries } from "../support/source-entries.js";
import { workspace } from "./pages.js";

export interface Example {
  /** Path of the source that contains the example, from the root of the repository. */
  readonly path: string;
  /** The line number, starting at 1. */
  readonly line: number;
  readonly code: string;
  /** The interface that it documents, or that has the member which it documents. */
  readonly of: ts.InterfaceDeclaration | undefined;
}

const TYPED = (name: string, type: string): string => `declare const ${name}: ${type};`;
const TYPE_OF_MANIFEST = "import('@tenon/runtime/manifest').Manifest";
const MIDDLEWARE = "import('@tenon/runtime').Middleware";

/** Names that examples use without declaring them and that no package exports. */
const GIVEN = new Map<string, string>([
  ...Object.entries({
    after: TYPE_OF_MANIFEST,
    before: TYPE_OF_MANIFEST,
    manifest: TYPE_OF_MANIFEST,
    ctx: "import('@tenon/runtime').Context",
    notifier: "import('@tenon/runtime').Notifier",
    server: "import('@tenon/runtime/server').Server",
    app: "{ use(handler: import('express').RequestHandler): void }",
    amount: "number",
    city: "string",
    clientSecret: "string",
    cursor: "import('@tenon/runtime').Cursor<number>",
    limits: "import('../access/download/download.js').DownloadLimits",
    rows: "readonly { id: number }[]",
    name: "string",
    paint: "import('./terminal.js').Paint",
    path: "string",
    jwtVerify: "typeof import('jose').jwtVerify",
    readFile: "typeof import('node:fs/promises').readFile",
    text: "string",
    token: "string | undefined",
    url: "string",
    timed: MIDDLEWARE,
    cached: MIDDLEWARE,
    countEveryCall: MIDDLEWARE,
    cacheAnswers: MIDDLEWARE,
    readOnlyAtNight: MIDDLEWARE,
  }).map(([name, type]) => [name, TYPED(name, type)] as const),
  // Names of the reader's domain, or of our own code around an example, have any type.
  ..."answer archive bank bindings ca checker classes comments connection createClient db entry err error expect finishLogin key"
    .concat(
      " flow flows histogram id index item leave method node openDatabase period pino report resolve root schema",
    )
    .concat(" scope shop state test type users validators value application")
    .split(" ")
    .map((name) => [name, TYPED(name, "any")] as const),
  ..."Conditions Files Forecast Library NatsStore Order Records SqsMessage SqsQueue Task User"
    .split(" ")
    .map(
      (name) =>
        [name, `${TYPED(name, "any")} type ${name}${name === "Records" ? "<T>" : ""} = any;`] as const,
    ),
  ["Weather", "declare class Weather { constructor(...args: any[]); [name: string]: any }"],
  [
    "Deno",
    "declare namespace Deno { interface NetAddr { hostname: string } interface ServeHandlerInfo<A> { remoteAddr: A } }",
  ],
]);

/** Tags that TypeScript finds in docstrings of a source: editors show `@Tool` at the beginning of a word as one. */
export function tagsIn(path: string): { name: string; line: number }[] {
  const file = ts.createSourceFile(
    path,
    readFileSync(join(workspace, path), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const tags: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    for (const { tagName } of ((node as { jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? []).flatMap(
      (doc) => doc.tags ?? [],
    )) {
      tags.push({ name: tagName.text, line: file.getLineAndCharacterOfPosition(tagName.pos).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return tags;
}

/** Returns every example in the docstrings of a source. */
export function examplesIn(path: string): Example[] {
  const text = readFileSync(join(workspace, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const examples: Example[] = [];
  const visit = (node: ts.Node, owner: ts.InterfaceDeclaration | undefined): void => {
    const here = ts.isInterfaceDeclaration(node) ? node : owner;
    for (const doc of (node as { jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? []) {
      for (const { offset, code } of findTagExamples(doc.getText(file))) {
        const { line } = file.getLineAndCharacterOfPosition(doc.getStart(file) + offset);
        examples.push({ path, line: line + 1, code, of: here });
      }
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(file, undefined);
  return examples;
}

/** Finds the examples of a docstring by its own tags, since TypeScript mistakes decorators in examples for tags. */
function findTagExamples(docstring: string): { offset: number; code: string }[] {
  const TAG = /^(?:\/\*\*)?[ *]*@(example|see|param|returns|throws|remarks|default|module)\b ?/;
  const found: { offset: number; lines: string[] }[] = [];
  let isOpen = false;
  let offset = 0;
  for (const line of docstring.replace(/\s*\*\/$/, "").split("\n")) {
    const tag = TAG.exec(line);
    if (tag) {
      isOpen = tag[1] === "example";
      if (isOpen) found.push({ offset, lines: [line.slice(tag[0].length)] });
    } else if (isOpen) found.at(-1)?.lines.push(line.replace(/^\s*\* ?/, ""));
    offset += line.length + 1;
  }
  return found.map((each) => ({ offset: each.offset, code: shownCode(each.lines.join("\n").trim()) }));
}

/** Restores the characters that are escaped in a comment. */
function shownCode(text: string): string {
  return text.replaceAll("*\\/", "*/").replaceAll("\\@", "@").replaceAll("\\`", "`").replaceAll("\\$", "$");
}

/** Names that the entries of our packages export, with the entry: the first one in the order of the reviewed lists. */
function exportedNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const list of ["runtime", "compiler", "cli"]) {
    let entry = "";
    for (const line of readFileSync(join(workspace, `test/published/api/${list}.txt`), "utf8").split("\n")) {
      const [, indent = "", name = "", kind = ""] = /^( *)([^\s:]+)(?:: (.*))?$/.exec(line) ?? [];
      if (indent === "") entry = name;
      else if (!names.has(name)) {
        const isType = /^(?:interface|type)/.test(kind);
        names.set(name, `import { ${isType ? "type " : ""}${name} } from "${entry}";`);
      }
    }
  }
  return names;
}

/** Returns the example as it is compiled, after lines that it does not contain. */
export function toExampleFile(example: Example, exported = exportedNames()): { text: string; start: number } {
  const source = readFileSync(join(workspace, example.path), "utf8");
  const code = inContext(example);
  const standsAlone = /^import /m.test(code);
  const above = standsAlone ? "" : source;
  const declared = declaredIn(`${above}\n${code}`);
  const used = new Set(
    [...code.replaceAll(/(?<=^|\s)\/\/.*$/gm, "").matchAll(/(?<![.\w"'/#])[A-Za-z]\w*(?!:)/g)].map(
      ([name]) => name,
    ),
  );
  const missing = [...used].filter((name) => !declared.has(name));
  const given = missing.flatMap((name) => {
    const found = GIVEN.get(name) ?? exported.get(name);
    return found === undefined ? [] : [found];
  });
  const before = [above, ...given, ""].join("\n");
  return { text: `${before}${code}\nexport {};\n`, start: before.length };
}

/** Names at the top of a file. */
function declaredIn(text: string): Set<string> {
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest);
  const names = new Set<string>();
  const add = (name: ts.Node | undefined): void => {
    if (name && ts.isIdentifier(name)) names.add(name.text);
    else if (name) ts.forEachChild(name, (each) => add(ts.isBindingElement(each) ? each.name : undefined));
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      add(statement.importClause?.name);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamedImports(bindings)) for (const { name } of bindings.elements) add(name);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) add(name);
    } else add((statement as { name?: ts.Node }).name);
  }
  return names;
}

function inContext({ code: shown, of }: Example): string {
  const code = shown.replaceAll("{ … }", "{ throw new Error(); }");
  if (/^(?:return\b|this\.)/m.test(code))
    return `class Example {\n[name: string]: any;\nasync example() {\n${code}\n}\n}`;
  if (parses(code) && !/^(?:[A-Za-z]\w*: |\{)/.test(code)) return code;
  const wanted = of ? `: Partial<${of.name.text}>` : "";
  if (/^[A-Za-z]\w*: /m.test(code.replaceAll(/^\/\/.*\n/gm, "").split("\n", 1)[0] ?? ""))
    return `const example${wanted} = {\n${code}\n};`;
  if (/^(?:\/\/.*\n)*\{/.test(code))
    return code.replace(/^\{/m, `const example${of ? `: ${of.name.text}` : ""} = {`);
  const members = `class Example {\n[name: string]: any;\n${code}\n}`;
  return parses(members) ? members : code;
}

function parses(code: string): boolean {
  const file = ts.createSourceFile("x.ts", code, ts.ScriptTarget.Latest);
  return (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics.length === 0;
}

/** Returns the errors that the compiler reports for each rejected example. */
export function findProblems(examples: readonly Example[]): string[] {
  const exported = exportedNames();
  const files = new Map(
    examples.map((example, index) => {
      const path = join(workspace, example.path.replace(/\.tsx?$/, `.example-${index}.ts`));
      return [path, { example, ...toExampleFile(example, exported) }] as const;
    }),
  );
  const { config } = ts.readConfigFile(join(workspace, "tsconfig.json"), ts.sys.readFile) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, workspace);
  const checked: ts.CompilerOptions = {
    ...options,
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    // The test kit knows the tools of a project by types that are generated there.
    noUncheckedIndexedAccess: false,
    paths: Object.fromEntries(
      sourceEntries().map(({ find, replacement }) => [
        find.source.slice(1, -1).replaceAll("\\/", "/"),
        [replacement],
      ]),
    ),
  };
  const host = createCompilerHost(checked, new Map());
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = files.get(path)?.text;
    return text === undefined
      ? getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...files.keys()], checked, host);
  return [...files].flatMap(([path, { example, start }]) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found
      .filter((each) => (each.start ?? 0) >= start)
      .map(
        (each) =>
          `${example.path}:${example.line}  ${ts.flattenDiagnosticMessageText(each.messageText, "\n")}\n${example.code}\n`,
      );
  });
}
