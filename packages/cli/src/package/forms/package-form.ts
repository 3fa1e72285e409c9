import type { EnvironmentVariable, FileTree, SourceEdits } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { LeftBehind, OwnFile } from "../../bundle/files-left-behind.js";
import type { NeededPackage } from "../../bundle/needed-packages.js";
import type { ShownCommand } from "../../terminal/command-list.js";
import type { PackageSettings } from "../settings/package-settings.js";

/** The forms in which a server is passed on, in the order in which they are made. */
export const FORM_NAMES = ["single", "npx", "worker", "mcpb", "registry", "docker"] as const;

export type FormName = (typeof FORM_NAMES)[number];

/** What each is, in help and where people are asked. */
export const FORM_PURPOSES: Readonly<Record<FormName, string>> = {
  single: "one file that Node runs",
  npx: "a package for npm, which others start with npx",
  worker: "a module for Cloudflare Workers, Deno and Bun",
  mcpb: "an MCP Bundle, which Claude Desktop installs",
  registry: "server.json, for the MCP registry",
  docker: "a Dockerfile",
};

/** What every form is made of. */
export interface ServerParts {
  /** The project folder, absolute. */
  readonly root: string;
  /** Where the person is who reads of it, absolute. */
  readonly cwd: string;
  /** The output folder, absolute. */
  readonly outDir: string;
  readonly settings: PackageSettings;
  readonly manifest: Manifest;
  /** The generated modules, relative to `dist/`. */
  readonly modules: FileTree;
  readonly edits: SourceEdits;
  /** The variables that the author's sources read, without those that every machine sets. */
  readonly environment: readonly EnvironmentVariable[];
  /** What else is made. */
  readonly forms: ReadonlySet<FormName>;
  /** Where the server is reached, for those who do not run it themselves. */
  readonly url?: string | undefined;
  /** The name in the MCP registry, where one is known. */
  readonly registryName?: string | undefined;
  /** `dist/` of a release: without types, and without sources in the source maps. Made once, however often it is asked for. */
  built(): Promise<BuiltServer>;
  /** What was made before, in the order of `FORM_NAMES`. */
  made(name: FormName): MadeForm | undefined;
  readonly color: boolean;
}

export interface BuiltServer {
  /** Relative to the folder `dist/`. */
  readonly files: FileTree;
  readonly needed: readonly NeededPackage[];
  /** What it reads from the folders of packages beside the project. */
  readonly leftBehind: readonly LeftBehind[];
  /** What it reads from the project's own folder, which goes along where `files` of package.json names it. */
  readonly ownFiles: readonly OwnFile[];
}

/** One form of a server, not written yet. */
export interface MadeForm {
  /** Made again each time; relative to the form's own folder in the output folder. */
  readonly files: FileTree;
  /** The author's from now on, and never replaced unasked; relative to the project folder. */
  readonly kept?: FileTree;
  /** Files of the author's with something new in them, and all else as it was; relative to the project folder. */
  readonly updated?: FileTree;
  /** What is to be known. */
  readonly notes: readonly string[];
  /** What does not go along, as of `NeededPackage`. */
  readonly needed?: readonly NeededPackage[];
  /** What to do next: a command, and what it does. */
  readonly next: readonly ShownCommand[];
}

/** Makes one form. */
export type MakeForm = (parts: ServerParts) => Promise<MadeForm>;
