import { Failure } from "../../terminal/failure.js";
import { API_NAMES, type ApiName } from "./api-names.js";
import { ANTHROPIC } from "./anthropic.js";
import { OPENAI } from "./openai.js";
import type { Dialect } from "./question.js";

/** An endpoint that serves models. */
export interface Endpoint {
  readonly api: ApiName;
  readonly dialect: Dialect;
  /** The URL for requests. */
  readonly url: URL;
  /** The URL without its query, to show. */
  readonly shownUrl: string;
  readonly key?: string;
  /** The names of the variables, to show. */
  readonly variables: ApiVariables;
}

interface ApiVariables {
  readonly key: string;
  readonly baseUrl: string;
}

interface Api {
  readonly dialect: Dialect;
  readonly defaultUrl: string;
  readonly variables: ApiVariables;
  /** Whether local programs, which need no key, also serve this API. */
  readonly isServedLocally: boolean;
}

const APIS: Readonly<Record<ApiName, Api>> = {
  openai: {
    dialect: OPENAI,
    defaultUrl: "https://api.openai.com/v1",
    variables: { key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
    isServedLocally: true,
  },
  anthropic: {
    dialect: ANTHROPIC,
    defaultUrl: "https://api.anthropic.com",
    variables: { key: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
    isServedLocally: false,
  },
};

/** Matches a key that is valid in a header. */
const KEY = /^[\x21-\x7E]+$/;

/**
 * Finds the endpoint that the environment configures: with a key, or with the base URL of an OpenAI-compatible server, such
 * as a local one. If there are keys for both APIs, the model's name decides.
 *
 * @param given the API, instead of the one that the environment implies
 * @returns the endpoint, or undefined if the environment configures none
 * @throws Failure for a variable with an invalid value. The message never contains the value of a key
 * @example
 * findEndpoint({ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" }, "qwen3")?.shownUrl
 * // "http://127.0.0.1:11434/v1/chat/completions"
 */
export function findEndpoint(
  env: NodeJS.ProcessEnv,
  model: string | undefined,
  given?: ApiName,
): Endpoint | undefined {
  const configured = API_NAMES.filter((name) => isConfigured(APIS[name], env));
  const [first] = configured;
  const implied = configured.length > 1 && model?.startsWith("claude") === true ? "anthropic" : first;
  const api = given ?? implied;
  if (api === undefined || !configured.includes(api)) return undefined;
  const { dialect, defaultUrl, variables } = APIS[api];
  const key = env[variables.key]?.trim();
  if (key && !KEY.test(key))
    throw new Failure(`${variables.key} contains characters that a key cannot have.`, {
      hint: "Copy the key again, without quotes or line breaks.",
      exitCode: 2,
    });
  const url = parseBaseUrl(env[variables.baseUrl] || defaultUrl, variables.baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${dialect.path}`;
  return {
    api,
    dialect,
    url,
    shownUrl: `${url.origin}${url.pathname}`,
    variables,
    ...(key && { key }),
  };
}

/** Returns the variables of which one must be set, for messages. */
export function listVariables(given?: ApiName): string {
  const names = given === undefined ? API_NAMES : [given];
  const keys = names.map((name) => APIS[name].variables.key).join(" or ");
  const local = names.find((name) => APIS[name].isServedLocally);
  return local === undefined
    ? keys
    : `${keys}, or ${APIS[local].variables.baseUrl} for a server that needs no key`;
}

function isConfigured({ variables, isServedLocally }: Api, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env[variables.key]?.trim()) || (isServedLocally && Boolean(env[variables.baseUrl]));
}

function parseBaseUrl(text: string, variable: string): URL {
  const example = `For example, use ${variable}=http://127.0.0.1:11434/v1.`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Failure(`${variable} is not an HTTP URL.`, { hint: example, exitCode: 2 });
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new Failure(`${variable} contains a user name or a password, which requests cannot send.`, {
      hint: "Remove it from the URL, and set the key in its own variable.",
      exitCode: 2,
    });
  return url;
}
