/**
 * JSON that `JSON.stringify` cannot write: with duplicate members, and numbers of any length.
 * @module
 */

/** Text that represents a value verbatim. */
export class Raw {
  #text;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  written() {
    return this.#text;
  }
}

/** An object that may have duplicate members. */
export class Members {
  #list;

  /** @param {[name: string, value: unknown][]} list */
  constructor(list) {
    this.#list = list;
  }

  written() {
    return `{${this.#list.map(member).join()}}`;
  }
}

/** @param {unknown} value @returns {string} */
export function write(value) {
  if (value instanceof Raw || value instanceof Members) return value.written();
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(member).join()}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** @param {[name: string, value: unknown]} given */
function member([name, value]) {
  return `${JSON.stringify(name)}:${write(value)}`;
}
