import type { Principal } from "@tenon/runtime";
import { Failure } from "../terminal/failure.js";
import { formatList } from "../terminal/text-format.js";

/** The members of a principal that `--as` accepts. */
const MEMBERS = ["subject", "client", "issuer", "scopes", "claims"];

/**
 * Parses the value of `--as`: a subject, or a principal as JSON.
 *
 * @throws Failure for JSON that is not a principal
 * @example
 * parsePrincipal('{"subject":"ada","scopes":["orders:read"]}')
 */
export function parsePrincipal(text: string): Principal {
  const given = text.trimStart().startsWith("{") ? parseObject(text) : { subject: text };
  const { subject, scopes = [], claims = {}, client, issuer } = given as Partial<Principal>;
  if (typeof subject !== "string" || subject === "" || !Array.isArray(scopes))
    throw new Failure("--as requires the subject of the caller, or a principal as JSON.", {
      hint: `For example, use --as '{"subject":"ada","scopes":["orders:read"]}'.`,
      exitCode: 2,
    });
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new Failure(`--as does not accept the member \`${unknown}\`.`, {
      hint: `Its members are ${formatList(MEMBERS)}.`,
      exitCode: 2,
    });
  return { subject, client, issuer, scopes, claims, expiresAt: undefined };
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
