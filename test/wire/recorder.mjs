/**
 * Records the messages between servers and clients for `check.mjs`. They are not checked in the process that records them,
 * because it may have to load nothing else, and may be killed at any time.
 */
import { mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The folder that a process and those it starts write to; nothing is written without it. */
export const FOLDER_VARIABLE = "TENON_WIRE_FOLDER";

/** Set on a server of `node:http` that is none of ours, so that nothing of it is written down. */
export const FOREIGN = Symbol.for("tenon.test.foreign-server");

/**
 * @typedef {"stdio" | "http" | "web" | "memory"} Way
 *
 * The first entry of a conversation.
 * @typedef {object} Opening
 * @property {Way} way
 * @property {string} program What runs.
 * @property {string} [verb] Of HTTP, like those below.
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
 * `in` and `out` are text as it came, cut anywhere; `received` and `sent` are whole messages.
 * @typedef {{ open: Opening } | { in: string } | { head: Head } | { out: string } | { end: true }
 *   | { received: unknown } | { sent: string }} Happening
 *
 * @typedef {(happening: Happening) => void} Note
 */

/**
 * Opens a file of this process's own in the folder.
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

/** The clock of the machine, by which what several processes write can be put in order. */
function microseconds() {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Begins a conversation in the folder that this process writes to, whichever that is at the time.
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
 * The environment in which every Node process, and whatever it starts, writes to the folder.
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
