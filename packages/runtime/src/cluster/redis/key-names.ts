/** The kind of data under a key. Names of values have no mark. */
export type KeyKind = "value" | "stream" | "count" | "fence";

const MARKS: Record<KeyKind, string> = { value: "", stream: "s|", count: "c|", fence: "f|" };

/** Matches names that could be mistaken for names with a mark. */
const MARKED = /^[a-z]\|/;

/**
 * The names of keys in Redis. Each consists of a mark (none for values), the prefix, and the key of the store. A
 * cluster keeps all names of one key on the same node, which the text in the key's braces determines, or the whole key
 * if it has none.
 */
export class KeyNames {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  getName(kind: KeyKind, key: string): string {
    const name = this.#prefix + escapeKey(key);
    if (kind === "value") return name;
    return MARKS[kind] + (hasTag(name) ? name : `{${name}}`);
  }

  /** Returns the topic of messages for subscribers. */
  getTopic(name: string): string {
    return this.#prefix + (MARKED.test(name) ? `v|${name}` : name);
  }

  /** Returns the topic on which the entries of a stream are announced. */
  getStreamTopic(stream: string): string {
    return `${MARKS.stream}${this.#prefix}${stream}`;
  }
}

/** Escapes names that could be mistaken for names with a mark, and braces that are not a hash tag: with added braces, they would form one. */
function escapeKey(key: string): string {
  const isPlain = !MARKED.test(key) && (hasTag(key) || !/[{}]/.test(key));
  if (isPlain) return key;
  return `v|${key.replaceAll(/[%{}]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;
}

/** Returns whether there is text in the first braces, which makes it the hash tag. */
function hasTag(name: string): boolean {
  const start = name.indexOf("{");
  return start >= 0 && name.indexOf("}", start) > start + 1;
}
