import { getBinding } from "../../access/principal.js";
import { decryptText, encryptText, readStateKeys } from "../../access/encryption/encryption.js";
import { ToolError } from "../../api/errors.js";
import type { Cursor, Page, PageOptions } from "../../api/cursor.js";
import type { Principal } from "../../api/caller.js";
import { shorten } from "../../data/problems/shorten.js";
import { OutputError, type RejectOutput } from "../../data/results/output-check.js";
import type { CursorParameter } from "../../manifest.js";
import type { Call } from "../connection/call.js";

/** Default number of items on a page. */
const DEFAULT_ITEMS = 100;
/** Maximum number of characters on a page of a tool without a limit: about the 25,000 tokens that clients accept. */
const DEFAULT_CHARACTERS = 100_000;
/** Number of characters of a page besides its items. */
const FRAME_CHARACTERS = 200;
/** Maximum length of a cursor. */
const MAX_CURSOR_CHARACTERS = 8192;

/** The list to which a cursor belongs, its caller, and the size of its pages. */
export interface CursorScope {
  /** Identifies the list and the type of its positions. A cursor is valid only for the same list. */
  readonly list: string;
  readonly principal: Principal | undefined;
  /** Maximum number of characters of a page; 0 if the author sets no limit. */
  readonly maxChars: number;
}

/** Reads the cursors of a server. */
export interface Cursors {
  /**
   * Reads a cursor, which a client may have omitted.
   *
   * @returns undefined if the value is not a cursor of this list, or belongs to another caller
   */
  open(text: unknown, scope: CursorScope): Cursor<unknown> | undefined;
  /**
   * Creates the function that reads the cursor from the arguments of a tool. It throws a ToolError for any other value.
   *
   * @param maxChars the limit of the server, for tools without their own
   */
  createReader(
    parameter: CursorParameter,
    maxChars: number,
  ): (args: Record<string, unknown>, call: Call) => Cursor<unknown>;
  /**
   * Creates the check of the pages of a list.
   *
   * @param subject names a page in messages
   */
  createPageCheck(list: CursorScope["list"], subject: string): CheckPage;
  /** Creates the check of the pages of a tool. */
  createToolPageCheck(parameter: CursorParameter, tool: string): CheckPage;
}

/** A function that rejects a page whose `nextCursor` clients could not use, because it is not a cursor of the same list. */
export type CheckPage = (page: unknown, call: Call, reject: RejectOutput) => void;

/**
 * Creates the cursors of a server.
 *
 * @param stateKeys the value of `TENON_STATE_KEYS`; without it, cursors are valid only in this process
 * @param serverName binds cursors to this server: other servers with the same keys do not accept them
 * @throws Error if a key is too short
 */
export function createCursors(stateKeys: string | undefined, serverName: string): Cursors {
  const keys = readStateKeys(stateKeys, "tenon cursor");
  const open: Cursors["open"] = (text, { list, principal, maxChars }) => {
    const binding = JSON.stringify([serverName, list, getBinding(principal)]);
    const write = (position: unknown): string => checkLength(encryptText(toText(position), keys, binding));
    // Models send an empty string for the first page.
    if (text === undefined || text === null || text === "")
      return new CallCursor(undefined, write, maxChars || DEFAULT_CHARACTERS);
    const isReadable = typeof text === "string" && text.length <= MAX_CURSOR_CHARACTERS;
    const position = isReadable ? decryptText(text, keys, binding) : undefined;
    if (position === undefined) return undefined;
    return new CallCursor(JSON.parse(position), write, maxChars || DEFAULT_CHARACTERS);
  };
  const createPageCheck: Cursors["createPageCheck"] = (list, subject) =>
    function checkPage(page, { peer }, reject) {
      const { nextCursor } = Object(page) as { nextCursor?: unknown };
      // Some clients continue with an empty cursor, which requests the first page again, and others end there.
      if (
        nextCursor === "" ||
        open(nextCursor, { list, principal: peer.principal, maxChars: 0 }) === undefined
      )
        reject(createForeignCursorError(subject, nextCursor));
    };
  return {
    open,
    createReader: ({ name, position, maxChars: own }, maxChars) => {
      const positions = JSON.stringify(position);
      return (args, { params, peer }) => {
        const tool = String(params.name);
        const list = toToolList(tool, positions);
        const cursor = open(args[name], { list, principal: peer.principal, maxChars: own ?? maxChars });
        if (cursor === undefined) throw createCursorError(tool, name);
        return cursor;
      };
    },
    createPageCheck,
    createToolPageCheck: ({ position }, tool) =>
      createPageCheck(toToolList(tool, JSON.stringify(position)), `page of tool "${tool}"`),
  };
}

