/** A part of an OpenAPI document, and where it stands: `openapi.json#/paths/~1pets/get`. */
export interface Part {
  /** Whatever somebody wrote there. */
  readonly value: unknown;
  readonly place: string;
}

/** An OpenAPI document with all the files it refers to. */
export interface ApiDocument {
  readonly root: Part;
  /** The address that it was fetched from; undefined for a file. */
  readonly url: URL | undefined;
  /** True for 3.0, whose schemas have `nullable` and limits of their own. */
  readonly isOld: boolean;
  /** A member of a part, wherever its reference leads. One that is not there has the value `undefined`. */
  at(part: Part, ...keys: readonly (string | number)[]): Part;
  /** What a part's `$ref` leads to, over any number of them; the part itself where it has none. */
  follow(part: Part): Part;
  /** What a reference leads to, by one step. */
  target(reference: string, from: Part): Part;
}

/**
 * @param files what was read, by address, with the document itself under the first
 */
export function createDocument(files: ReadonlyMap<string, unknown>, address: string, url?: URL): ApiDocument {
  const root: Part = { value: files.get(address), place: `${address}#` };

  const target = (reference: string, from: Part): Part => {
    const [file, pointer] = addressOf(reference, fileOf(from));
    let part: Part = { value: files.get(file), place: `${file}#` };
    for (const token of pointer.split("/").slice(1)) part = childOf(part, unescaped(token));
    return part;
  };

  const follow = (part: Part): Part => {
    const seen = new Set<string>();
    let current = part;
    for (;;) {
      const { $ref } = recordOf(current.value);
      if (typeof $ref !== "string") return current;
      if (seen.has(current.place)) return { value: undefined, place: current.place };
      seen.add(current.place);
      current = target($ref, current);
    }
  };

  return {
    root,
    url,
    isOld: String(recordOf(root.value)["openapi"]).startsWith("3.0"),
    target,
    follow,
    at: (part, ...keys) => keys.reduce<Part>((at, key) => follow(childOf(at, String(key))), follow(part)),
  };
}

/** The file of a reference, and the pointer into it. */
export function addressOf(reference: string, file: string): [file: string, pointer: string] {
  const [path = "", pointer = ""] = reference.split("#", 2);
  if (path === "") return [file, pointer];
  try {
    return [new URL(path, file).href, pointer];
  } catch {
    return [path, pointer];
  }
}

export function fileOf({ place }: Part): string {
  return place.slice(0, place.indexOf("#"));
}

/** The last names on the way to a part. */
export function pathOf({ place }: Part): string[] {
  return place
    .slice(place.indexOf("#") + 1)
    .split("/")
    .slice(1)
    .map(unescaped);
}

export function childOf({ value, place }: Part, key: string): Part {
  const held = Array.isArray(value) ? (value as unknown[])[Number(key)] : ownValue(value, key);
  return { value: held, place: `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

/** Each member of an object, or entry of a list; none of anything else. */
export function childrenOf(part: Part): { readonly key: string; readonly part: Part }[] {
  if (typeof part.value !== "object" || part.value === null) return [];
  return Object.keys(part.value).map((key) => ({ key, part: childOf(part, key) }));
}

function ownValue(value: unknown, key: string): unknown {
  const record = recordOf(value);
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The members of an object; none of anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The entries of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function unescaped(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A pointer may hold a lone percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
