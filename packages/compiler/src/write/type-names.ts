/** Names that nothing else in the same file has. */
export interface TypeNames {
  /** A name for a type, close to what it is named for. */
  fresh(hint: string): string;
  /** @example pascal("get_weather") // "GetWeather" */
  pascal(name: string): string;
}

/** @param taken names that are in use */
export function createTypeNames(taken: Iterable<string>): TypeNames {
  const used = new Set(taken);
  return {
    pascal,
    fresh(hint) {
      const base = pascal(hint);
      let name = base;
      for (let count = 2; used.has(name); count++) name = `${base}${count}`;
      used.add(name);
      return name;
    },
  };
}

function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `T${joined}`;
}

/**
 * The name of a method for a tool, a prompt or a resource.
 *
 * @example
 * methodName("get-weather") // "getWeather"
 */
export function methodName(name: string): string {
  const text = pascal(name);
  const camel = text.charAt(0).toLowerCase() + text.slice(1);
  return RESERVED.has(camel) ? `${camel}_` : camel;
}

/** Names that mean something else on a class. */
const RESERVED = new Set(["constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then"]);

/** Names that written sources use for something else: of TypeScript, and of what servers import. */
export const TYPE_NAMES_IN_USE: readonly string[] =
  "Array Promise Record Uint8Array AbortSignal Prompt Resource Tool Content".split(" ");
