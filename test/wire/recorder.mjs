/**
 * Records the messages between servers and clients for `check.mjs`. Another process checks them, because the process
 * that records them may be limited in what it loads, and may be killed at any time.
 */
import { mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The variable with the folder to which a process and its child processes write. Without it, nothing is recorded. */
export const FOLDER_VARIABLE = "TENON_WIRE_FOLDER";

/** Set on a server of `node:http` that is not ours, so that its messages are not recorded. */
export const FOREIGN = Symbol.for("tenon.test.foreign-server");

/**
 * @typedef {"stdio" | "http" | "web" | "memory"} Way
 *
 * The first entry of a conversation.
 * @typedef {object} Opening
 * @property {Way} way
 * @property {string} program The program that runs.
 * @property {string} [verb] The method of an HTTP request, to which the following members also belong.
 * @property {string} [url]
 * @property {string} [version] The header MCP-Protocol-Version.
 * @property {string} [session] The header Mcp-Session-Id.
 *
 * The first entry of an HTTP response.
 * @typedef {object} Head
 * @property {number} status
 * @property {string} [type] The header Content-Type.
 * @property {string} [session]
 *
 * `in` and `out` are text as it arrived, cut anywhere; `received` and `sent` are whole messages.
 * @typedef {{ open: Opening } | { in: string } | { head: Head } | { out: string } | { end: true }
 *   | { received: unknown } | { sent: string }} Happening
 *
 * @typedef {(happening: Happening) => void} Note
 */

/**
 * Opens a file for this process in the folder.
 *
 * @param {string} folder
 * @returns {(opening: Omit<Opening, "program">) => Note} Begins a conversation.
 */
export function createRecorder(folder) {
  /** @type {number | undefined} */
  let file;
  let conversations = 0;
  const program = process.argv.slice(1, 3).join(" ");
  return (opening) => {
    if (file === undefined) {
      mkdirSync(folder, { recursive: true });
      const name = `${process.pid}-${Math.random().toString(36).slice(2)}.jsonl`;
      file = openSync(join(folder, name), "a");
    }
    const opened = file;
    const number = ++conversations;
    /** @type {Note} */
    const note = (happening) => {
      writeSync(opened, `${JSON.stringify([number, happening, microseconds()])}\n`);
    };
    note({ open: { ...opening, program } });
    return note;
  };
}

/** Returns the time of the machine, by which the entries of several processes can be sorted. */
function microseconds() {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Returns a function that begins a conversation in the folder to which this process writes at that time.
 *
 * @returns {(opening: Omit<Opening, "program">) => Note}
 */
export function currentRecorder() {
  /** @type {{ folder: string, open: (opening: Omit<Opening, "program">) => Note } | undefined} */
  let current;
  return (opening) => {
    const folder = process.env[FOLDER_VARIABLE];
    if (folder === undefined) throw new Error(`${FOLDER_VARIABLE} is not set.`);
    if (current?.folder !== folder) current = { folder, open: createRecorder(folder) };
    return current.open(opening);
  };
}

/**
 * Returns the environment in which a Node process and its child processes write to the folder.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Record<string, string>}
 */
export function recordingEnvironment(folder, env = process.env) {
  const preload = `--import=${new URL("./preload.mjs", import.meta.url).href}`;
  const options = env["NODE_OPTIONS"] ?? "";
  return /** @type {Record<string, string>} */ ({
    ...env,
    [FOLDER_VARIABLE]: folder,
    NODE_OPTIONS: options.includes(preload) ? options : `${options} ${preload}`.trim(),
  });
}
