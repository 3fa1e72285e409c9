import type { PrincipalInput } from "@tenon/runtime";
import type { EntryKind } from "./entries.js";

/** How the page connects. */
export interface Settings {
  /** Of the protocol. */
  revision: string;
  /** On whose behalf it calls; nobody known, where the subject is empty. */
  subject: string;
  /** Separated by spaces. */
  scopes: string;
  /** What else is known of the subject, as JSON; empty for nothing. */
  claims: string;
  /** URIs of the folders that the client would open to the server. */
  roots: readonly string[];
}

/** A call to be made again. */
export interface SavedCall {
  name: string;
  kind: EntryKind;
  key: string;
  args: Record<string, unknown>;
}

/** What is there again next time. */
export interface Notes {
  settings: Settings;
  saved: readonly SavedCall[];
}

/** Newest first. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export const DEFAULT_NOTES: Notes = {
  settings: { revision: REVISIONS[0], subject: "", scopes: "", claims: "", roots: [] },
  saved: [],
};

/** Whether a revision has no sessions: what the server tells by itself comes in a stream that is asked for. */
export function isModern(revision: string): boolean {
  return revision >= "2026-07-28";
}

/** Notes as they were kept, with defaults for what is missing. */
export function readNotes(kept: unknown): Notes {
  const { settings, saved } = (kept ?? {}) as { settings?: Partial<Settings>; saved?: readonly SavedCall[] };
  return {
    settings: { ...DEFAULT_NOTES.settings, ...settings },
    saved: Array.isArray(saved) ? saved : [],
  };
}

export function principalOf({ subject, scopes, claims }: Settings): PrincipalInput | undefined {
  if (subject === "") return undefined;
  return {
    subject,
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ""),
    claims: claimsIn(claims) ?? {},
  };
}

/** Nothing where the text is no object in JSON. */
export function claimsIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && !Array.isArray(value)
      ? ({ ...value } as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
