import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import type { Traffic } from "../dev/proxy/traffic.js";
import {
  recordingLine,
  RECORDING_VERSION,
  type JsonRpcMessage,
  type RecordedMessage,
  type RecordingHeader,
} from "./format.js";
import { createMask, secretArguments, type Masked } from "./mask.js";

/** Keeps sessions as files while they go on. */
export interface Recorder {
  readonly traffic: Traffic;
  /** What is served from now on: it says which arguments are tagged `@secret`. */
  serves(manifest: Manifest): void;
  /** Closes the files. */
  close(): RecordedFile[];
}

/** What became of one session. */
export interface RecordedFile {
  path: string;
  messages: number;
  /** What was masked, in words, each once. */
  masked: string[];
}

export interface RecorderOptions {
  /** Where files go, absolute. */
  folder: string;
  /** The name of the project. */
  project: string;
  transport: RecordingHeader["transport"];
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** A session has begun, and goes to this file. */
  onFile(path: string): void;
  /** Something cannot be written; nothing of this session is recorded from then on. */
  onError(error: unknown): void;
}

interface OpenFile extends RecordedFile {
  file: number;
  startedAt: number;
  mask: <V>(value: V) => Masked<V>;
}

/** Writes each message as it passes, so that a crash loses the line at hand at most. */
export function createRecorder(options: RecorderOptions): Recorder {
  const files = new Map<string, OpenFile | undefined>();
  const named = new Set<string>();

  const open = (at: number, message: unknown): OpenFile => {
    const startedAt = new Date(Date.now() - (performance.now() - at));
    const { path, file } = createFile(options.folder, fileName(startedAt, clientOf(message)));
    const header: RecordingHeader = {
      tenonRecording: RECORDING_VERSION,
      startedAt: startedAt.toISOString(),
      project: options.project,
      transport: options.transport,
    };
    writeSync(file, recordingLine(header));
    options.onFile(path);
    const isSecretArgument = (name: string): boolean => named.has(name);
    const mask = createMask({ env: options.env, isSecretArgument });
    return { path, file, startedAt: at, messages: 0, masked: [], mask };
  };

  return {
    traffic({ from, session, message, at, headers }) {
      if (files.has(session) && !files.get(session)) return;
      try {
        const kept = files.get(session) ?? open(at, message);
        files.set(session, kept);
        const named = headers && Object.keys(headers).length > 0 ? { headers } : {};
        const { value, places } = kept.mask({ message: message as JsonRpcMessage, ...named });
        const ms = Math.max(0, Math.round((at - kept.startedAt) * 10) / 10);
        const line: RecordedMessage = { ms, from, ...value, ...(places.length > 0 && { masked: places }) };
        writeSync(kept.file, recordingLine(line));
        kept.messages += 1;
        const words = places.map(placeInWords).filter((each) => !kept.masked.includes(each));
        kept.masked.push(...new Set(words));
      } catch (error) {
        files.set(session, undefined);
        options.onError(error);
      }
    },
    serves(manifest) {
      for (const name of secretArguments(manifest)) named.add(name);
    },
    close() {
      const all = [...files.values()].filter((each) => each !== undefined);
      files.clear();
      return all.map(({ file, path, messages, masked }) => {
        closeSync(file);
        return { path, messages, masked };
      });
    },
  };
}

/** As a person names the place: `/message/params/arguments/apiKey` is `arguments.apiKey`. */
function placeInWords(pointer: string): string {
  const [, first = "", ...others] = pointer.split("/");
  if (first === "headers") return `the header ${others.join("/")}`;
  const words = others[0] === "params" || others[0] === "result" ? others.slice(1) : others;
  const names = words.map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.join(".").replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]");
}

/** For this process's user only: what passes may be private. */
function createFile(folder: string, name: string): { path: string; file: number } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${name}${count === 1 ? "" : `-${count}`}.jsonl`);
    try {
      return { path, file: openSync(path, "ax", 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** `2026-11-22T16-45-00-claude-code` */
function fileName(startedAt: Date, client: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(":", "-");
  const words = client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return words === "" ? time : `${time}-${words}`;
}

function clientOf(message: unknown): string {
  const { params } = message as {
    params?: { clientInfo?: { name?: unknown }; _meta?: Record<string, unknown> };
  };
  const info = params?.clientInfo ?? params?._meta?.["io.modelcontextprotocol/clientInfo"];
  const { name } = (Object(info) as { name?: unknown }) ?? {};
  return typeof name === "string" ? name : "";
}
