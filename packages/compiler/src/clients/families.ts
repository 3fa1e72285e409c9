import type { Profile } from "@tenon/runtime/manifest";
import type { RuleName } from "./rules.js";

/**
 * How a client handles a schema that breaks a rule:
 *
 * - `rejected`: the client or its provider responds with an error, or drops the tool, or all tools of the server
 * - `lost`: the call works, but the model does not see the information
 */
export type Effect = "rejected" | "lost";

/** Clients that treat schemas alike. */
export interface ClientFamily {
  title: string;
  /** The effect of each rule that an input schema breaks. */
  input: Partial<Record<RuleName, Effect>>;
  /** The effect of each rule that an output schema breaks. */
  output?: Partial<Record<RuleName, Effect>>;
  /** Whether the family is checked only on request: most clients of the family do not use this mode. */
  onRequest?: true;
  /** The profile for which the family is also checked. */
  profile?: Profile;
}

/** How providers and clients handled schemas, according to public reports up to November 2026. */
const TABLE = {
  claude: {
    title: "Claude (API, Code, Desktop)",
    input: {
      "root-composition": "rejected",
      "root-not-object": "rejected",
      "dialect-not-2020": "rejected",
      "items-list": "rejected",
      "property-name": "rejected",
      // Claude Desktop strips definitions. The API accepts them.
      reference: "lost",
    },
  },
  openai: {
    title: "OpenAI functions",
    input: {
      "root-composition": "rejected",
      "root-enum-or-not": "rejected",
      "root-not-object": "rejected",
      "array-without-items": "rejected",
      "object-without-properties": "rejected",
      "all-of": "rejected",
    },
  },
  vscode: {
    title: "VS Code, Copilot",
    input: { "root-not-object": "rejected", "array-without-items": "rejected", reference: "lost" },
  },
  cursor: {
    title: "Cursor, Kiro, opencode",
    input: { "root-not-object": "rejected", reference: "lost" },
  },
  "sdk-1": {
    title: "Hosts on the official SDK 1.x",
    input: { "root-not-object": "rejected" },
    // Schemas are read as draft-07, and results validated against them.
    output: { "tuple-closed-by-items": "rejected" },
  },
  genkit: {
    title: "Genkit",
    input: { "dialect-named": "rejected", "root-not-object": "rejected" },
  },
  "claude-strict": {
    title: "Claude, strict tools",
    onRequest: true,
    input: {
      "root-composition": "rejected",
      "root-not-object": "rejected",
      "property-name": "rejected",
      limits: "lost",
    },
  },
  "openai-strict": {
    title: "OpenAI, strict functions",
    onRequest: true,
    profile: "openai-strict",
    input: {
      "root-composition": "rejected",
      "root-enum-or-not": "rejected",
      "root-not-object": "rejected",
      "optional-property": "rejected",
      "open-object": "rejected",
      "keyword-unknown-to-strict": "rejected",
      "format-unknown-to-strict": "rejected",
      "array-without-items": "rejected",
      "object-without-properties": "rejected",
      untyped: "rejected",
    },
  },
  gemini: {
    title: "Gemini function declarations",
    onRequest: true,
    profile: "gemini",
    input: {
      "root-composition": "rejected",
      "root-not-object": "rejected",
      "type-list": "rejected",
      const: "rejected",
      "enum-not-text": "rejected",
      "key-patterns": "rejected",
      "exclusive-bound": "rejected",
      "format-unknown-to-gemini": "rejected",
      reference: "rejected",
      "array-without-items": "rejected",
      untyped: "rejected",
      "all-of": "rejected",
      "keyword-unknown-to-gemini": "lost",
    },
  },
} as const satisfies Record<string, ClientFamily>;

export type ClientName = keyof typeof TABLE;

export const FAMILIES: Readonly<Record<ClientName, ClientFamily>> = TABLE;

/** The families in display order. */
export const CLIENT_NAMES = Object.keys(TABLE) as ClientName[];

/** Returns the families to check for a project built for a profile. */
export function getClientNames(profile: Profile): ClientName[] {
  return CLIENT_NAMES.filter(
    (name) => FAMILIES[name].onRequest !== true || FAMILIES[name].profile === profile,
  );
}
