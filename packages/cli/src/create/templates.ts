import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../terminal/failure.js";
import { unknownName } from "../terminal/unknown-name.js";

/** A plain runnable project that new ones are copied from. */
export interface Template extends TemplateDescription {
  name: string;
  /** Absolute. */
  folder: string;
}

/** The content of `_template.json`. */
interface TemplateDescription {
  /** Its place among the others; the first is taken where nobody is asked. */
  order: number;
  /** What it shows, in a few words. */
  description: string;
  /** The call that shows a new project works: a tool of the template and its arguments, as typed in a terminal. */
  firstCall: { tool: string; arguments: string[] };
  /** What `start` of its scripts does with `dist/`. Default: serves it over stdio. */
  start?: string;
  /** What `tenon install` is to be told besides the client. `FOLDER` is the project's. */
  install?: string[];
  /** What else there is to know about that. */
  installNote?: string;
}

/** Describes a template; it stays behind when the rest is copied. */
export const DESCRIPTION_FILE = "_template.json";

/** What every project gets, whatever the template: what editors, coding agents and CI want to know. */
const EVERY = "_every";

/** Inside the package when it was installed, beside the sources in a checkout. */
const PLACES = ["../../templates", "../../../../templates"];

/**
 * Every template, in their order.
 *
 * @throws Failure when there are none, as in half an installation
 */
export function findTemplates(): Template[] {
  const templates = installedTemplates();
  if (templates.length > 0) return templates;
  throw new Failure("The templates are missing from this installation.", {
    hint: "Install @tenon/cli again.",
  });
}

/** The folders that are copied for a project of this template, one over the other. */
export function foldersOf({ folder }: Pick<Template, "folder">): string[] {
  return [join(dirname(folder), EVERY), folder];
}

/** The names alone, for a help text. */
export function templateNames(): string[] {
  return installedTemplates().map(({ name }) => name);
}

/** The template of that name. @throws Failure (exit code 2) with the nearest name when there is none */
export function findTemplate<T extends { name: string }>(templates: readonly T[], name: string): T {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const names = templates.map((template) => template.name);
  throw unknownName("template", name, names, { exitCode: 2 });
}

function installedTemplates(): Template[] {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.map(templatesIn).find((found) => found.length > 0) ?? [];
}

function templatesIn(place: string): Template[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .map((name) => ({ name, folder: join(place, name) }))
    .filter(({ folder }) => existsSync(join(folder, DESCRIPTION_FILE)))
    .map(({ name, folder }) => {
      const text = readFileSync(join(folder, DESCRIPTION_FILE), "utf8");
      return { name, folder, ...(JSON.parse(text) as TemplateDescription) };
    })
    .sort((a, b) => a.order - b.order);
}
