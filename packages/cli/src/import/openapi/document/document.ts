/** An object in a parsed file. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An OpenAPI document with the files that it refers to. */
export interface ApiDocument {
  readonly root: JsonObject;
  /** The address that the document was fetched from; undefined for a file. */
  readonly url: URL | undefined;
  /** Whether the version is 3.0, whose schemas have `nullable`. */
  readonly isVersion30: boolean;
  /** Returns an object, or the target of its chain of references; an empty object for anything else. */
  resolve(value: unknown): JsonObject;
  /** Returns the direct target of a reference. */
  findTarget(value: JsonObject): Target | undefined;
  /** Returns the target of a reference in an object that has a `$ref`. */
  lookUp(reference: string, referrer: JsonObject): Target | undefined;
  /** The references whose target does not exist, as they are written. They are read as empty objects. */
  readonly brokenReferences: readonly string[];
}

/** The target of a reference. */
export interface Target {
  /** The value; undefined if the target does not exist. */
  readonly value: unknown;
  /** The address of its file. */
  readonly file: string;
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
}

/**
 * Creates a document from its parsed files.
 *
 * @param files parsed files by address; the first is the document itself
 * @param url the address that the document was fetched from
 */
export function createDocument(files: ReadonlyMap<string, unknown>, url?: URL): ApiDocument {
  const [root] = [...files.values()].map(asObject);
  const filesByReference = new Map<object, string>();
  for (const [file, value] of files)
    for (const object of findReferences(value)) filesByReference.set(object, file);

  const lookUp = (reference: string, referrer: JsonObject): Target | undefined => {
    const base = filesByReference.get(referrer);
    if (base === undefined) return undefined;
    const [file, pointer] = splitReference(reference, base);
    const path = pointer.split("/").slice(1).map(unescapePointer);
    const value = path.reduce<unknown>(
      (at, name) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, name) ? at[name as never] : undefined,
      files.get(file),
    );
    return { value, file, path };
  };
  const findTarget = (value: JsonObject): Target | undefined =>
    isReference(value) ? lookUp(value.$ref, value) : undefined;
  const resolve = (value: unknown): JsonObject => {
    const seen = new Set<JsonObject>();
    let object = asObject(value);
    for (let next = findTarget(object); next !== undefined; next = findTarget(object)) {
      if (seen.has(object)) return {};
      seen.add(object);
      object = asObject(next.value);
    }
    return object;
  };
  const broken = [...files.values()]
    .flatMap((value) => findReferences(value))
    .filter((each) => findTarget(each)?.value === undefined);
  const version = String(root?.["openapi"]);
  return {
    root: root ?? {},
    url,
    isVersion30: version.startsWith("3.0"),
    resolve,
    findTarget,
    lookUp,
    brokenReferences: [...new Set(broken.map(({ $ref }) => $ref))],
  };
}

/** Members whose own members have names chosen by the author, so that `example` has no special meaning in them. */
const NAMED: ReadonlySet<string> = new Set(
  "properties patternProperties schemas $defs definitions parameters responses requestBodies headers".split(
    " ",
  ),
);

/** Returns every object in a file that has a `$ref`. Examples are data. */
export function findReferences(value: unknown, member = ""): (JsonObject & { readonly $ref: string })[] {
  if (typeof value !== "object" || value === null) return [];
  const found = Object.entries(value).flatMap(([name, each]) =>
    /^examples?$/.test(name) && !NAMED.has(member) ? [] : findReferences(each, name),
  );
  return isReference(value) ? [value, ...found] : found;
}

function isReference(value: object): value is JsonObject & { readonly $ref: string } {
  return "$ref" in value && typeof value.$ref === "string";
}

/** Splits a reference into the address of its file and the pointer into it. */
export function splitReference(reference: string, base: string): [file: string, pointer: string] {
  const [path = "", pointer = ""] = reference.split("#", 2);
  return [path !== "" && URL.canParse(path, base) ? new URL(path, base).href : path || base, pointer];
}

function unescapePointer(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A pointer may contain a lone percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns an object as it is, and an empty one for anything else, because documents are often invalid. */
export function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Returns a list, or an empty one for any other value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string, or undefined if it is blank or any other value. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
