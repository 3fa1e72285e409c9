/**
 * Reads the code of a page as input for the compiler.
 *
 * A page is one project: a block of TypeScript that begins with `// src/x.ts` is that file, until a later block is that
 * file as well. So is a block of Markdown that begins with `<!-- src/x.md -->`. A block without a path is a file that
 * is not imported. Marks change that:
 *
 * - `file=skills/x/SKILL.md`: the file of a skill
 * - `members`: methods of a class, which the page does not show
 * - `error=code`: the compiler must reject it with that code, and a block `text output` after it shows how
 * - `json definition=name`: the definition that clients receive under that name, in lines of at most 110 columns or
 * `width=COLUMNS`
 * - `fragment="why"`: cannot be compiled, for that reason
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic, type Compilation } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { format } from "prettier";
import type { ScratchProject } from "../support/scratch-project.js";
import { findBlocks, withCode, type Block } from "./blocks.js";
import { workspace } from "./pages.js";

const TYPESCRIPT = new Set(["ts", "tsx", "typescript"]);
const CONFIGURATION = "src/server.ts";
/** The class that is served if a page shows none. */
const NOTHING_ELSE = `import { Tool } from "@tenon/runtime";
export class Anything {
  /** Does nothing. */
  @Tool()
  nothing(): void {}
}
`;

/** Modules that an application imports when a built server is mounted in it: `./dist/app.js`. */
const BUILT = new Map([
  [
    "src/dist/app.d.ts",
    'import type { Server } from "@tenon/runtime/server";\nexport declare const server: Server;\n',
  ],
]);

/** The path of a Markdown file that the build reads, in its first line. */
const MARKDOWN_PATH = /^<!-- (src\/\S+\.md) -->\n/;

/** Blocks that are compiled on their own although they have a path: tests, and files of other programs. */
export function isCompiled({ language, marks, code }: Block): boolean {
  if (!TYPESCRIPT.has(language) || marks.has("fragment")) return false;
  const path = findPath(code);
  return path === undefined || path.startsWith("src/");
}

/** @example findPath("// src/weather.ts\n…") // "src/weather.ts" */
export function findPath(code: string): string | undefined {
  return /^\/\/ (\S+\/\S+\.\w+|\w+\.config\.ts)$/.exec(code.split("\n", 1)[0] ?? "")?.[1];
}

