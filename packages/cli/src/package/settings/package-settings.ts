import { join } from "node:path";
import { Failure } from "../../terminal/failure.js";
import { readJsonFile } from "../../files/json-file.js";

/** What the project's package.json says, so far as it is passed on. */
export interface PackageSettings {
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
  /** Under which the MCP registry knows the server. */
  readonly mcpName?: string;
}

export interface Person {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** What keeps a package.json from being passed on, and what to do about it. */
export interface SettingProblem {
  readonly message: string;
  readonly hint: string;
}

/** The package.json of a project that has been compiled, and so has one with a name. */
export function readPackageSettings(root: string): PackageSettings {
  return readJsonFile(join(root, "package.json")) as PackageSettings;
}

/**
 * The version, which whoever publishes has to name.
 *
 * @throws Failure when there is none
 */
export function requiredVersion(settings: PackageSettings): string {
  const problem = versionProblem(settings);
  if (problem !== undefined) throw new Failure(problem.message, { hint: problem.hint });
  return settings.version ?? "";
}

/** Why the version is none that can be published. */
export function versionProblem({ version }: PackageSettings): SettingProblem | undefined {
  if (version !== undefined && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)) return undefined;
  return {
    message:
      version === undefined
        ? "package.json has no version."
        : `The version ${JSON.stringify(version)} of package.json is not one that npm takes.`,
    hint: 'Give it one of three numbers, such as "version": "1.0.0".',
  };
}

/**
 * The author, of which npm has a short form as well.
 *
 * @example
 * authorOf({ name: "weather", author: "Ada <ada@example.com> (https://ada.example.com)" })
 * // { name: "Ada", email: "ada@example.com", url: "https://ada.example.com" }
 */
export function authorOf({ author }: PackageSettings): Person | undefined {
  if (typeof author !== "string") return author;
  const [, name = "", email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(author.trim()) ?? [];
  if (name.trim() === "") return undefined;
  return { name: name.trim(), ...(email !== undefined && { email }), ...(url !== undefined && { url }) };
}

/**
 * A name for files: letters, digits and hyphens.
 *
 * @example
 * fileName("@ada/weather") // "ada-weather"
 */
export function fileName(name: string): string {
  return name
    .replace(/^@/, "")
    .replaceAll(/[^\w.-]+/g, "-")
    .toLowerCase();
}
