import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
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
  /** What it shows, in a few words. */
  description: string;
  /** Taken where nobody is asked. */
  default?: true;
  /** The call that shows a new project works: a tool of the template and its arguments, as typed in a terminal. */
  firstCall: { tool: string; arguments: string[] };
}

/** Describes a template; it stays behind when the rest is copied. */
export const DESCRIPTION_FILE = "_template.json";

/** Beside the sources in a checkout, inside the package when it was installed. */
const PLACES = ["../../../../templates", "../../templates"];

/**
 * Every template, the default first.
 *
 * @throws Failure when there are none, as in half an installation
 */
export function findTemplates(): Template[] {
  const folders = templateFolders();
  if (folders.length === 0)
    throw new Failure("The templates are missing from this installation.", {
      hint: "Install @tenon/cli again.",
    });
  return folders
    .map(({ name, folder }) => {
      const text = readFileSync(join(folder, DESCRIPTION_FILE), "utf8");
      return { name, folder, ...(JSON.parse(text) as TemplateDescription) };
    })
    .sort((a, b) => Number(b.default ?? false) - Number(a.default ?? false));
}

/** The names alone, for a help text. */
export function templateNames(): string[] {
  return templateFolders().map(({ name }) => name);
}

/** The template of that name. @throws Failure (exit code 2) with the nearest name when there is none */
export function findTemplate<T extends { name: string }>(templates: readonly T[], name: string): T {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const names = templates.map((template) => template.name);
  throw unknownName("template", name, names, { exitCode: 2 });
}

/** In the order of their names. */
function templateFolders(): { name: string; folder: string }[] {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.map(templatesIn).find((found) => found.length > 0) ?? [];
}

function templatesIn(place: string): { name: string; folder: string }[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .sort()
    .map((name) => ({ name, folder: join(place, name) }))
    .filter(({ folder }) => existsSync(join(folder, DESCRIPTION_FILE)));
}
