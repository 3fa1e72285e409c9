import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";

const tests = join(import.meta.dirname, "..");

/** A module of a package that no entry publishes. */
const INTERNAL = /^(?:\.\.\/)+packages\/[\w-]+\/(?:src|dist)\//;

const REASON = /\/\/ Internal: \S.*\n\s*$/;

/** Returns the modules that a statement imports or mocks anywhere. */
function findModules(node: ts.Node): string[] {
  if (isModuleName(node)) return [node.text];
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...findModules(child)));
  return found;
}

function isModuleName(node: ts.Node): node is ts.StringLiteral {
  if (!ts.isStringLiteral(node)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
  return ts.isCallExpression(parent) && /^(?:import|vi\.\w+)$/.test(parent.expression.getText());
}

/**
 * Returns the internal modules that a test file imports without a reason: a comment `// Internal: …` before the statement, or
 * before the first of several such imports in a row.
 */
function unexplainedImports(text: string): string[] {
  const file = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest, true);
  let isExplained = false;
  return file.statements.flatMap((statement) => {
    const internal = findModules(statement).filter((name) => INTERNAL.test(name));
    const hasReason = REASON.test(text.slice(statement.getFullStart(), statement.getStart()));
    isExplained = internal.length > 0 && (hasReason || isExplained);
    return isExplained ? [] : internal;
  });
}

test("a test that imports internal modules states its reason", () => {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !/node_modules|compile\/fixtures\//.test(file));
  const unexplained = files.flatMap((file) => {
    const text = readFileSync(join(tests, file), "utf8");
    return text.includes("/packages/") ? unexplainedImports(text).map((name) => `${file}: ${name}`) : [];
  });
  expect(
    unexplained,
    "Test it through a published entry, a command, or a transport, or give the reason in `// Internal: …`",
  ).toEqual([]);
});

test.each([
  ['import { a } from "../../packages/cli/src/a.js";', 1],
  ['import type { A } from "../../packages/cli/src/a.js";', 1],
  ['vi.mock("../../packages/cli/src/a.js");', 1],
  ['test("a", async () => void (await import("../../packages/cli/src/a.js")));', 1],
  ['let a: typeof import("../../packages/cli/src/a.js");', 1],
  ['import { a } from "@tenon/cli";\nconst path = join("../../packages/cli/dist/bin.js");', 0],
  ['// Internal: a reason.\nimport { a } from "../../packages/cli/src/a.js";', 0],
  ['// Internal: a reason.\nimport "../../packages/cli/src/a.js";\nimport "../../packages/cli/src/b.js";', 0],
  [
    '// Internal: a reason.\nimport "../../packages/cli/src/a.js";\nimport "c";\nimport "../packages/d/src/d.js";',
    1,
  ],
  ['// Internal:\nimport { a } from "../../packages/cli/src/a.js";', 1],
])("unexplained imports are detected: %j", (text, count) => {
  expect(unexplainedImports(text)).toHaveLength(count);
});
