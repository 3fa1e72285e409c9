/** Generator of unique type names for one file. */
export interface TypeNames {
  /** Returns a unique name for a type, similar to the given one. */
  create(hint: string): string;
  /** @example toPascalCase("get_weather") // "GetWeather" */
  toPascalCase(name: string): string;
}

/**
 * Creates a generator of unique type names for one file.
 *
 * @param taken the names already in use
 */
export function createTypeNames(taken: Iterable<string>): TypeNames {
  const used = new Set(taken);
  return {
    toPascalCase,
    create(hint) {
      const base = toPascalCase(hint);
      let name = base;
      for (let count = 2; used.has(name); count++) name = `${base}${count}`;
      used.add(name);
      return name;
    },
  };
}

function toPascalCase(name: string): string {
  const parts = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `T${joined}`;
}

/**
 * Returns the name of a method for a tool, a prompt, or a resource.
 *
 * @example
 * toMethodName("get-weather") // "getWeather"
 */
export function toMethodName(name: string): string {
  const text = toPascalCase(name);
  const camel = text.charAt(0).toLowerCase() + text.slice(1);
  return RESERVED.has(camel) ? `${camel}_` : camel;
}

/** Names with a special meaning in a class. */
const RESERVED = new Set(["constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then"]);

/** Type names with a different meaning in generated source files: built-in types, and those that servers import. */
export const TYPE_NAMES_IN_USE: readonly string[] =
  "Array Promise Record Uint8Array AbortSignal Prompt Resource Tool Content".split(" ");
