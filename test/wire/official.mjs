import { specTypeSchemas } from "@modelcontextprotocol/server";
import * as v1 from "@modelcontextprotocol/sdk/types.js";

/**
 * Finds a violation of the schemas of the official SDKs. Each SDK has one set of schemas for several revisions, which
 * is more lenient than that of any revision: version 1 for the legacy ones, version 2 for all. Clients of the SDK
 * cannot read messages that these schemas reject.
 *
 * @param {unknown} value
 * @param {string} name The name in the schema of the specification.
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
  const schema = /** @type {Record<string, any>} */ (v1)[`${findFormerName(name)}Schema`];
  const parsed = schema?.safeParse(value);
  if (parsed === undefined || parsed.success) return undefined;
  return `${describe(parsed.error.issues)} (SDK 1.x)`;
}

/** @param {unknown} value @param {string} name @param {string} revision */
function problemByVersion2(value, name, revision) {
  // Its client removes these members before it parses the rest, which may be empty.
  const rest =
    name === "EmptyResult" && isModern(revision) && typeof value === "object"
      ? { ...value, resultType: undefined }
      : value;
  const schema = /** @type {Record<string, any>} */ (specTypeSchemas)[findFormerName(name)];
  const issues = schema?.["~standard"].validate(rest).issues;
  return issues === undefined ? undefined : `${describe(issues)} (SDK 2.x)`;
}

/** Returns the name of a type in older revisions. @param {string} name */
function findFormerName(name) {
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