/** Returns the file of a block, by its path. */
export function toFile(block: Block): [path: string, text: string] {
  const { code, given, marks, line } = block;
  const isConfiguration = /^(?:export default )?defineServer\(/m.test(code);
  const path = findPath(code) ?? (isConfiguration ? CONFIGURATION : `src/block-${line}.ts`);
  const body = marks.has("members") ? `export class Block${line} {\n${code}}\n` : code;
  const text = isConfiguration ? body.replace(/^defineServer\(/m, "export default defineServer(") : body;
  // Block and file have the same line numbers.
  const before = `${importsFor(`${given}\n${text}`)}${given}`;
  return [path, before === "" ? text : `${before}\n${text}`];
}

/** Names that can be imported from "@tenon/runtime", by whether they are types. */
const EXPORTED = new Map(
  [
    ...readFileSync(join(workspace, "packages/runtime/src/index.ts"), "utf8").matchAll(
      /export (type )?\{([^}]*)\}/g,
    ),
  ].flatMap(([, isType, names = ""]) =>
    [...names.matchAll(/\w+/g)].map(([name]) => [name, isType !== undefined] as const),
  ),
);

/** Imports of the runtime that a block leaves out. */
function importsFor(text: string): string {
  if (/from "@tenon\/runtime"/.test(text)) return "";
  const own = new Set(
    [...text.matchAll(/(?:interface|class|type|const|function) (\w+)/g)].map(([, name]) => name),
  );
  const used = new Set([...text.matchAll(/(?<![.\w"/])[A-Za-z]\w*/g)].map(([name]) => name));
  const names = [...EXPORTED].filter(([name]) => used.has(name) && !own.has(name));
  if (names.length === 0) return "";
  return `import { ${names.map(([name, isType]) => (isType ? `type ${name}` : name)).join(", ")} } from "@tenon/runtime";\n`;
}

export interface PageProblem {
  readonly line: number;
  readonly text: string;
}

export interface CompiledPage {
  /** The page with the actual output in its blocks of output. */
  readonly text: string;
  readonly problems: readonly PageProblem[];
}

/** Compiles the code of a page, and returns the results. */
export async function compilePage(text: string, project: ScratchProject): Promise<CompiledPage> {
  const blocks = findBlocks(text);
  const replaced = new Map<Block, string>();
  const problems: PageProblem[] = [];
  const files = new Map<string, string>();
  /** Files that nothing has compiled yet. */
  const unseen = new Set<string>();
  let line = 1;
  let compilation: Compilation | undefined;

  const compile = (): Compilation => {
    if (compilation) return compilation;
    const serves = [...files.values()].some((file) => /@(?:Tool|Prompt|Resource)\(/.test(file));
    const all = new Map([
      ...BUILT,
      ...files,
      ...(serves ? [] : [["src/anything.ts", NOTHING_ELSE] as const]),
    ]);
    compilation = project.compile(Object.fromEntries(all));
    unseen.clear();
    for (const each of compilation.diagnostics) problems.push({ line, text: renderDiagnostic(each) });
    return compilation;
  };
  const forgetBlocks = (): void => {
    for (const path of files.keys()) if (path.startsWith("src/block-")) files.delete(path);
  };

  for (const [index, block] of blocks.entries()) {
    const { language, marks, code } = block;
    const next = blocks[index + 1];
    if (marks.has("fragment") && marks.get("fragment") === "") {
      problems.push({ line: block.line, text: 'A fragment says why it is one: fragment="…".' });
    }
    const skillFile = marks.get("file");
    if (skillFile !== undefined || isCompiled(block)) {
      const [path, file] = skillFile === undefined ? toFile(block) : [skillFile, code];
      const wanted = marks.get("error");
      if (wanted !== undefined) {
        if (unseen.size > 0) compile();
        forgetBlocks();
        const { diagnostics } = project.compile({ ...Object.fromEntries(files), [path]: file });
        const codes = [...new Set(diagnostics.map((each) => each.code))].sort().join(",");
        if (codes !== wanted)
          problems.push({
            line: block.line,
            text: `It should give ${wanted}, and gives ${codes || "nothing"}.`,
          });
        const shown = diagnostics.map((each) => renderDiagnostic(each)).join("\n");
        if (next?.marks.has("output")) replaced.set(next, shown);
        compilation = undefined;
        continue;
      }
      if (unseen.has(path)) compile();
      if (compilation) forgetBlocks();
      files.set(path, file);
      unseen.add(path);
      line = block.line;
      compilation = undefined;
    } else if (language === "md" && MARKDOWN_PATH.test(code)) {
      const [first = "", path = ""] = MARKDOWN_PATH.exec(code) ?? [];
      files.set(path, code.slice(first.length));
      compilation = undefined;
    } else if (language === "json" && marks.has("definition")) {
      const definition = findDefinition(compile().manifest, marks.get("definition") ?? "");
      if (definition === undefined)
        problems.push({ line: block.line, text: `Nothing is listed as ${marks.get("definition")}.` });
      else {
        const printWidth = Number(marks.get("width") ?? 110);
        replaced.set(block, await format(JSON.stringify(definition), { parser: "json", printWidth }));
      }
    } else if (language === "json" && !marks.has("fragment")) {
      try {
        JSON.parse(code);
      } catch (error) {
        problems.push({ line: block.line, text: `This is not valid JSON: ${(error as Error).message}` });
      }
    }
  }
  if (unseen.size > 0) compile();
  return { text: withCode(text, replaced), problems };
}

function findDefinition(manifest: Manifest | undefined, name: string): object | undefined {
  if (!manifest) return undefined;
  const { tools, prompts, resources, resourceTemplates } = manifest;
  return [...tools, ...prompts, ...resources, ...resourceTemplates]
    .map(({ definition }) => definition)
    .find((each) => each.name === name);
}
