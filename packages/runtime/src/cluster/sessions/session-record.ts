/**
 * The record of a legacy session in a store, and its changes.
 * @module
 */
import type { Principal } from "../../api/caller.js";
import { getBinding } from "../../access/principal.js";
import { digest } from "../../access/encryption/digest.js";
import type { Agreement, SessionChange, SessionState } from "../../protocol/agreement.js";
import type { ClientDescription } from "../../protocol/client-description.js";
import { findRevision } from "../../protocol/revisions.js";

/** The stored state of a session. */
export interface SessionRecord extends SessionState {
  /** The agreement with the client. Absent if the ID of the session contains it. */
  readonly opened?: {
    readonly revision: string;
    readonly client: ClientDescription;
    readonly openedAt: number;
    /** The digest of the session's ID. The ID itself is not stored, so access to the store alone opens no session. */
    readonly idDigest: string;
    readonly owner: string;
  };
  /** The time after which the ID of an ended session is too old to be opened, in milliseconds since 1970. */
  readonly endedUntil?: number;
}

/** Pattern of a session ID that contains only the name of its record and a secret. */
const STORED_ID = /^([\da-f-]{36})\.[\da-f-]{36}$/;

/** Creates the ID and the record of a session whose ID does not contain the agreement. */
export function createRecord(
  { id: name, revision, client, openedAt }: Agreement,
  principal: Principal | undefined,
): { id: string; record: SessionRecord } {
  const id = `${name}.${globalThis.crypto.randomUUID()}`;
  const owner = getBinding(principal);
  return { id, record: { opened: { revision: revision.id, client, openedAt, idDigest: digest(id), owner } } };
}

/** Returns the name of the record in a session's ID; undefined for IDs of a different format. */
export function findRecordName(id: string): string | undefined {
  return STORED_ID.exec(id)?.[1];
}

/** Returns the agreement in a record; undefined for another principal or a wrong ID. */
export function readAgreement(
  record: SessionRecord | undefined,
  name: string,
  id: string,
  principal: Principal | undefined,
): Agreement | undefined {
  const { opened } = record ?? {};
  if (opened === undefined) return undefined;
  const revision = findRevision(opened.revision, "legacy");
  const isAuthorized = opened.idDigest === digest(id) && opened.owner === getBinding(principal);
  if (!isAuthorized || revision === undefined) return undefined;
  return { id: name, revision, client: opened.client, openedAt: opened.openedAt };
}

/** Returns the record of a session after a change. */
export function withChange(record: SessionRecord, change: SessionChange): SessionRecord {
  if ("logLevel" in change) return { ...record, logLevel: change.logLevel };
  const subscribed = new Set(record.subscribed);
  if ("subscribed" in change) subscribed.add(change.subscribed);
  else subscribed.delete(change.unsubscribed);
  return { ...record, subscribed: [...subscribed] };
}
