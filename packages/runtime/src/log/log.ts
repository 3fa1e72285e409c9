/**
 * Logs for programs: `@tenon/runtime/log`.
 * @module
 */
export { jsonLog, type JsonLogOptions } from "./json-log.js";
export { maskSecrets } from "./mask-secrets.js";
