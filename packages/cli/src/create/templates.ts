import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../terminal/failure.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/** A project from which new projects are copied. */
export interface Template extends TemplateDescription {
  name: string;
  /** The absolute path of the folder. */
  folder: string;
}

/** The content of `_template.json`. */
interface TemplateDescription {
  /** The position in the list. The first template is the default. */
  order: number;
  /** A short description. */
  description: string;
  /** The first call of a new project: a tool and its arguments, as typed in a terminal. */
  firstCall: { tool: string; arguments: string[] };
  /** The purpose of the script `start` (default: "serves it over stdio"). */
  start?: string;
  /** The arguments of `tenon install` after the client. `FOLDER` is replaced with the project folder. */
  install?: string[];
  /** A note about `install`. */
  installNote?: string;
}

/** The file that describes a template. It is not copied. */
export const DESCRIPTION_FILE = "_template.json";

/** The folder with the files of every project: for editors, coding agents, and CI. */
const BASE_FOLDER = "_base";

/** The locations of the templates: inside an installed package, and in a checkout. */
const LOCATIONS = ["../../templates", "../../../../templates"];

/**
 * Returns all templates, in order.
 *
 * @throws Failure if there are none, as in a broken installation
 */
export function findTemplates(): Template[] {
  const templates = listInstalledTemplates();
  if (templates.length > 0) return templates;
  throw new Failure("The templates are missing from this installation.", {
    hint: "Install @tenon/cli again.",
  });
}

/** Returns the folders to copy for a template, in order: later files replace earlier ones. */
export function getTemplateFolders({ folder }: Pick<Template, "folder">): string[] {
  return [join(dirname(folder), BASE_FOLDER), folder];
}

/** Returns the path of the rules for coding agents that every new project gets. */
export function getRulesFile(): string {
  const [template] = findTemplates();
  return join(dirname(template?.folder ?? ""), BASE_FOLDER, "AGENTS.md");
}

/** Returns the names of all templates. */
export function listTemplateNames(): string[] {
  return listInstalledTemplates().map(({ name }) => name);
}

/**
 * Finds a template by name.
 *
 * @throws Failure (exit code 2) with the nearest name if there is none
 */
export function findTemplate<T extends { name: string }>(templates: readonly T[], name: string): T {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const names = templates.map((template) => template.name);
  throw createUnknownNameFailure("template", name, names, { exitCode: 2 });
}

function listInstalledTemplates(): Template[] {
  const folders = LOCATIONS.map((location) => fileURLToPath(new URL(location, import.meta.url)));
  return folders.map(readTemplates).find((found) => found.length > 0) ?? [];
}

function readTemplates(parent: string): Template[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .map((name) => ({ name, folder: join(parent, name) }))
    .filter(({ folder }) => existsSync(join(folder, DESCRIPTION_FILE)))
    .map(({ name, folder }) => {
      const text = readFileSync(join(folder, DESCRIPTION_FILE), "utf8");
      return { name, folder, ...(JSON.parse(text) as TemplateDescription) };
    })
    .sort((a, b) => a.order - b.order);
}
