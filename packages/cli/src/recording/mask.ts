import type { Manifest } from "@tenon/runtime/manifest";
import { parseJsonText } from "../compare/json/json-in-text.js";
import { findEnvironmentSecrets, isSecretName, toMask, replaceSecrets } from "./secrets.js";

/** A value without its secrets. */
export interface Masked<Value> {
  value: Value;
  /** JSON Pointers to the masked values. */
  pointers: string[];
}

/** The options of a mask. */
export interface MaskOptions {
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** Whether the author tagged an argument of this name `@secret`. */
  isSecretArgument?: (name: string) => boolean;
}

/** Members that contain schemas, in which a member named `password` describes a value and is not a secret. */
const SCHEMAS: ReadonlySet<string> = new Set(["inputSchema", "outputSchema", "requestedSchema"]);

/** Minimum length of a known secret that is also masked elsewhere. Shorter values may be ordinary text. */
const MIN_OTHER_CHARACTERS = 6;

/**
 * Creates a function that masks secrets in JSON values: members with a secret name, texts with the shape of a secret,
 * and values of secret environment variables. Equal secrets have the same mask.
 *
 * @example
 * createMask({ env: {} })({ user: "ada", apiKey: "k-123" })
 * // { value: { user: "ada", apiKey: "(secret 1)" }, pointers: ["/apiKey"] }
 */
export function createMask({ env, isSecretArgument = () => false }: MaskOptions): <V>(value: V) => Masked<V> {
  const known = findEnvironmentSecrets(env);
  const numbers = new Map<string, number>();
  const replace = (secret: string): string => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    if (number > numbers.size && secret.length >= MIN_OTHER_CHARACTERS) known.push(secret);
    numbers.set(secret, number);
    return toMask(number);
  };
  const isSecret = (name: string): boolean => isSecretName(name) || isSecretArgument(name);

  const maskText = (value: string): string => {
    const json = parseJsonText(value);
    if (json === undefined) return replaceSecrets(value, known, replace);
    const pointers: string[] = [];
    const masked = maskValue(json, "", false, pointers);
    if (pointers.length === 0) return replaceSecrets(value, known, replace);
    return JSON.stringify(masked, null, value.startsWith("{\n") || value.startsWith("[\n") ? 2 : 0);
  };
  const maskValue = (value: unknown, pointer: string, isNamed: boolean, pointers: string[]): unknown => {
    if (typeof value === "string" || (typeof value === "number" && isNamed)) {
      const whole = isNamed && value !== "" ? replace(String(value)) : maskText(String(value));
      if (whole === String(value)) return value;
      pointers.push(pointer);
      return whole;
    }
    if (Array.isArray(value))
      return value.map((each, index) => maskValue(each, `${pointer}/${index}`, isNamed, pointers));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => {
      const path = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (SCHEMAS.has(name)) return [name, each] as const;
      // A number named `tokens` is a count.
      const secret = isNamed || (isSecret(name) && !(typeof each === "number" && /tokens?$/i.test(name)));
      return [name, maskValue(each, path, secret, pointers)] as const;
    });
    return Object.fromEntries(members);
  };
  return <V>(value: V) => {
    const pointers: string[] = [];
    return { value: maskValue(value, "", false, pointers) as V, pointers };
  };
}

/** Returns the names of the tool arguments that are tagged `@secret`. */
export function listSecretArguments({ tools }: Manifest): string[] {
  return tools.flatMap(({ definition }) =>
    Object.entries(definition.inputSchema.properties ?? {}).flatMap(([name, schema]) =>
      typeof schema === "object" && schema.writeOnly === true ? name : [],
    ),
  );
}
