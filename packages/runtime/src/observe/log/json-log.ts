import type { LogLevel, LogSink } from "../../api/log.js";
import type { LeveledSink } from "./text-log.js";
import { escapeControlsInJson } from "./escape-controls.js";
import { writeStderr } from "./stderr-write.js";
import { maskSecrets, maskValue } from "./mask-secrets.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

/** The numbers of the levels in pino. */
const LEVEL_NUMBERS: Record<LogLevel, number> = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

/** The members of each line that `fields` would change, or that would replace its own. */
const OWN_MEMBERS = ["level", "time", "event", "msg"] as const;

/** Options of `jsonLog`. */
export interface JsonLogOptions {
  /** The minimum level of logged entries. Default: `"info"`. */
  level?: LogLevel | undefined;
  /** Additional members of each line, such as the name of the deployment. */
  fields?: Readonly<Record<string, unknown>> | undefined;
  /** Receives each line, without a line break. Default: writes it to stderr, since stdout belongs to MCP. */
  write?: ((line: string) => void) | undefined;
}

/**
 * Creates a log of JSON lines in pino's format: `level` as a number, `time` in milliseconds, `pid`, `msg`, `err: {
 * type, message, stack }`, then `event` and its data. Values that look secret are masked, and control characters are
 * escaped.
 *
 * @throws TypeError for an unknown level, or for a field that has the name of another member
 * @example
 * export default defineServer({ log: jsonLog({ level: "warn" }) });
 */
export function jsonLog(options: JsonLogOptions = {}): LogSink {
  checkOptionNames<JsonLogOptions>("jsonLog", options, { level: true, fields: true, write: true });
  const { level = "info", fields, write = writeLine } = options;
  const minNumber = LEVEL_NUMBERS[level] as number | undefined;
  if (minNumber === undefined) {
    throw new TypeError(
      `jsonLog: level must be one of ${Object.keys(LEVEL_NUMBERS).join(", ")} (got ${String(level)})`,
    );
  }
  const reserved = OWN_MEMBERS.find((name) => Object.hasOwn(fields ?? {}, name));
  if (reserved !== undefined) {
    throw new TypeError(`jsonLog: fields cannot contain \`${reserved}\`, which every line has already`);
  }
  const { pid } = process;
  const sink: LogSink = ({ level: entryLevel, ...entry }) => {
    const number = LEVEL_NUMBERS[entryLevel];
    if (number < minNumber) return;
    const { event, msg, ...rest } = entry;
    const line = { level: number, time: Date.now(), pid, ...fields, event, msg: maskSecrets(msg), ...rest };
    write(escapeControlsInJson(JSON.stringify(maskValue(line))));
  };
  return Object.assign(sink, { minLevel: level }) satisfies LeveledSink;
}

function writeLine(line: string): void {
  writeStderr(`${line}\n`);
}
