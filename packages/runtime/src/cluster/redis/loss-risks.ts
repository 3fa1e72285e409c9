/**
 * Finds settings of Redis with which it loses data that clients rely on.
 * @module
 */
import type { Commands } from "./commands.js";

/** Redis rejects the command: its user may not send it, or its provider does not offer it. */
const UNAVAILABLE = /^Redis error: (?:NOPERM|ERR unknown)/;

/**
 * Returns a sentence for each setting with which Redis loses data. A setting that the user of Redis may not read is
 * skipped.
 *
 * @throws Error if Redis is unreachable
 */
export async function findLossRisks(commands: Commands): Promise<string[]> {
  const send = async (...args: string[]): Promise<unknown> => {
    try {
      return await commands.send("settings", ...args);
    } catch (error) {
      if (error instanceof Error && UNAVAILABLE.test(error.message)) return undefined;
      throw error;
    }
  };
  const policy = readLine(await send("INFO", "memory"), "maxmemory_policy");
  const appends = readLine(await send("INFO", "persistence"), "aof_enabled");
  // A list or an object, depending on the version of the protocol.
  const snapshots = Object.values(Object(await send("CONFIG", "GET", "save")) as object);
  return [
    ...(policy === undefined || policy === "noeviction"
      ? []
      : [
          `Redis has the setting \`maxmemory-policy ${policy}\`, so it deletes sessions, tasks, and calls in progress when it is full. ` +
            "Set `maxmemory-policy noeviction`.",
        ]),
    ...(appends === "0" && snapshots.includes("")
      ? [
          'Redis stores nothing on disk (`appendonly no` and `save ""`), so a restart of Redis ends sessions, tasks, and calls in progress. ' +
            "Set `appendonly yes`.",
        ]
      : []),
  ];
}

/** Returns a value of the reply to `INFO`, which has a line for each. */
function readLine(reply: unknown, name: string): string | undefined {
  const lines = typeof reply === "string" ? reply.split("\r\n") : [];
  return lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
}
