import type { Manifest } from "@tenon/runtime/manifest";
import { environmentSecrets, isSecretName, maskOf, replaceSecrets } from "./secrets.js";

/** A value without its secrets. */
export interface Masked<Value> {
  value: Value;
  /** JSON Pointers to what is not as it was. */
  places: string[];
}

export interface MaskOptions {
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** Names of arguments that the author has tagged `@secret`. */
  isSecretArgument?: (name: string) => boolean;
}

/** Members that describe values, where a name such as `password` has no value. */
const SCHEMAS: ReadonlySet<string> = new Set(["inputSchema", "outputSchema", "requestedSchema"]);

/** What was found to be a secret once is one wherever else it stands, unless it is so short that it stands anywhere. */
const SHORTEST_ELSEWHERE = 6;

/**
 * Makes a function that replaces secrets in values of JSON: what stands under a name that says so, what has the form of a
 * secret, and what secret variables of the environment hold. The same secret is replaced by the same text each time.
 *
 * @example
 * createMask({ env: {} })({ user: "ada", apiKey: "k-123" })
 * // { value: { user: "ada", apiKey: "(secret 1)" }, places: ["/apiKey"] }
 */
export function createMask({ env, isSecretArgument = () => false }: MaskOptions): <V>(value: V) => Masked<V> {
  const known = environmentSecrets(env);
  const numbers = new Map<string, number>();
  const replace = (secret: string): string => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    if (number > numbers.size && secret.length >= SHORTEST_ELSEWHERE) known.push(secret);
    numbers.set(secret, number);
    return maskOf(number);
  };
  const isSecret = (name: string): boolean => isSecretName(name) || isSecretArgument(name);

  const text = (value: string): string => {
    const json = jsonIn(value);
    if (json === undefined) return replaceSecrets(value, known, replace);
    const places: string[] = [];
    const masked = walk(json, "", false, places);
    if (places.length === 0) return replaceSecrets(value, known, replace);
    return JSON.stringify(masked, null, value.startsWith("{\n") || value.startsWith("[\n") ? 2 : 0);
  };
  const walk = (value: unknown, place: string, isNamed: boolean, places: string[]): unknown => {
    if (typeof value === "string" || (typeof value === "number" && isNamed)) {
      const whole = isNamed && value !== "" ? replace(String(value)) : text(String(value));
      if (whole === String(value)) return value;
      places.push(place);
      return whole;
    }
    if (Array.isArray(value))
      return value.map((each, index) => walk(each, `${place}/${index}`, isNamed, places));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => {
      const path = `${place}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (SCHEMAS.has(name)) return [name, each] as const;
      // Of a number, `tokens` says how many.
      const secret = isNamed || (isSecret(name) && !(typeof each === "number" && /tokens?$/i.test(name)));
      return [name, walk(each, path, secret, places)] as const;
    });
    return Object.fromEntries(members);
  };
  return <V>(value: V) => {
    const places: string[] = [];
    return { value: walk(value, "", false, places) as V, places };
  };
}

/** The names of arguments that are tagged `@secret`. */
export function secretArguments({ tools }: Manifest): string[] {
  return tools.flatMap(({ definition }) =>
    Object.entries(definition.inputSchema.properties ?? {}).flatMap(([name, schema]) =>
      typeof schema === "object" && schema.writeOnly === true ? name : [],
    ),
  );
}

function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
