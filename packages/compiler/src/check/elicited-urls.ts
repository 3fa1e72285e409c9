import type { SourceFile } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { evaluateConstant } from "../typescript/constant.js";
import { isContextCall } from "../typescript/context-calls.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Checks the URLs of elicitations that are known at build time. Browsers must be able to open them, and data sent to
 * them should be encrypted. The runtime checks all other URLs.
 */
export function checkElicitedUrls(
  { sourceFiles, checker }: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  const report = collector.createReport();
  for (const node of sourceFiles.flatMap((file) => findElicitedUrls(file, runtime))) {
    const value = evaluateConstant(node.compilerNode, checker)?.value;
    if (typeof value !== "string") continue;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol !== "https:" && url?.protocol !== "http:") {
      report("elicitation-url-invalid", node, { url: value });
    } else if (url.protocol === "http:" && !LOCAL_HOSTS.has(url.hostname)) {
      report("elicitation-url-not-encrypted", node, { url: value });
    }
  }
}

function findElicitedUrls(file: SourceFile, runtime: RuntimeSymbols) {
  // Searching every expression of a program is slow, and few files use URL elicitation.
  if (!/elicitUrl|UrlElicitationRequiredError/.test(file.getFullText())) return [];
  const elicited = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => isContextCall(call, "elicitUrl", runtime))
    .map((call) => call.getArguments()[1]);
  const required = file
    .getDescendantsOfKind(SyntaxKind.NewExpression)
    .filter(
      (created) =>
        runtime.getName(created.getExpression().getSymbol()?.compilerSymbol) ===
        "UrlElicitationRequiredError",
    )
    .flatMap((created) => created.getDescendantsOfKind(SyntaxKind.PropertyAssignment))
    .filter((property) => property.getName() === "url")
    .map((property) => property.getInitializer());
  return [...elicited, ...required].map(findUrlNode).filter(Node.isExpression);
}

/** Returns the argument of `new URL(…)`, or the expression itself. */
function findUrlNode(node: Node | undefined): Node | undefined {
  return Node.isNewExpression(node) &&
    node.getExpression().getText() === "URL" &&
    node.getArguments().length === 1
    ? node.getArguments()[0]
    : node;
}
