import { specTypeSchemas } from "@modelcontextprotocol/server";
import * as v1 from "@modelcontextprotocol/sdk/types.js";

/**
 * The official SDKs ship one set of schemas each, for every revision at once and more lenient than any: version
 * 1 for the legacy ones, version 2 for all. Their clients cannot read what these schemas reject.
 *
 * @param {unknown} value
 * @param {string} name As the specification's schema has it.
 * @param {string} revision
 */
export function officialProblem(value, name, revision) {
  return (
    (isModern(revision) ? undefined : problemByVersion1(value, name)) ??
    problemByVersion2(value, name, revision)
  );
}

/** @param {string} revision */
function isModern(revision) {
  return revision >= "2026-07-28";
}

/** @param {unknown} value @param {string} name */
function problemByVersion1(value, name) {
  const schema = /** @type {Record<string, any>} */ (v1)[`${renamed(name)}Schema`];
  const parsed = schema?.safeParse(value);
  if (parsed === undefined || parsed.success) return undefined;
  return `${describe(parsed.error.issues)} (SDK 1.x)`;
}

/** @param {unknown} value @param {string} name @param {string} revision */
function problemByVersion2(value, name, revision) {
  // Its client takes these members off before it looks at the rest, which may be nothing.
  const rest =
    name === "EmptyResult" && isModern(revision) && typeof value === "object"
      ? { ...value, resultType: undefined }
      : value;
  const schema = /** @type {Record<string, any>} */ (specTypeSchemas)[renamed(name)];
  const issues = schema?.["~standard"].validate(rest).issues;
  return issues === undefined ? undefined : `${describe(issues)} (SDK 2.x)`;
}

/** Older revisions have other names for the same. @param {string} name */
function renamed(name) {
  if (name === "JSONRPCResponse") return "JSONRPCResultResponse";
  return name === "JSONRPCError" ? "JSONRPCErrorResponse" : name;
}

/** @param {{ path?: readonly unknown[], message: string }[]} issues */
function describe(issues) {
  return issues
    .slice(0, 4)
    .map(({ path = [], message }) => `/${path.join("/")} ${message}`)
    .join(", ");
}
