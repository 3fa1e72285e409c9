import type { PackageSettings } from "./package-settings.js";

/** The repository of a project. */
export interface SourceRepository {
  /** Its web page. */
  readonly url: string;
  /** The service, such as `github`. */
  readonly source: string;
  readonly owner: string;
  readonly name: string;
  /** The path of the project in the repository, unless it is the root. */
  readonly subfolder?: string;
}

const SERVICES: Readonly<Record<string, string>> = {
  github: "github.com",
  gitlab: "gitlab.com",
  bitbucket: "bitbucket.org",
};

/**
 * Reads the repository in package.json, in any form that npm accepts. Returns undefined if there is none, or the service is
 * unknown.
 *
 * @example
 * getRepository({ name: "weather", repository: "github:ada/weather" })
 * // { url: "https://github.com/ada/weather", source: "github", owner: "ada", name: "weather" }
 */
export function getRepository({ repository }: PackageSettings): SourceRepository | undefined {
  const text = (typeof repository === "string" ? repository : repository?.url)?.trim() ?? "";
  const directory = typeof repository === "string" ? undefined : repository?.directory;
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(text);
  const long =
    /^(?:git\+)?(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?(?:[#?].*)?$/.exec(
      text,
    ) ?? /^git@([\w.-]+):([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(text);
  const [, service, owner = "", name = ""] = short ?? long ?? [];
  if (short === null && long === null) return undefined;
  const host = short ? SERVICES[service ?? "github"] : service;
  const source = Object.keys(SERVICES).find((each) => SERVICES[each] === host);
  if (host === undefined || source === undefined) return undefined;
  const subfolder = directory?.replace(/^\.?\//, "").replace(/\/$/, "");
  return {
    url: `https://${host}/${owner}/${name}`,
    source,
    owner,
    name,
    ...(subfolder !== undefined && subfolder !== "" && { subfolder }),
  };
}
