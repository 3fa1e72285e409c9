/**
 * The functions that work on a manifest or on diagnostics. They load neither TypeScript nor ajv, so that a command which
 * reuses an earlier compilation starts fast.
 * @module
 */
export { checkClients, estimateTokens } from "./clients/check-clients.js";
export { listServerOnlyConstraints } from "./clients/server-only-constraints.js";
export { renderDiagnostic } from "./diagnostics/render.js";
export { writeFileTree } from "./emit/file-tree.js";
export { replaceFile } from "./emit/replace-file.js";
export { gradeServer } from "./grade/grade.js";
export { addViewHashes } from "./views/view-hashes.js";
