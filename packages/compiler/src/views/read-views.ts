import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { ViewOptions } from "@tenon/runtime";
import { findOptions } from "../check/options.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { Declaration, ToolDeclaration } from "../model.js";
import type { Project } from "../project/project.js";
import { findMember, findOrigin, getMembers } from "../read/literals.js";
import { Node, type ts } from "../typescript/typescript.js";
import { checkViewExport } from "./check-view-export.js";
import { checkViewModules } from "./check-view-modules.js";
import { checkViewHtml } from "./check-view-html.js";
import type { View, ViewContext } from "./view.js";

/**
 * Reads the views of all tools, and checks their files. A tool whose view cannot be built has a diagnostic, and is not
 * served.
 */
export function readViews(declarations: readonly Declaration[], context: ViewContext): View[] {
  const views = new Map<string, View>();
  const hasViews = declarations.some(({ options }) => options.view !== undefined);
  for (const { name, options, decorator } of hasViews ? [] : declarations) {
    if (options.visibility === undefined) continue;
    const edit = "Remove the option, or give a tool a `view`.";
    const reason = "the server has no views";
    context.collector.createReport(name)("option-without-effect", decorator, {
      option: "visibility",
      reason,
      edit,
    });
  }
  for (const declaration of declarations) {
    if (declaration.kind !== "tool" || declaration.options.view === undefined) continue;
    const report = context.collector.createReport(declaration.name);
    const view = readView(declaration, declaration.options.view, context.project, report);
    if (view === undefined) continue;
    // Many file systems ignore case, and each view becomes a file.
    const key = view.name.toLowerCase();
    const same = views.get(key);
    if (same === undefined) views.set(key, view);
    else if (same.path !== view.path)
      report("view-name-taken", view.at, { view: view.name, first: same.path, second: view.path });
    else if (toComparable(same.options) !== toComparable(view.options))
      report("view-options-differ", view.at, { path: view.path, tool: same.tools[0]?.name.name ?? "" });
    else same.tools.push(declaration);
  }
  const served = [...views.values()];
  for (const view of served) {
    if (view.kind === "html") {
      checkViewHtml(view, context);
    } else {
      checkViewExport(view, context);
      checkViewModules(view, declarations, context);
    }
  }
  return served;
}

const EXTENSION = /(?:\.view)?\.(?:[cm]?[jt]sx?|html)$/;

function readView(
  declaration: ToolDeclaration,
  option: string | ViewOptions,
  project: Project,
  report: Report,
): View | undefined {
  const options = typeof option === "string" ? { file: option } : option;
  // Options of the wrong type are already reported.
  if (typeof options.file !== "string" || options.file === "") return undefined;
  const folder = posix.dirname(declaration.call.getSourceFile().getFilePath());
  const absolute = posix.join(folder, options.file);
  const path = posix.relative(project.root, absolute);
  const at = findViewNode(declaration, project.checker);
  const { meta } = declaration.options;
  if (meta?.["ui"] !== undefined) report("view-metadata-taken", at, { tool: declaration.name.name });
  if (!EXTENSION.test(path) || path.startsWith("../") || !existsSync(absolute)) {
    report("view-not-found", at, { file: options.file, path, exists: existsSync(absolute) });
    return undefined;
  }
  const name = path.replace(/^src\//, "").replace(EXTENSION, "");
  const kind = path.endsWith(".html") ? "html" : "component";
  return { name, path, kind, options, tools: [declaration], at };
}

/** Returns the file name in the decorator's options. */
function findViewNode(declaration: ToolDeclaration, checker: ts.TypeChecker): Node {
  const options = findOptions(declaration);
  let node: Node | undefined = options && findOrigin(options);
  for (const name of ["view", "file"]) {
    if (!Node.isObjectLiteralExpression(node)) break;
    const { value } = findMember(name, getMembers(node, checker)) ?? {};
    node = value && findOrigin(value);
  }
  return node ?? declaration.decorator;
}

/** Returns the options as text that does not depend on the file's path, which two folders write differently. */
function toComparable({ file: _file, ...options }: ViewOptions): string {
  return JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));
}
