import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import type { TrafficObserver } from "../dev/proxy/traffic.js";
import {
  formatLine,
  isTooDeep,
  RECORDING_VERSION,
  type JsonRpcMessage,
  type RecordedMessage,
  type RecordingHeader,
} from "./format.js";
import { readDeclaredSecrets, type DeclaredSecrets, type FoundSecrets } from "./declared-secrets.js";
import { parsePointer } from "../compare/json/json-pointer.js";
import { createMask, type Mask } from "./mask.js";

/** A recorder of sessions. */
export interface Recorder {
  readonly traffic: TrafficObserver;
  /** Also masks the values that this manifest declares as `@secret`. */
  addManifest(manifest: Manifest): void;
  /** Closes the files and returns them. */
  close(): RecordedFile[];
}

/** The recording of one session. */
export interface RecordedFile {
  path: string;
  messages: number;
  /** The locations of the masked values, without duplicates. */
  masked: string[];
}

/** The options of a recorder. */
export interface RecorderOptions {
  /** The folder for the files, absolute. */
  folder: string;
  /** The name of the project. */
  project: string;
  transport: RecordingHeader["transport"];
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** Reports that a session has begun, with the path of its file. */
  onFile(path: string): void;
  /** Reports that a message could not be written. The rest of its session is not recorded. */
  onError(error: unknown): void;
}

interface OpenFile extends RecordedFile {
  file: number;
  startedAt: number;
  mask: Mask;
  /** The IDs of requests whose URI contains a secret, and that have no response yet. */
  secretUris: Set<string>;
}

/** Creates a recorder. It writes each message immediately, so a crash loses one line at most. */
export function createRecorder(options: RecorderOptions): Recorder {
  const files = new Map<string, OpenFile | undefined>();
  /** The secrets of all builds, the newest first. Names stay secret after a rebuild. */
  const declared: DeclaredSecrets[] = [];

  const open = (at: number, message: unknown): OpenFile => {
    const startedAt = new Date(Date.now() - (performance.now() - at));
    const { path, file } = createFile(options.folder, createFileName(startedAt, getClientName(message)));
    const header: RecordingHeader = {
      tenonRecording: RECORDING_VERSION,
      startedAt: startedAt.toISOString(),
      project: options.project,
      transport: options.transport,
    };
    writeSync(file, formatLine(header));
    options.onFile(path);
    const isSecretArgument = (name: string): boolean => declared.some((each) => each.isSecretArgument(name));
    const isMemberName = (name: string): boolean => declared.some((each) => each.isMemberName(name));
    const mask = createMask({ env: options.env, isSecretArgument, isMemberName });
    return { path, file, startedAt: at, messages: 0, masked: [], mask, secretUris: new Set() };
  };

  /** Finds the declared secrets of a message. The message of an error may contain a shortened URI of its request. */
  const findDeclared = (
    { secretUris }: OpenFile,
    from: RecordedMessage["from"],
    message: JsonRpcMessage,
  ): FoundSecrets | undefined => {
    const key = JSON.stringify(message.id);
    if (from === "server")
      return message.method === undefined && secretUris.delete(key)
        ? { pointers: ["/message/error/message"], parts: [] }
        : undefined;
    const found = declared[0]?.find(message, "/message");
    if (found?.pointers.includes("/message/params/uri")) secretUris.add(key);
    return found;
  };

  return {
    traffic({ from, session, message, at, headers }) {
      if ((files.has(session) && !files.get(session)) || isTooDeep(message)) return;
      try {
        const recording = files.get(session) ?? open(at, message);
        files.set(session, recording);
        const headerMembers = headers && Object.keys(headers).length > 0 ? { headers } : {};
        const line = { message: message as JsonRpcMessage, ...headerMembers };
        const { value, pointers } = recording.mask(line, findDeclared(recording, from, line.message));
        const ms = Math.max(0, Math.round((at - recording.startedAt) * 10) / 10);
        const recorded: RecordedMessage = {
          ms,
          from,
          ...value,
          ...(pointers.length > 0 && { masked: pointers }),
        };
        writeSync(recording.file, formatLine(recorded));
        recording.messages += 1;
        const locations = pointers.map(formatLocation).filter((each) => !recording.masked.includes(each));
        recording.masked.push(...new Set(locations));
      } catch (error) {
        files.set(session, undefined);
        options.onError(error);
      }
    },
    addManifest(manifest) {
      declared.unshift(readDeclaredSecrets(manifest));
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

/** Formats a pointer for users: `/message/params/arguments/apiKey` becomes `arguments.apiKey`. */
function formatLocation(pointer: string): string {
  const [first = "", ...others] = parsePointer(pointer);
  if (first === "headers") return `the header ${others.join("/")}`;
  const names = others[0] === "params" || others[0] === "result" ? others.slice(1) : others;
  return names.join(".").replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]");
}

/** Creates a file that only the current user can access, because messages may be private. */
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

/** Returns a file name such as `2026-11-22T16-45-00-claude-code`, without extension. */
function createFileName(startedAt: Date, client: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(":", "-");
  const suffix = client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return suffix === "" ? time : `${time}-${suffix}`;
}

function getClientName(message: unknown): string {
  const { params } = message as {
    params?: { clientInfo?: { name?: unknown }; _meta?: Record<string, unknown> };
  };
  const info = params?.clientInfo ?? params?._meta?.["io.modelcontextprotocol/clientInfo"];
  const { name } = (Object(info) as { name?: unknown }) ?? {};
  return typeof name === "string" ? name : "";
}
