/**
 * Logs for programs: `@tenon/runtime/log`.
 * @module
 */
export { audit, type AuditOptions } from "./audit.js";
export { jsonLog, type JsonLogOptions } from "./json-log.js";
export { maskSecrets } from "./mask-secrets.js";
