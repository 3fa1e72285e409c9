import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../terminal/failure.js";

/** A plain runnable project that new ones are copied from. */
export interface Template {
  name: string;
  /** Absolute. */
  folder: string;
  /** What it shows, in a few words. */
  description: string;
  /** The call that shows a new project works: a tool of the template and its arguments, as typed in a terminal. */
  firstCall: { tool: string; arguments: string[] };
}

/** Describes a template; it stays behind when the rest is copied. */
export const DESCRIPTION_FILE = "_template.json";

/** Beside the sources in a checkout, inside the package when it was installed. */
const PLACES = ["../../../../templates", "../../templates"];

/** Every template, the default first. */
export function findTemplates(): Template[] {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = folders.find((candidate) => existsSync(join(candidate, "minimal", DESCRIPTION_FILE)));
  if (!folder)
    throw new Failure("The templates are missing from this installation.", {
      hint: "Install @tenon/cli again.",
    });
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, DESCRIPTION_FILE)))
    .map((name) => readTemplate(folder, name))
    .sort(
      (a, b) => Number(b.name === "minimal") - Number(a.name === "minimal") || (a.name < b.name ? -1 : 1),
    );
}

function readTemplate(folder: string, name: string): Template {
  const text = readFileSync(join(folder, name, DESCRIPTION_FILE), "utf8");
  return {
    name,
    folder: join(folder, name),
    ...(JSON.parse(text) as Pick<Template, "description" | "firstCall">),
  };
}
