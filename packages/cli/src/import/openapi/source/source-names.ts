/**
 * A name for a method, which is the tool's name as well: letters and digits, 64 at most, as every client takes them.
 *
 * @example
 * methodNameFor("repos/list-for-org") // "reposListForOrg"
 */
export function methodNameFor(text: string): string {
  const name = camel(text);
  return RESERVED_METHODS.has(name) ? `${name}Operation` : name;
}

const MOST_CHARACTERS = 60;

const RESERVED_METHODS: ReadonlySet<string> = new Set([
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "api",
]);

/** @returns words joined, shortened to what clients take, never empty */
export function camel(text: string): string {
  const words = wordsOf(text);
  let joined = "";
  for (const word of words) {
    if (joined.length + word.length > MOST_CHARACTERS) break;
    joined += joined === "" ? lowered(word) : word.charAt(0).toUpperCase() + word.slice(1);
  }
  if (joined === "") joined = lowered((words[0] ?? "").slice(0, MOST_CHARACTERS));
  return /^[A-Za-z]/.test(joined) ? joined : `call${joined}`;
}

export function pascalFor(text: string): string {
  const name = camel(text);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** @example constantFor("api_key") // "API_KEY" */
export function constantFor(text: string): string {
  return wordsOf(text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2"))
    .join("_")
    .toUpperCase();
}

/** A name in its first use of several. */
export function freshName(base: string, used: Set<string>): string {
  let name = base;
  for (let count = 2; used.has(name.toLowerCase()); count++) name = `${base}${count}`;
  used.add(name.toLowerCase());
  return name;
}

/** A name for a variable that nothing else in a method has. */
export function localName(property: string, used: Set<string>): string {
  const name = camel(property);
  const base = RESERVED_WORDS.has(name) ? `${name}Value` : name;
  let local = base;
  for (let count = 2; used.has(local); count++) local = `${base}${count}`;
  used.add(local);
  return local;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

/** `URLs` and `ID` are lowered whole, `getPet` by its first letter. */
function lowered(word: string): string {
  return /^[A-Z0-9]+s?$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof undefined var void while with yield async of"
  ).split(" "),
);
