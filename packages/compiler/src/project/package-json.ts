import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Implementation } from "@tenon/runtime/manifest";
import { toRangeSpan, type DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { ts } from "../typescript/typescript.js";

/** A project according to its package.json. */
export interface DescribedPackage {
  readonly implementation: Implementation;
  /** Whether `@redis/client` is among its dependencies. */
  readonly hasRedisClient: boolean;
}

/**
 * Reads name, version, description, and dependencies from the project's package.json.
 *
 * @param root the project folder
 * @returns undefined if the folder is not a project, which a diagnostic reports
 */
export function readPackage(root: string, collector: DiagnosticCollector): DescribedPackage | undefined {
  const report = collector.createReport();
  const missing = findMissingPart(root);
  if (missing) {
    report("config-not-a-project", undefined, { folder: root, missing });
    return undefined;
  }
  const path = join(root, "package.json");
  const text = readFileSync(path, "utf8");
  const { config, error } = ts.readConfigFile(path, () => text);
  const problem = error
    ? ts.flattenDiagnosticMessageText(error.messageText, "\n").replace("a 'tsconfig.json' file", "the file")
    : findJsonProblem(text);
  if (problem !== undefined) {
    const start = error?.start ?? 0;
    const span = toRangeSpan(ts.parseJsonText(path, text), start, start + (error?.length ?? 1), root);
    report("config-unreadable", span, { file: "package.json", problem });
    return undefined;
  }
  const { name, version, description, dependencies, optionalDependencies } = config as Record<
    string,
    unknown
  >;
  for (const [key, value] of Object.entries({ name, version, description })) {
    if (value === undefined || value === null || typeof value === "string") continue;
    const file = ts.parseJsonText(path, text);
    const member = findMember(file, key);
    const span = member && toRangeSpan(file, member.getStart(file), member.getEnd(), root);
    const shown = `\`${key}\` must be a string, but it is ${JSON.stringify(value)}.`;
    report("config-unreadable", span, { file: "package.json", problem: shown });
  }
  const implementation = {
    name: typeof name === "string" && name ? name : (root.split("/").at(-1) ?? "server"),
    version: typeof version === "string" && version ? version : "0.0.0",
    ...(typeof description === "string" && description ? { description } : {}),
  };
  const installed = { ...(dependencies as object), ...(optionalDependencies as object) };
  return { implementation, hasRedisClient: Object.hasOwn(installed, "@redis/client") };
}

/** Returns the value of a member of a JSON object. */
function findMember(file: ts.JsonSourceFile, key: string): ts.Node | undefined {
  const object = file.statements[0]?.expression;
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const members = object.properties.filter((each) => ts.isPropertyAssignment(each));
  return members.findLast(({ name }) => ts.isStringLiteral(name) && name.text === key)?.initializer;
}

/** Returns why Node and npm reject a string. TypeScript also accepts comments, trailing commas, and an empty file. */
function findJsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? undefined
      : "Not an object.";
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : "Not JSON.";
  }
}

function findMissingPart(root: string): "folder" | "package.json" | "src" | undefined {
  if (!existsSync(root) || !statSync(root).isDirectory()) return "folder";
  if (!existsSync(join(root, "package.json"))) return "package.json";
  return existsSync(join(root, "src")) ? undefined : "src";
}
