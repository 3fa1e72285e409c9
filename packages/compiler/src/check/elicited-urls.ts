import { Node, SyntaxKind, type SourceFile } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { constantValue } from "../project/constant.js";
import { isContextCall } from "../project/context-calls.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The URLs that users are sent to, where they are known before the program runs: a browser must be able to open them,
 * and what is sent to them should be encrypted. The runtime looks at all others.
 */
export function checkElicitedUrls(
  { sourceFiles, checker }: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  const report = collector.reporter();
  for (const node of sourceFiles.flatMap((file) => elicitedUrls(file, runtime))) {
    const value = constantValue(node.compilerNode, checker)?.value;
    if (typeof value !== "string") continue;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol !== "https:" && url?.protocol !== "http:") {
      report("elicited-url-invalid", node, { url: value });
    } else if (url.protocol === "http:" && !LOCAL_HOSTS.has(url.hostname)) {
      report("elicited-url-not-encrypted", node, { url: value });
    }
  }
}

function elicitedUrls(file: SourceFile, runtime: RuntimeSymbols) {
  // Looking at every expression of a program is slow, and hardly any file sends its user anywhere.
  if (!/elicitUrl|UrlElicitationRequiredError/.test(file.getFullText())) return [];
  const asked = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => isContextCall(call, "elicitUrl", runtime))
    .map((call) => call.getArguments()[1]);
  const required = file
    .getDescendantsOfKind(SyntaxKind.NewExpression)
    .filter(
      (made) =>
        runtime.nameOf(made.getExpression().getSymbol()?.compilerSymbol) === "UrlElicitationRequiredError",
    )
    .flatMap((made) => made.getDescendantsOfKind(SyntaxKind.PropertyAssignment))
    .filter((property) => property.getName() === "url")
    .map((property) => property.getInitializer());
  return [...asked, ...required].map(urlText).filter(Node.isExpression);
}

/** What a `new URL(…)` is made of, or the text itself. */
function urlText(node: Node | undefined): Node | undefined {
  return Node.isNewExpression(node) &&
    node.getExpression().getText() === "URL" &&
    node.getArguments().length === 1
    ? node.getArguments()[0]
    : node;
}
