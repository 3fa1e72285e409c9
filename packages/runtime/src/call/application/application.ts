import type { ServerConfig } from "../../api/define-server.js";
import type { Manifest } from "../../manifest.js";
import type { Validators } from "../../data/validation/validators.js";

/** The input of `createServer`: the manifest, and the code that belongs to it. */
export interface Application {
  manifest: Manifest;
  validators: Validators;
  /** The classes, by source file (as in `HandlerRef.module`) and export name. */
  classes: Record<string, Record<string, HandlerClass>>;
  /** The views of tools, by name. Absent if there are none. */
  views?: Record<string, ViewModule>;
  /** The files of skills, by URI. Absent if there are none. */
  skillFiles?: Record<string, SkillFileModule>;
  /** The default export of `src/server.ts`, if there is one. */
  config?: ServerConfig;
}

/** The HTML of a view, which is loaded when a client requests it. */
export interface ViewModule {
  load(): Promise<{ readonly html: string }>;
}

/** The content of a file of a skill, which is loaded when a client requests it: text, or the base64 of other bytes. */
export interface SkillFileModule {
  load(): Promise<{ readonly text: string } | { readonly blob: string }>;
}

/** A decorated class. The runtime constructs only those with a zero-argument constructor. */
export type HandlerClass = abstract new (...args: never[]) => object;
