/**
 * A sample of the settings that `tenon import` generates for each API, so that the modules next to it compile. It is not copied.
 * @module
 */
import { apiKey, basic, bearer, clientCredentials, type SecurityScheme } from "./security.js";
import { checkChoice } from "./values.js";

export const URL_VARIABLE = "API_URL";

export interface ApiSettings {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** Reads the settings from environment variables. */
export function settingsFromEnvironment(): ApiSettings {
  return {
    url: process.env["API_URL"] || `https://${checkChoice("API_REGION", "eu", ["eu", "us"])}.api.example`,
    token: process.env["API_TOKEN"] || undefined,
  };
}

export type Security = readonly (readonly ("token" | "key" | "login" | "client")[])[];

export const SECURITY: Security = [["token"]];

/** Returns the security schemes of the API, with the credentials of the settings. */
export function securitySchemes(settings: ApiSettings): Readonly<Record<string, SecurityScheme>> {
  return {
    token: bearer(settings.token, "API_TOKEN"),
    key: apiKey("query", "key", undefined, "API_KEY"),
    login: basic(undefined, undefined, "API_USERNAME and API_PASSWORD"),
    client: clientCredentials("/token", "", settings.url, undefined, undefined, "API_ID and API_SECRET"),
  };
}
