/**
 * How sessions are kept: JSON Lines, a line for what the recording is and one for each message. RECORDINGS.md describes it.
 * @module
 */
import { Failure } from "../terminal/failure.js";

export const RECORDING_VERSION = 1;

/** Where recordings are, unless another folder is named. Git does not see it. */
export const RECORDINGS = ".tenon/recordings";

/** The first line. */
export interface RecordingHeader {
  tenonRecording: typeof RECORDING_VERSION;
  /** ISO 8601. */
  startedAt: string;
  /** The name in package.json. */
  project: string;
  transport: "stdio" | "http";
}

/** Any further line. Readers leave out lines whose members they do not know. */
export interface RecordedMessage {
  /** Milliseconds since `startedAt`. */
  ms: number;
  from: "client" | "server";
  /** One JSON-RPC message. */
  message: JsonRpcMessage;
  /** Of the HTTP request that brought it, as far as they matter. */
  headers?: Readonly<Record<string, string>>;
  /** JSON Pointers, from this line's root, to what held a secret. */
  masked?: readonly string[];
}

export interface JsonRpcMessage {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface Recording extends RecordingHeader {
  messages: RecordedMessage[];
  /** The last line is not whole: whoever wrote it was ended. */
  isCut: boolean;
}

/**
 * Reads a recording.
 *
 * @param name of the file, for messages
 * @throws Failure for what is none
 */
export function parseRecording(text: string, name: string): Recording {
  const lines = text.split("\n");
  // What follows the last line feed is nothing, or a line that was not written to its end.
  const rest = lines.pop() ?? "";
  const [header, ...others] = lines.map((line, index) => parseLine(line, index + 1, name));
  if (!isHeader(header)) throw new Failure(`${name} is no recording of \`tenon dev --record\`.`);
  if (header.tenonRecording !== RECORDING_VERSION)
    throw new Failure(`${name} was written by a newer Tenon: its format is ${header.tenonRecording}.`);
  return { ...header, messages: others.filter(isMessage), isCut: rest !== "" };
}

/** The line of a file for a value, with its end. */
export function recordingLine(value: RecordingHeader | RecordedMessage): string {
  return `${JSON.stringify(value)}\n`;
}

function parseLine(line: string, number: number, name: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Failure(`${name} cannot be read: line ${number} is not valid JSON.`, { cause: error });
  }
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
