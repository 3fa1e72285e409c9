import type { EnvironmentVariable, FileTree, SourceEdits } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { NeededPackage } from "../../bundle/needed-packages.js";
import type { CommandWithPurpose } from "../../terminal/command-list.js";
import type { PackageSettings } from "../settings/package-settings.js";
import type { AccompanyingFiles } from "./accompanying-files.js";

/** The targets that a server can be packaged for, in the order in which they are created. */
export const TARGET_NAMES = ["single-file", "npx", "worker", "mcpb", "registry", "docker"] as const;

/** The name of a target. */
export type TargetName = (typeof TARGET_NAMES)[number];

/** Descriptions of the targets, for help and prompts. */
export const TARGET_PURPOSES: Readonly<Record<TargetName, string>> = {
  "single-file": "one file that runs with Node",
  npx: "an npm package to start with npx",
  worker: "a module for Cloudflare Workers, Deno, and Bun",
  mcpb: "an MCP Bundle, which Claude Desktop installs",
  registry: "server.json, for the MCP registry",
  docker: "a Dockerfile",
};

/** The project from which targets are created. */
export interface ServerParts {
  /** The project folder, absolute. */
  readonly root: string;
  /** The current folder, to which shown paths are relative; absolute. */
  readonly cwd: string;
  /** The output folder, absolute. */
  readonly outDir: string;
  readonly settings: PackageSettings;
  /** The version of package.json; empty if it has none and no target needs one. */
  readonly version: string;
  readonly manifest: Manifest;
  /** Whether `auth` or `http.principal` identifies callers over HTTP. */
  readonly identifiesCallers: boolean;
  /** The generated modules, relative to `dist/`. */
  readonly modules: FileTree;
  readonly edits: SourceEdits;
  /** The variables that the author's sources read, except those that every machine sets. */
  readonly environment: readonly EnvironmentVariable[];
  /** Where they read variables whose names are unknown. */
  readonly unknownAt: readonly string[];
  /** All targets to create. */
  readonly targets: ReadonlySet<TargetName>;
  /** The address of the running server, for users who do not run it themselves. */
  readonly url?: string | undefined;
  /** The name in the MCP registry, if it is known. */
  readonly registryName?: string | undefined;
  /** Builds the release on the first call. Later calls return the same build. */
  buildOnce(): Promise<BuiltServer>;
  /**
   * Checks that all targets contain the sources that were compiled.
   *
   * @throws Failure if a source has changed since then
   */
  checkUnchanged(): void;
  /** The targets created so far, in the order of `TARGET_NAMES`. */
  readonly packaged: ReadonlyMap<TargetName, PackagedTarget>;
  readonly color: boolean;
}

/** A release build: without type declarations, and without sources in the source maps. */
export interface BuiltServer {
  /** Relative to the folder `dist/`. */
  readonly files: FileTree;
  readonly needed: readonly NeededPackage[];
  readonly accompanying: AccompanyingFiles;
}

/** A target that is not written yet. */
export interface PackagedTarget {
  /** Replaced each time; relative to the target's own folder in the output folder. */
  readonly files: FileTree;
  /** Files that belong to the author and are replaced only with consent; relative to the project folder. */
  readonly authorFiles?: FileTree;
  /** The author's files with updated content; relative to the project folder. */
  readonly updated?: FileTree;
  /** Messages for the author. */
  readonly notes: readonly string[];
  /** The packages that it does not contain. */
  readonly needed?: readonly NeededPackage[];
  /** The next steps: commands, each with its purpose. */
  readonly next: readonly CommandWithPurpose[];
}

/** Creates a target without writing it. */
export type CreateTarget = (parts: ServerParts) => Promise<PackagedTarget>;
