/**
 * The messages between the page of the playground and its server. The page imports this file as well.
 * @module
 */
import type { PrincipalInput } from "@tenon/runtime";

/** The displayed location of a declaration, relative to the project. */
export interface SourceLine {
  file: string;
  line: number;
}

/** The locations of all declarations, by name, URI, or URI template. */
export interface SourceLines {
  tools: Record<string, SourceLine>;
  prompts: Record<string, SourceLine>;
  resources: Record<string, SourceLine>;
}

/** The tools that can run as tasks, by name, and whether clients must call them as tasks. */
export type TaskTools = Record<string, "optional" | "required">;

/** An entry with errors in its source. Calls to it return them. */
export interface FailedEntry {
  /** The name, URI, or URI template. */
  key: string;
  problem: string;
}

/** A message from the server, sent as one event. */
export type PageEvent =
  /** The first event: the ID of the page for its requests, and the origin on which views run. */
  | { type: "welcome"; page: string; project: string; sandbox: string; notes: unknown }
  /** A new version of the server handles connections that are opened from now on. */
  | { type: "served"; build: number; lines: SourceLines; tasks: TaskTools; broken: FailedEntry[] }
  /** The last edit has errors. The previous version, if any, keeps running. */
  | { type: "edit-failed"; problem: string; broken: FailedEntry[] }
  /** The MCP server sent a message, which may be about a pending request. */
  | { type: "message"; connection: number; text: string; about?: unknown }
  /** The MCP server of a connection exited. */
  | { type: "closed"; connection: number };

/** A message from the page. */
export type PageRequest = { page: string } & (
  | { type: "open"; connection: number; principal?: PrincipalInput }
  | { type: "message"; connection: number; message: unknown }
  | { type: "close"; connection: number }
  /** The state to store for the next time, such as saved calls. Only the page knows its format. */
  | { type: "store"; notes: unknown }
);
