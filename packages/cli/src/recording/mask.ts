import { parseJsonText } from "../compare/json/json-in-text.js";
import type { FoundSecrets } from "./declared-secrets.js";
import { formatSegment, parsePointer } from "../compare/json/json-pointer.js";
import { createReplacement, findEnvironmentSecrets, isSecretName, listCredentials } from "./secrets.js";

/** A value without its secrets. */
export interface Masked<Value> {
  value: Value;
  /** JSON Pointers to the masked values. */
  pointers: string[];
}

/** Declared secrets of a value, and the masked values so far, as JSON Pointers. */
interface Found {
  readonly declared: ReadonlySet<string>;
  readonly pointers: string[];
}

/** The reason to mask a value as a whole: its name, or a tag with which the author declares it secret. */
type Secrecy = "none" | "named" | "declared";

/** The options of a mask. */
export interface MaskOptions {
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** Whether the author tagged an argument of this name `@secret`. */
  isSecretArgument?: (name: string) => boolean;
  /** Whether a type of the author has a member of this name. Other names in a declared secret are masked. */
  isMemberName?: (name: string) => boolean;
  /** Secrets with known masks. */
  known?: ReadonlyMap<string, string>;
}

/**
 * Masks the secrets of a JSON value.
 *
 * @param declared the secrets in it that only the author's tags mark
 */
export type Mask = <Value>(value: Value, declared?: FoundSecrets) => Masked<Value>;

/** Members that contain schemas, in which a member named `password` describes a value and is not a secret. */
const SCHEMAS: ReadonlySet<string> = new Set(["inputSchema", "outputSchema", "requestedSchema"]);

/** Values of the protocol in a recorded line, which may equal a short secret by chance. */
const PROTOCOL_VALUE =
  /^\/message\/(?:jsonrpc|id|method|params\/(?:requestId|progressToken|protocolVersion)|result\/(?:protocolVersion|resultType)|error\/code)$|\/_meta\/(?:progressToken|io\.modelcontextprotocol~1protocolVersion)$|^\/headers\/mcp-(?:method|protocol-version|session-id)$/;

/** Names that have a meaning in the protocol. An argument with such a name may be secret, but the protocol's own member is not. */
const PROTOCOL_MEMBERS: ReadonlySet<string> = new Set(
  (
    "action annotations arguments blob capabilities clientInfo code completion content contents context data description " +
    "error icons id level message messages meta method mimeType mode model name params prompt prompts reason resource " +
    "resources result role serverInfo size status text title tools total type uri url value values version"
  ).split(" "),
);

/** Headers that may authenticate the sender under any name. Their values are masked, but not replaced elsewhere. */
const PRIVATE_HEADER = /^\/headers\/(?:x-|mcp-param-|dpop$)/;

/**
 * Creates a function that masks secrets in JSON values: members with a secret name, strings with the shape of a secret,
 * and values of secret environment variables. Equal secrets have the same mask.
 *
 * @example
 * createMask({ env: {} })({ user: "ada", apiKey: "k-123" })
 * // { value: { user: "ada", apiKey: "(secret 1)" }, pointers: ["/apiKey"] }
 */
export function createMask({
  env,
  isSecretArgument = () => false,
  isMemberName = () => true,
  known,
}: MaskOptions): Mask {
  const replacement = createReplacement(findEnvironmentSecrets(env), known);
  const isSecret = (name: string, pointer: string): boolean =>
    isSecretName(name) ||
    (isSecretArgument(name) && (!PROTOCOL_MEMBERS.has(name) || pointer.includes("/arguments")));

  const maskText = (value: string): string => {
    const json = parseJsonText(value);
    if (json === undefined) return replacement.replaceIn(value);
    const found: Found = { pointers: [], declared: new Set() };
    const masked = maskValue(json, "", "none", found);
    if (found.pointers.length === 0) return replacement.replaceIn(value);
    return JSON.stringify(masked, null, value.startsWith("{\n") || value.startsWith("[\n") ? 2 : 0);
  };
  const maskWhole = (text: string, pointer: string, isWhole: boolean): string | undefined => {
    if (text === "" || (!isWhole && !PRIVATE_HEADER.test(pointer))) return undefined;
    if (!isWhole) return replacement.has(text) ? undefined : replacement.replaceOnce(text);
    const mask = replacement.replace(text);
    for (const part of listCredentials(parsePointer(pointer).at(-1) ?? "", text)) replacement.replace(part);
    return mask;
  };
  /** Returns the name of a member, or its mask. Names in data, such as the keys of a record, may be or repeat secrets. */
  const showName = (name: string, pointer: string, secrecy: Secrecy): string => {
    if (isMemberName(name)) return name;
    if (secrecy === "declared") return replacement.replace(name);
    const isData =
      !/^\/(?:message|headers)/.test(pointer) || /\/(?:arguments|structuredContent)\b/.test(pointer);
    return isData && !PROTOCOL_MEMBERS.has(name) ? replacement.replaceKnown(name) : name;
  };
  const maskValue = (value: unknown, pointer: string, parent: Secrecy, found: Found): unknown => {
    const secrecy = found.declared.has(pointer) ? "declared" : parent;
    const isWhole = secrecy !== "none";
    if (PROTOCOL_VALUE.test(pointer)) return value;
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      // A number is masked where its name is secret, and where it repeats a secret.
      if (typeof value === "number" && !isWhole && !replacement.has(text)) return value;
      const masked = maskWhole(text, pointer, isWhole) ?? maskText(text);
      if (masked === text) return value;
      found.pointers.push(pointer);
      return masked;
    }
    if ((typeof value === "boolean" || value === null) && secrecy === "declared") {
      found.pointers.push(pointer);
      return replacement.replaceOnce(String(value));
    }
    if (Array.isArray(value))
      return value.map((each, index) => maskValue(each, `${pointer}/${index}`, secrecy, found));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => {
      if (SCHEMAS.has(name) && !isWhole) return [name, each] as const;
      const shown = showName(name, pointer, secrecy);
      const location = `${pointer}/${formatSegment(shown)}`;
      if (shown !== name && secrecy !== "declared") found.pointers.push(location);
      // A number named `tokens` is a count.
      const isNamed = isSecret(name, pointer) && !(typeof each === "number" && /tokens?$/i.test(name));
      return [shown, maskValue(each, location, !isWhole && isNamed ? "named" : secrecy, found)] as const;
    });
    return Object.fromEntries(members);
  };
  return <V>(value: V, declared: FoundSecrets = { pointers: [], parts: [] }) => {
    for (const part of declared.parts) replacement.replace(part);
    const found: Found = { pointers: [], declared: new Set(declared.pointers) };
    const masked = maskValue(value, "", "none", found) as V;
    return { value: masked, pointers: [...new Set(found.pointers)] };
  };
}
