import { join } from "node:path";
import { inject } from "vitest";
import { registryEnvironment, type LocalRegistry } from "./local-registry.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The registry that all tests of the group use. */
    registry: { url: string; folder: string };
  }
}

/** Returns the registry of the group, which has the packages of the repository. @param folder where npm keeps its cache */
export function sharedRegistry(folder: string): Pick<LocalRegistry, "url" | "env"> {
  const { url, folder: settings } = inject("registry");
  return { url, env: registryEnvironment(settings, join(folder, "cache")) };
}
