/**
 * What the page of the playground and its server tell each other. The page imports this file as well.
 * @module
 */
import type { PrincipalInput } from "@tenon/runtime";

/** Where something is declared, for people: relative to the project. */
export interface SourceLine {
  file: string;
  line: number;
}

/** Where each thing that a server lists is declared, by its name, URI or URI template. */
export interface SourceLines {
  tools: Record<string, SourceLine>;
  prompts: Record<string, SourceLine>;
  resources: Record<string, SourceLine>;
}

/** The tools that can be tasks, by name, and whether they leave that to the client. */
export type TaskTools = Record<string, "optional" | "required">;

/** What is answered with the errors of its source. */
export interface BrokenEntry {
  /** Its name, URI or URI template. */
  key: string;
  problem: string;
}

/** From the server, one event each. */
export type PageEvent =
  /** The first event: how the page names itself from now on. */
  | { type: "welcome"; page: string; project: string; notes: unknown }
  /** A new version of the server answers whatever is opened from now on. */
  | { type: "served"; build: number; lines: SourceLines; tasks: TaskTools; broken: BrokenEntry[] }
  /** The last edit cannot be served. What served before, if anything, goes on. */
  | { type: "refused"; problem: string; broken: BrokenEntry[] }
  /** The MCP server sent something, maybe about a request that it has not answered yet. */
  | { type: "message"; connection: number; text: string; about?: unknown }
  /** The MCP server behind a connection is gone. */
  | { type: "closed"; connection: number };

/** From the page. */
export type PageRequest = { page: string } & (
  | { type: "open"; connection: number; principal?: PrincipalInput }
  | { type: "message"; connection: number; message: unknown }
  | { type: "close"; connection: number }
  /** What the page is to find again next time, such as saved calls; what it is, only the page knows. */
  | { type: "keep"; notes: unknown }
);
