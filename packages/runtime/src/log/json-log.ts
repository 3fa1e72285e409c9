import type { LogLevel, LogSink } from "../api/log.js";
import { writeStderr } from "./stderr-write.js";
import { maskSecrets, maskValue } from "./mask-secrets.js";

/** As pino numbers them. */
const NUMBERS: Record<LogLevel, number> = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

export interface JsonLogOptions {
  /** Entries below it are left out. Default `"info"`. */
  level?: LogLevel;
  /** What each line says besides, such as the name of the deployment. */
  fields?: Readonly<Record<string, unknown>>;
  /** Takes each line, without its end. Default: writes it to stderr; stdout belongs to MCP. */
  write?: (line: string) => void;
}

/**
 * The log as lines of JSON in the shape that pino writes and reads: `level` as a number, `time` in milliseconds, `pid`, `msg`,
 * `err: { type, message, stack }`, then `event` and what belongs to it. What looks secret is masked.
 *
 * @throws TypeError for a level that there is not
 * @example
 * export default defineServer({ log: jsonLog({ level: "warn" }) });
 */
export function jsonLog({ level = "info", fields, write = writeLine }: JsonLogOptions = {}): LogSink {
  const least = NUMBERS[level] as number | undefined;
  if (least === undefined) {
    throw new TypeError(
      `jsonLog: level must be one of ${Object.keys(NUMBERS).join(", ")} (got ${String(level)})`,
    );
  }
  const { pid } = process;
  return ({ level: of, ...entry }) => {
    const number = NUMBERS[of];
    if (number < least) return;
    const { event, msg, ...rest } = entry;
    const line = { level: number, time: Date.now(), pid, ...fields, event, msg: maskSecrets(msg), ...rest };
    write(JSON.stringify(maskValue(line)));
  };
}

function writeLine(line: string): void {
  writeStderr(`${line}\n`);
}
