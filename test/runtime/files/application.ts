import { application as emitted } from "emitted:test/runtime/files/application.js";
import type { ServerConfig } from "@tenon/runtime";
import type { Application } from "@tenon/runtime/server";

/** Returns the compiled server with files in arguments and results, with the features that the compiler chose. */
export function createFileServer(config: ServerConfig = {}): Application {
  return { ...emitted, config };
}
