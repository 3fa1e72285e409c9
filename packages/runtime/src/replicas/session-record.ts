/**
 * What a store has of a legacy session, and how it changes.
 * @module
 */
import type { Principal } from "../api/caller.js";
import type { StoredValue } from "../api/store.js";
import { bindingOf } from "../connection/principal.js";
import { digest } from "../encryption/digest.js";
import type { Agreement, SessionChange, SessionState } from "../protocol/agreement.js";
import type { ClientDescription } from "../protocol/client-description.js";
import { findRevision } from "../protocol/revisions.js";

/** What the store says of a session. */
export interface SessionRecord extends SessionState {
  /** What was agreed, and with whom. Absent where the session's id carries it. */
  readonly opened?: {
    readonly revision: string;
    readonly client: ClientDescription;
    readonly openedAt: number;
    /** Of that by which its client names it, so that the store alone opens no session. */
    readonly idDigest: string;
    readonly owner: string;
  };
  readonly ended?: true;
}

/** The id of a session that carries nothing but the name of its record, and a secret. */
const STORED_ID = /^([\da-f-]{36})\.[\da-f-]{36}$/;

/** A new session's id, and its record, for when the id carries nothing of what was agreed. */
export function newRecord(
  { id: name, revision, client, openedAt }: Agreement,
  principal: Principal | undefined,
): { id: string; record: SessionRecord } {
  const id = `${name}.${globalThis.crypto.randomUUID()}`;
  const owner = bindingOf(principal);
  return { id, record: { opened: { revision: revision.id, client, openedAt, idDigest: digest(id), owner } } };
}

/** The name of the record that a session's id tells; undefined where the id is none of those that the store knows. */
export function recordNameIn(id: string): string | undefined {
  return STORED_ID.exec(id)?.[1];
}

export function readRecord(found: StoredValue | undefined): SessionRecord | undefined {
  return found && (JSON.parse(found.value) as SessionRecord);
}

/** What a record says was agreed, for its principal and under its whole id alone. */
export function agreementIn(
  record: SessionRecord | undefined,
  name: string,
  id: string,
  principal: Principal | undefined,
): Agreement | undefined {
  const { opened } = record ?? {};
  if (opened === undefined) return undefined;
  const revision = findRevision(opened.revision, "legacy");
  const isTheirs = opened.idDigest === digest(id) && opened.owner === bindingOf(principal);
  if (!isTheirs || revision === undefined) return undefined;
  return { id: name, revision, client: opened.client, openedAt: opened.openedAt };
}

export function withChange(record: SessionRecord, change: SessionChange): SessionRecord {
  if ("logLevel" in change) return { ...record, logLevel: change.logLevel };
  const subscribed = new Set(record.subscribed);
  if ("subscribed" in change) subscribed.add(change.subscribed);
  else subscribed.delete(change.unsubscribed);
  return { ...record, subscribed: [...subscribed] };
}
