/** Characters of a method's name, which is the tool's name as well. Some clients reject more than 64. */
const MAX_CHARACTERS = 60;

/**
 * Returns a name for a method, in letters and digits.
 *
 * @example
 * toMethodName("repos/list-for-org") // "reposListForOrg"
 */
export function toMethodName(text: string): string {
  const name = toCamelCase(text);
  return RESERVED_METHODS.has(name) ? `${name}Operation` : name;
}

const RESERVED_METHODS: ReadonlySet<string> = new Set(
  "constructor prototype toString valueOf hasOwnProperty then api".split(" "),
);

/** Returns a name for a variable that nothing else in the method uses. */
export function createVariableName(text: string, used: Set<string>): string {
  const name = toCamelCase(text);
  return createUniqueName(RESERVED_WORDS.has(name) ? `${name}Value` : name, used);
}

const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof undefined var void while with yield async of"
  ).split(" "),
);

/** Adds a number to a name if it is in use. */
export function createUniqueName(base: string, used: Set<string>): string {
  let name = base;
  for (let count = 2; used.has(name); count++) name = `${base}${count}`;
  used.add(name);
  return name;
}

/** Converts a string to an identifier that begins with a lowercase letter. */
export function toCamelCase(text: string): string {
  const words = splitWords(text);
  const [first = "", ...others] = words;
  let name = lowerFirst(first.slice(0, MAX_CHARACTERS));
  for (const word of others) {
    if (name.length + word.length > MAX_CHARACTERS) break;
    name += upperFirst(word);
  }
  return /^[A-Za-z]/.test(name) ? name : `call${name}`;
}

/** Converts a string to an identifier that begins with an uppercase letter. */
function toPascalCase(text: string): string {
  return upperFirst(toCamelCase(text));
}

/** @example toConstantCase("api_key") // "API_KEY" */
export function toConstantCase(text: string): string {
  return splitWords(text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2"))
    .join("_")
    .toUpperCase();
}

/** @example toKebabCase("PetShop") // "pet-shop" */
export function toKebabCase(text: string): string {
  return toConstantCase(text).toLowerCase().replaceAll("_", "-");
}

function splitWords(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Converts acronyms such as `URLs` and `ID` to lower case as a whole, and only the first letter of other words. */
function lowerFirst(word: string): string {
  return /^[A-Z0-9]+s?$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

/**
 * Returns the name of a class for the title of an API.
 *
 * @example
 * toClassName("Swagger Petstore - OpenAPI 3.0") // "Petstore"
 */
export function toClassName(title: string): string {
  const words = listTitleWords(title);
  const name = words.length === 0 ? "" : toPascalCase(words.join(" "));
  const base = /^[A-Za-z]/.test(words[0] ?? "") ? name : `Api${name}`;
  return CLASS_NAMES_IN_USE.has(base) ? `${base}Api` : base;
}

/** Returns the words of a title that distinguish its API from others. */
export function listTitleWords(title: string): string[] {
  const [name = ""] = title.replaceAll(/['’]s\b/g, "").split(/ [-–—+|(:]|[:(|]/);
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "" && !NOISE.test(word))
    .slice(0, 4);
}

const NOISE =
  /^(api|apis|rest|restful|http|swagger|openapi|specification|spec|the|public|reference|official|documentation|v?\d+)$/i;

const CLASS_NAMES_IN_USE: ReadonlySet<string> = new Set(
  (
    "ApiClient ApiSettings Array Object String Number Boolean Symbol Function Error Date Map Set Promise " +
    "Content Tool Prompt Resource Record Request Response"
  ).split(" "),
);
