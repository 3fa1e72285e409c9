import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ViewOptions } from "@tenon/runtime";
import type { Report } from "../diagnostics/diagnostic.js";
import { ts } from "../typescript/typescript.js";
import { LOADING, splitCandidates } from "./check-view-html.js";
import type { View } from "./view.js";
import { getGlobalName, isLibraryName, visit } from "./view-code.js";
import { findUndeclaredOrigin } from "./view-origins.js";
import { findStyleUrls, isInline, isRemote, type LoadedFile } from "./view-styles.js";

type List = LoadedFile["list"];

/** The calls that reach an origin, and the list of `csp` that allows them. */
const REQUESTS: Readonly<Record<string, List>> = {
  fetch: "connectDomains",
  Request: "connectDomains",
  sendBeacon: "connectDomains",
  WebSocket: "connectDomains",
  EventSource: "connectDomains",
  Image: "resourceDomains",
  Audio: "resourceDomains",
};

/** Checks a URL in the code. `loads` is false if the view may use the string for something else. */
type Check = (node: ts.Node, url: string | undefined, list: List, loads: boolean) => void;

/** Finds strings with an origin that the host would block, and those that name a file, which clients do not have. */
export function checkViewRequests(
  file: ts.SourceFile,
  { path, options }: View,
  checker: ts.TypeChecker,
  report: Report,
): void {
  const check: Check = (node, url = "", list, loads) => {
    const origin = findUndeclaredOrigin(url, list, options);
    if (origin !== undefined) report("view-origin-missing", node, { origin, list });
    if (loads && isFile(url)) report("view-not-self-contained", node, { path, url, isModule: true });
  };
  visit(file, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const { expression, arguments: [first, second] = [] } = node;
      if (!first) return;
      const name = getGlobalName(expression) ?? "";
      const list = REQUESTS[name];
      const loads = isLibraryName(expression, checker);
      if (list) check(first, getUrl(first, checker), list, loads);
      if (!second) return;
      // `request.open("GET", url)` of an `XMLHttpRequest`.
      const isOpen = ts.isPropertyAccessExpression(expression) && expression.name.text === "open";
      if (isOpen && isHttpMethod(first)) check(second, getUrl(second, checker), "connectDomains", loads);
      if (name === "URL" && isModuleUrl(second) && ts.isStringLiteralLike(first))
        check(first, first.text, "resourceDomains", loads);
    } else if (ts.isJsxAttribute(node)) {
      checkAttribute(node, file, checker, check);
    } else if (ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left)) {
      // `image.src = url`
      const { name, expression } = node.left;
      if (name.text !== "src" && name.text !== "poster") return;
      const type = checker.getTypeAtLocation(expression).symbol?.name ?? "";
      const list = type === "HTMLIFrameElement" ? "frameDomains" : "resourceDomains";
      check(node.right, getUrl(node.right, checker), list, /^HTML\w+Element$/.test(type));
    } else if (ts.isStringLiteralLike(node)) {
      const [style] = findStyleUrls(node.text);
      const attribute = ts.findAncestor(node, ts.isJsxAttribute);
      if (style) check(node, style.url, style.list, attribute?.name.getText(file) === "style");
    }
  });
}

/** Checks an attribute of JSX that may load a file. */
function checkAttribute(
  node: ts.JsxAttribute,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  check: Check,
): void {
  const element = node.parent.parent.tagName.getText(file);
  const name = node.name.getText(file).toLowerCase();
  const loads = LOADING[element]?.includes(name) === true;
  const { initializer } = node;
  const value = initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer;
  if (!value || (!loads && name !== "src" && name !== "poster")) return;
  const list = element === "iframe" ? "frameDomains" : "resourceDomains";
  const url = getUrl(value, checker);
  const urls = name === "srcset" ? splitCandidates({ url: url ?? "", start: 0 }) : [{ url }];
  for (const each of urls) check(value, each.url, list, loads);
}

/**
 * Checks a style sheet that a module imports, and those that it imports itself: clients block origins that the view does not
 * declare. The bundler reports files that do not exist.
 */
export function checkStyleSheet(
  from: string,
  specifier: string,
  options: ViewOptions,
  report: Report,
  seen: Set<string>,
): void {
  const path = join(dirname(from), specifier);
  if (!/^\.{1,2}\//.test(specifier) || seen.has(path) || !existsSync(path)) return;
  seen.add(path);
  const css = readFileSync(path, "utf8");
  const file = ts.createSourceMapSource(path, css);
  for (const { url, list, start } of findStyleUrls(css)) {
    if (url.endsWith(".css") && !isRemote(url))
      checkStyleSheet(path, url.startsWith(".") ? url : `./${url}`, options, report, seen);
    const origin = isRemote(url)
      ? findUndeclaredOrigin(new URL(url, "https://x").href, list, options)
      : undefined;
    if (origin !== undefined)
      report("view-origin-missing", { file, start, end: start + url.length }, { origin, list });
  }
}

/** Returns whether a URL names a file next to the view. */
function isFile(url: string): boolean {
  return !isRemote(url) && !isInline(url) && !/^[a-z][a-z+.-]*:/i.test(url);
}

/** Returns whether an expression is `import.meta.url`, which the script of a view does not have. */
export function isModuleUrl(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) && ts.isMetaProperty(node.expression) && node.name.text === "url"
  );
}

/** Returns the text of a URL, or as much of it as is constant: at least its origin. */
function getUrl(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNewExpression(node) && getGlobalName(node.expression) === "URL") {
    const [url, base] = (node.arguments ?? []).map((each) => getUrl(each, checker));
    return url !== undefined && URL.canParse(url) ? url : base;
  }
  const getConstant = (part: ts.Node): string => {
    const type = checker.getTypeAtLocation(part);
    return type.isStringLiteral() ? type.value : "";
  };
  if (ts.isIdentifier(node)) return getConstant(node);
  if (!ts.isTemplateExpression(node)) return undefined;
  const [first] = node.templateSpans;
  const base = node.head.text === "" && first ? getConstant(first.expression) + first.literal.text : "";
  const start = node.head.text + base;
  return /^\w+:\/\/[^/?#]+[/?#]/.test(start) ? start : undefined;
}

function isHttpMethod(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && /^(?:get|head|post|put|patch|delete|options)$/i.test(node.text);
}
