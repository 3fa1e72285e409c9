/**
 * The file format of recordings: JSON Lines, with a header line and a line for each message. See
 * `reference/recordings` in the documentation.
 * @module
 */
import { Failure } from "../terminal/failure.js";

/** The version of the file format. */
export const RECORDING_VERSION = 1;

/** The default folder for recordings. Git ignores it. */
export const RECORDINGS_FOLDER = ".tenon/recordings";

/** The first line of a recording. */
export interface RecordingHeader {
  tenonRecording: typeof RECORDING_VERSION;
  /** The start of the session, in ISO 8601. */
  startedAt: string;
  /** The name of the project, from its package.json. */
  project: string;
  transport: "stdio" | "http";
}

/** Any line after the first. Readers ignore lines without a known `from` and a `message`. */
export interface RecordedMessage {
  /** Milliseconds since `startedAt`. */
  ms: number;
  from: "client" | "server";
  /** One JSON-RPC message. */
  message: JsonRpcMessage;
  /** The relevant headers of the HTTP request that carried the message. */
  headers?: Readonly<Record<string, string>>;
  /** JSON Pointers, relative to the line, to values that contained a secret. */
  masked?: readonly string[];
}

/** A request, a notification, or a response. */
export interface JsonRpcMessage {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** A parsed recording. */
export interface Recording extends RecordingHeader {
  messages: RecordedMessage[];
  /** Whether the last line is incomplete because the process ended while it wrote the line. */
  isTruncated: boolean;
}

/**
 * Reads a recording.
 *
 * @param name the file name to show in messages
 * @throws Failure if the text is not a recording
 */
export function parseRecording(text: string, name: string): Recording {
  const lines = text.split("\n");
  // The text after the last line feed is empty, or an incomplete line.
  const rest = lines.pop() ?? "";
  const [header, ...others] = lines.map((line, index) => parseLine(line, index + 1, name));
  if (!isHeader(header)) throw new Failure(`${name} is not a recording of \`tenon dev --record\`.`);
  if (header.tenonRecording !== RECORDING_VERSION)
    throw new Failure(
      `${name} was written by a newer version of Tenon (format ${header.tenonRecording}). Update @tenon/cli.`,
    );
  return { ...header, messages: others.filter(isMessage), isTruncated: rest !== "" };
}

/** The maximum nesting of a recorded message. Servers reject deeper ones, unless their author allows more. */
const MAX_DEPTH = 1000;

/** Returns whether a value is nested too deeply to be recorded: reading it recursively would overflow the stack. */
export function isTooDeep(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isTooDeep(each, depth - 1));
}

/** Returns a value as a line of the file, including the line feed. */
export function formatLine(value: RecordingHeader | RecordedMessage): string {
  return `${JSON.stringify(value)}\n`;
}

function parseLine(line: string, number: number, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Failure(`${name} cannot be read: line ${number} is not valid JSON.`, { cause: error });
  }
  // The line itself is nested as well.
  if (isTooDeep(value, MAX_DEPTH + 2))
    throw new Failure(`${name} cannot be read: line ${number} is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

function isHeader(value: unknown): value is RecordingHeader {
  return isObject(value) && typeof value["tenonRecording"] === "number";
}

function isMessage(value: unknown): value is RecordedMessage {
  return (
    isObject(value) &&
    (value["from"] === "client" || value["from"] === "server") &&
    isObject(value["message"])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
