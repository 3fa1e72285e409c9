import { join } from "node:path";
import { readJsonFile } from "../../files/json-file.js";

/** The parts of the project's package.json that targets use. */
export interface PackageSettings {
  /** Empty if there is none: servers are built without a name, but not published. */
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly author?: string | Person;
  readonly homepage?: string;
  readonly bugs?: string | { readonly url?: string };
  readonly repository?: string | { readonly url?: string; readonly directory?: string };
  readonly private?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly packageManager?: string;
  /** The name of the server in the MCP registry. */
  readonly mcpName?: string;
}

/** An author of a package. */
export interface Person {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** A problem in package.json that prevents a target, and its fix. */
export interface SettingProblem {
  readonly message: string;
  readonly hint: string;
}

/** Reads the package.json of a project. */
export function readPackageSettings(root: string): PackageSettings {
  const settings = readJsonFile(join(root, "package.json")) as Partial<PackageSettings>;
  return { ...settings, name: typeof settings.name === "string" ? settings.name : "" };
}

/**
 * Returns the author, which npm also accepts in a short form.
 *
 * @example
 * getAuthor({ name: "weather", author: "Ada <ada@example.com> (https://ada.example.com)" })
 * // { name: "Ada", email: "ada@example.com", url: "https://ada.example.com" }
 */
export function getAuthor({ author }: PackageSettings): Person | undefined {
  if (typeof author !== "string") return author;
  const [, name = "", email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(author.trim()) ?? [];
  if (name.trim() === "") return undefined;
  return { name: name.trim(), ...(email !== undefined && { email }), ...(url !== undefined && { url }) };
}

/**
 * Converts a name to a file name of letters, digits, and hyphens.
 *
 * @example
 * toFileName("@ada/weather") // "ada-weather"
 */
export function toFileName(name: string): string {
  return name
    .replace(/^@/, "")
    .replaceAll(/[^\w.-]+/g, "-")
    .toLowerCase();
}

/** Returns the name of a package without its scope, such as `weather` for `@ada/weather`. */
export function getUnscopedName({ name }: PackageSettings): string {
  return name.replace(/^@[^/]*\//, "");
}
