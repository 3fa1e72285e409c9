import { getWorkerNumber } from "../observe/metrics/worker-number.js";

/**
 * The environment variable that tells workers that the primary process has created their key, which no other process
 * knows, and which is lost when the primary process ends.
 */
export const TEMPORARY_KEYS = "TENON_TEMPORARY_KEYS";

/** Warning about a store that outlives the key with which its values are encrypted. */
export const TEMPORARY_KEYS_WARNING =
  "The store is encrypted with a key that is lost when the server stops, and that servers on other machines do not have, because " +
  "TENON_STATE_KEYS is not set. Set it to the same secret in all processes; create one with `openssl rand -base64 32`.";

/** Returns whether this process should warn about a temporary key: of several workers, only the first does. */
export function mustWarnAboutTemporaryKeys(): boolean {
  return getWorkerNumber() === 1 && process.env[TEMPORARY_KEYS] === "true";
}
