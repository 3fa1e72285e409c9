import type { PrincipalInput } from "@tenon/runtime";
import type { EntryKind } from "./entries.js";

/** The settings with which the page connects. */
export interface Settings {
  /** The protocol revision. */
  revision: string;
  /** The subject of the caller. Empty for an anonymous caller. */
  subject: string;
  /** The scopes, separated by spaces. */
  scopes: string;
  /** Further claims of the subject, as JSON; empty for none. */
  claims: string;
  /** The URIs of the client's roots. */
  roots: readonly string[];
}

/** A call that the developer saved, to be repeated. */
export interface SavedCall {
  name: string;
  kind: EntryKind;
  key: string;
  args: Record<string, unknown>;
}

/** The state that survives a reload. */
export interface Notes {
  settings: Settings;
  saved: readonly SavedCall[];
}

/** The supported revisions, newest first. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export const DEFAULT_NOTES: Notes = {
  settings: { revision: REVISIONS[0], subject: "", scopes: "", claims: "", roots: [] },
  saved: [],
};

/** Returns whether a revision has no sessions. Clients then request a stream for notifications outside calls. */
export function isModern(revision: string): boolean {
  return revision >= "2026-07-28";
}

/** Returns the stored notes, with defaults for missing members. */
export function readNotes(stored: unknown): Notes {
  const { settings, saved } = (stored ?? {}) as {
    settings?: Partial<Settings>;
    saved?: readonly SavedCall[];
  };
  return {
    settings: { ...DEFAULT_NOTES.settings, ...settings },
    saved: Array.isArray(saved) ? saved : [],
  };
}

export function toPrincipal({ subject, scopes, claims }: Settings): PrincipalInput | undefined {
  if (subject === "") return undefined;
  return {
    subject,
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ""),
    claims: parseClaims(claims) ?? {},
  };
}

/** Returns the claims in a string, or `undefined` if it is not a JSON object. */
export function parseClaims(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && !Array.isArray(value)
      ? ({ ...value } as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
