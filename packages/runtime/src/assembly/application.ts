import type { ServerConfig } from "../api/define-server.js";
import type { Manifest } from "../manifest.js";
import type { Validators } from "../validation/validators.js";

/** What the emitted server hands to `createServer`: the manifest, and the code that belongs to it. */
export interface Application {
  manifest: Manifest;
  validators: Validators;
  /** Source file (as in `HandlerRef.module`) → export name → class. */
  classes: Record<string, Record<string, HandlerClass>>;
  /** What `src/server.ts` exports by default, where there is one. */
  config?: ServerConfig;
}

/** A decorated class; only those with a zero-argument constructor are ever constructed by the runtime. */
export type HandlerClass = abstract new (...args: never[]) => object;
