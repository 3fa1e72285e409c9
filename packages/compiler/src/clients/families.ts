import type { Profile } from "@tenon/runtime/manifest";
import type { RuleName } from "./rules.js";

/**
 * - `refused`: the client or its provider answers with an error, or drops the tool (or all of the server's)
 * - `lost`: the call works, but the model is not told
 */
export type Effect = "refused" | "lost";

/** Clients that treat schemas alike. */
export interface ClientFamily {
  title: string;
  /** What happens when a rule finds something in an input schema. */
  input: Partial<Record<RuleName, Effect>>;
  /** The same of an output schema. */
  output?: Partial<Record<RuleName, Effect>>;
  /** Set for modes that clients of a family may use and most do not: they are looked at when asked for. */
  onRequest?: true;
  /** Looked at as well when the project is built in this profile. */
  profile?: Profile;
}

/** What providers and clients did with schemas in public reports up to November 2026, as data. */
const TABLE = {
  claude: {
    title: "Claude (API, Code, Desktop)",
    input: {
      "root-composition": "refused",
      "root-not-object": "refused",
      "dialect-not-2020": "refused",
      "items-list": "refused",
      "property-name": "refused",
      // Claude Desktop strips definitions; the API takes them.
      reference: "lost",
    },
  },
  openai: {
    title: "OpenAI functions",
    input: {
      "root-composition": "refused",
      "root-enum-or-not": "refused",
      "root-not-object": "refused",
      "array-without-items": "refused",
      "object-without-properties": "refused",
      "all-of": "refused",
    },
  },
  vscode: {
    title: "VS Code, Copilot",
    input: { "root-not-object": "refused", "array-without-items": "refused", reference: "lost" },
  },
  cursor: {
    title: "Cursor, Kiro, opencode",
    input: { "root-not-object": "refused", reference: "lost" },
  },
  "sdk-1": {
    title: "Hosts on the official SDK 1.x",
    input: { "root-not-object": "refused" },
    // Schemas are read by draft-07, and results held against them.
    output: { "tuple-closed-by-items": "refused" },
  },
  genkit: {
    title: "Genkit",
    input: { "dialect-named": "refused", "root-not-object": "refused" },
  },
  "claude-strict": {
    title: "Claude, strict tools",
    onRequest: true,
    input: {
      "root-composition": "refused",
      "root-not-object": "refused",
      "property-name": "refused",
      limits: "lost",
    },
  },
  "openai-strict": {
    title: "OpenAI, strict functions",
    onRequest: true,
    profile: "openai-strict",
    input: {
      "root-composition": "refused",
      "root-enum-or-not": "refused",
      "root-not-object": "refused",
      "optional-property": "refused",
      "open-object": "refused",
      "keyword-unknown-to-strict": "refused",
      "format-unknown-to-strict": "refused",
      "array-without-items": "refused",
      "object-without-properties": "refused",
      untyped: "refused",
    },
  },
  gemini: {
    title: "Gemini function declarations",
    onRequest: true,
    profile: "gemini",
    input: {
      "root-composition": "refused",
      "root-not-object": "refused",
      "type-list": "refused",
      const: "refused",
      "enum-not-text": "refused",
      "key-patterns": "refused",
      "exclusive-bound": "refused",
      "format-unknown-to-gemini": "refused",
      reference: "refused",
      "array-without-items": "refused",
      untyped: "refused",
      "all-of": "refused",
      "keyword-unknown-to-gemini": "lost",
    },
  },
} as const satisfies Record<string, ClientFamily>;

export type ClientName = keyof typeof TABLE;

export const FAMILIES: Readonly<Record<ClientName, ClientFamily>> = TABLE;

/** In the order in which they are shown. */
export const CLIENT_NAMES = Object.keys(TABLE) as ClientName[];

/** The families to look at for a project built in a profile. */
export function familiesFor(profile: Profile): ClientName[] {
  return CLIENT_NAMES.filter(
    (name) => FAMILIES[name].onRequest !== true || FAMILIES[name].profile === profile,
  );
}
