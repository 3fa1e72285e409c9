/** What is kept under a name; values have names without a mark. */
export type KeyKind = "value" | "stream" | "count" | "fence";

const MARKS: Record<KeyKind, string> = { value: "", stream: "s|", count: "c|", fence: "f|" };

/** What begins like a mark, or like what is marked here. */
const MARKED = /^[a-z]\|/;

/**
 * The names of keys in Redis: those that the store is given, behind the prefix, with a mark where it is no value. All
 * names of one key are kept on one machine of a cluster, by the text in its braces or, where there is none, by the
 * whole key.
 */
export class KeyNames {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(kind: KeyKind, key: string): string {
    const name = this.#prefix + unmarked(key);
    if (kind === "value") return name;
    return MARKS[kind] + (hasTag(name) ? name : `{${name}}`);
  }

  /** The topic of messages for those who subscribe. */
  topic(name: string): string {
    return this.#prefix + (MARKED.test(name) ? `v|${name}` : name);
  }

  /** The topic at which the entries of a stream are announced. */
  streamTopic(stream: string): string {
    return `${MARKS.stream}${this.#prefix}${stream}`;
  }
}

/** Braces that are no tag would make one together with those put around. */
function unmarked(key: string): string {
  const isPlain = !MARKED.test(key) && (hasTag(key) || !/[{}]/.test(key));
  if (isPlain) return key;
  return `v|${key.replaceAll(/[%{}]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;
}

/** Whether there is text in the first braces. */
function hasTag(name: string): boolean {
  const start = name.indexOf("{");
  return start >= 0 && name.indexOf("}", start) > start + 1;
}
