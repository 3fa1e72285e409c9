import { application as emitted } from "emitted:test/runtime/remote-files/application.js";
import type { ServerConfig } from "@tenon/runtime";
import type { Application } from "@tenon/runtime/server";

/** Returns the compiled server with OpenAI's dialect, with the features that the compiler chose. */
export function createRemoteFileServer(config: ServerConfig = {}): Application {
  return { ...emitted, config };
}
