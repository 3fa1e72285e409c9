import type { JsonSchema } from "@tenon/runtime/manifest";

/** Last words of names that indicate a secret. */
const SECRETS: ReadonlySet<string> = new Set(
  (
    "password passwd pwd passphrase passcode secret credential credentials token apikey otp pin cvv cvc ssn " +
    "api-key access-key secret-key private-key signing-key encryption-key card-number security-code"
  ).split(" "),
);

/**
 * Returns whether a field requests a secret, according to its tag `@secret` or the name of a text field.
 *
 * @example
 * asksForSecret("githubApiKey", { type: "string" }) // true
 * asksForSecret("passwordHint", { type: "string" }) // false
 */
export function asksForSecret(name: string, field: JsonSchema): boolean {
  if (field.writeOnly === true) return true;
  const isTyped = [field.type]
    .flat()
    .some((type) => type === "string" || type === "integer" || type === "number");
  if (!isTyped || field.enum !== undefined) return false;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  // Other names that end in `pass`, such as `boardingPass`, are not secret.
  if (words.join("-") === "pass") return true;
  return SECRETS.has(words.slice(-1).join("-")) || SECRETS.has(words.slice(-2).join("-"));
}
