/**
 * Adds the option `view` to the decorator of a tool. The source keeps its formatting.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import type { CallExpression, ClassDeclaration, SourceFile } from "ts-morph";
import { Node, Project } from "../typescript/typescript.js";

/** The decorator to change. */
export interface DecoratedTool {
  /** Absolute path of the source file. */
  readonly file: string;
  /** The name under which the class is exported. */
  readonly exportName: string;
  readonly method: string;
  /** Whether the class is decorated instead of the method. */
  readonly isClassDecorated: boolean;
}

/**
 * Returns the text of the file with the option. Does not write it.
 *
 * @param view the path of the view, relative to the file
 * @returns undefined if the options are not written in the decorator
 * @example
 * const file = "/project/src/weather.ts";
 * const tool = { file, exportName: "Weather", method: "forecast", isClassDecorated: false };
 * addViewOption(tool, "./forecast.view.tsx");
 */
export function addViewOption(tool: DecoratedTool, view: string): string | undefined {
  const text = existsSync(tool.file) ? readFileSync(tool.file, "utf8") : "";
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile("source.ts", text);
  const call = findDecoratorCall(file, tool);
  if (call === undefined) return undefined;
  const [options] = call.getArguments();
  const quote = /from '/.test(text) ? "'" : '"';
  const option = `view: ${quote}${view}${quote}`;
  if (options === undefined) return insert(text, call.getEnd() - 1, `{ ${option} }`);
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const last = options.getProperties().at(-1);
  if (last === undefined) return insert(text, options.getStart() + 1, ` ${option} `);
  // The last member may be on its own line.
  const start = text.lastIndexOf("\n", last.getStart()) + 1;
  const before = text.slice(start, last.getStart());
  const separator = before.trim() === "" ? `,\n${before}` : ", ";
  return insert(text, last.getEnd(), separator + option);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

function findDecoratorCall(
  file: SourceFile,
  { exportName, method, isClassDecorated }: DecoratedTool,
): CallExpression | undefined {
  const node = file
    .getClasses()
    .find((each) => (exportName === "default" ? each.isDefaultExport() : each.getName() === exportName));
  const decorated: ClassDeclaration | ReturnType<ClassDeclaration["getMethod"]> = isClassDecorated
    ? node
    : node?.getMethod(method);
  const names = new Set(listLocalNames(file));
  return decorated
    ?.getDecorators()
    .find((each) => names.has(each.getName()))
    ?.getCallExpression();
}

/** Lists the names under which the file imports the decorator. */
function listLocalNames(file: SourceFile): string[] {
  return file
    .getImportDeclarations()
    .flatMap((each) => each.getNamedImports())
    .flatMap((each) => (each.getName() === "Tool" ? (each.getAliasNode()?.getText() ?? "Tool") : []));
}
