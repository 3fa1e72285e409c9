import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildProject } from "@tenon/cli";
import type { Profile } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { expect } from "vitest";
import { projectFolder } from "./project-folder.js";

const fixtures = join(import.meta.dirname, "../compile/fixtures");

/** A server that has been built as its author would build it. */
export interface BuiltServer {
  /** The folder of its project. */
  root: string;
  /** The program that serves it. */
  program: string;
  /**
   * Loads the server in this process.
   *
   * @param variant loads a separate copy, for a server that reads the environment when it is loaded
   */
  load(variant?: string): Promise<Server>;
  remove(): void;
}

/**
 * Builds a project of these sources, which have no errors.
 *
 * @param files by path, like those of `projectFolder`
 * @param profile the clients it is built for
 */
export async function buildServer(files: Record<string, string>, profile?: Profile): Promise<BuiltServer> {
  const { root, remove } = projectFolder(files);
  const { compilation } = await buildProject({ root, ...(profile && { profile }) });
  expect(compilation.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const app = pathToFileURL(join(root, "dist/app.js")).href;
  return {
    root,
    program: join(root, "dist/server.js"),
    load: async (variant) => {
      const url = variant === undefined ? app : `${app}?${variant}`;
      return ((await import(url)) as { server: Server }).server;
    },
    remove,
  };
}

/**
 * Returns the sources of a fixture as the sources of a project.
 *
 * @param name below `test/compile/fixtures`, such as `manifests/data`
 */
export function fixtureSources(name: string): Record<string, string> {
  const folder = join(fixtures, name);
  const sources = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  return Object.fromEntries(sources.map((file) => [`src/${file}`, readFileSync(join(folder, file), "utf8")]));
}
