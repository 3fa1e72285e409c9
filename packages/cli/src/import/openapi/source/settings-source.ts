import type { Credentials, Setting } from "./credentials.js";
import type { ServerUrl } from "./server-url.js";
import { toCommentText, escapeTemplate, writeList, writeMember, writeSecurity } from "./source-text.js";

/** The address and the credentials of an API, and the environment variables that hold them. */
export interface SettingsPlan {
  /** The prefix of environment variables. */
  readonly prefix: string;
  readonly serverUrl: ServerUrl;
  readonly credentials: Credentials;
}

/** Returns every environment variable that the client reads, and its purpose. */
export function listEnvironmentVariables({
  serverUrl,
  prefix,
  credentials,
}: SettingsPlan): { readonly variable: string; readonly about: string }[] {
  const { template, variables } = serverUrl;
  const fallback = template === undefined ? "" : ` (default ${template})`;
  return [
    { variable: `${prefix}_URL`, about: `the base URL of the API${fallback}` },
    ...variables.map(({ variable, name, fallback: defaultValue, allowed }) => ({
      variable,
      about: `\`${name}\` in its base URL (default ${defaultValue}${allowed.length > 0 ? `; one of ${allowed.join(", ")}` : ""})`,
    })),
    ...listUniqueSettings(credentials),
  ];
}

/** Returns the settings of all schemes, each once. */
function listUniqueSettings({ schemes }: Credentials): Setting[] {
  const all = [...schemes.values()].flatMap(({ settings }) => settings);
  return all.filter(({ member }, index) => all.findIndex((each) => each.member === member) === index);
}

/** Generates the declarations of the client that differ between APIs. `client/settings.ts` contains a sample. */
export function writeSettings({ credentials, prefix, serverUrl }: SettingsPlan): string {
  const { schemes, security } = credentials;
  const settings = listUniqueSettings(credentials);
  const members = ["url", ...settings.map(({ member }) => member)];
  const fallback = serverUrl.template === undefined ? "undefined" : writeUrl(serverUrl);
  const values = settings.map(
    ({ member, variable, about }) =>
      `    /** ${toCommentText(about.charAt(0).toUpperCase() + about.slice(1))}. */\n` +
      `    ${member}: process.env["${variable}"] || undefined,`,
  );
  const names = [...schemes.keys()].map((name) => JSON.stringify(name)).join(" | ");
  return `/** The base URL and the credentials of the API. They come from the environment, never from a model. */
export interface ApiSettings {
${members.map((member) => `  readonly ${member}?: string | undefined;`).join("\n")}
}

/** Reads the settings from environment variables. An empty variable counts as unset. */
export function settingsFromEnvironment(): ApiSettings {
  return {
    /** The base URL of the API. */
    url: process.env["${prefix}_URL"] || ${fallback},
${values.join("\n")}
  };
}

const URL_VARIABLE = "${prefix}_URL";

/** Security requirements: alternatives, each a list of schemes of the OpenAPI document that must be used together. */
export type Security = readonly (readonly (${names || "never"})[])[];

/** The security requirements of operations without their own. */
const SECURITY: Security = ${writeSecurity(security)};

/** Returns the security schemes by name, with the credentials from the settings. */
function securitySchemes(${schemes.size === 0 ? "_settings" : "settings"}: ApiSettings): Readonly<Record<string, SecurityScheme>> {
  return {
${[...schemes].map(([name, { source }]) => `    ${writeMember(name, source)},`).join("\n")}
  };
}`;
}

function writeUrl({ template = "", variables }: ServerUrl): string {
  if (variables.length === 0) return JSON.stringify(template);
  const byName = new Map(variables.map((each) => [each.name, each]));
  const text = template.split(/(\{[^{}]+\})/).map((part) => {
    const found = byName.get(part.slice(1, -1));
    if (found === undefined) return escapeTemplate(part);
    const value = `process.env["${found.variable}"] || ${JSON.stringify(found.fallback)}`;
    if (found.allowed.length === 0) return `\${${value}}`;
    return `\${checkChoice("${found.variable}", ${value}, ${writeList(found.allowed)})}`;
  });
  return `\`${text.join("")}\``;
}