function toToolList(tool: string, positions: string): string {
  return `tool ${tool} ${positions}`;
}

/**
 * Creates the error for a page that a client could not continue.
 *
 * @param subject names the page
 */
function createForeignCursorError(subject: string, nextCursor: unknown): OutputError {
  const fix = "Create it with `cursor.at(position)`, or omit it on the last page";
  return new OutputError(
    `The ${subject} is not valid: \`nextCursor\` is not a cursor of this list (got ${shorten(nextCursor)}). ${fix}.`,
  );
}

/** Creates the error for an argument that is not a cursor. The model can call again without it. */
function createCursorError(tool: string, argument: string): ToolError {
  return new ToolError(
    `Invalid arguments for tool "${tool}": \`${argument}\` is not a cursor of this tool, or has expired. Pass the ` +
      `\`nextCursor\` of the previous result unchanged, or omit \`${argument}\` to begin with the first page.`,
  );
}

class CallCursor implements Cursor<unknown> {
  readonly #write: (position: unknown) => string;
  readonly #maxChars: number;

  constructor(
    readonly position: unknown,
    write: (position: unknown) => string,
    maxChars: number,
  ) {
    this.#write = write;
    this.#maxChars = maxChars - FRAME_CHARACTERS;
  }

  async page<Item>(
    all: Iterable<Item> | AsyncIterable<Item>,
    { size = DEFAULT_ITEMS, position }: PageOptions<Item, unknown>,
  ): Promise<Page<Item>> {
    checkSize(size);
    const items: Item[] = [];
    let characters = 0;
    for await (const item of all) {
      characters += countCharacters(item);
      const last = items.at(-1);
      if (last !== undefined && (items.length === size || characters > this.#maxChars))
        return { items, nextCursor: this.at(position(last)) };
      items.push(item);
    }
    return { items };
  }

  slice<Item>(all: readonly Item[], size = DEFAULT_ITEMS): Page<Item> {
    checkSize(size);
    const start = this.position === undefined ? 0 : Number(this.position);
    const items: Item[] = [];
    let characters = 0;
    for (const item of all.slice(start, start + size)) {
      characters += countCharacters(item);
      if (items.length > 0 && characters > this.#maxChars) break;
      items.push(item);
    }
    const end = start + items.length;
    return end < all.length ? { items, nextCursor: this.at(end) } : { items };
  }

  at(position: unknown): string {
    return this.#write(position);
  }
}

function checkSize(size: number): void {
  if (!Number.isInteger(size) || size < 1)
    throw new TypeError(`The size of a page must be a whole number, at least 1 (got ${size}).`);
}

/**
 * Returns a position as JSON.
 *
 * @throws TypeError for a value that JSON cannot represent
 */
function toText(position: unknown): string {
  const text = JSON.stringify(position) as string | undefined;
  if (text === undefined || text === "null")
    throw new TypeError(`The position of a cursor must be a JSON value other than null (got ${position}).`);
  return text;
}

/**
 * Returns a cursor.
 *
 * @throws TypeError if it is too long to be accepted later
 */
function checkLength(cursor: string): string {
  if (cursor.length <= MAX_CURSOR_CHARACTERS) return cursor;
  throw new TypeError(
    `The position of a cursor is too large: the cursor has ${cursor.length} characters, but at most ${MAX_CURSOR_CHARACTERS} are accepted. Use a shorter position, such as an ID.`,
  );
}

/** Estimates the length of an item as JSON. */
function countCharacters(item: unknown): number {
  const text = JSON.stringify(item, (_name, part: unknown) => {
    if (typeof part === "bigint") return part.toString();
    return part instanceof Map || part instanceof Set ? [...(part as Iterable<unknown>)] : part;
  }) as string | undefined;
  return text?.length ?? 0;
}
