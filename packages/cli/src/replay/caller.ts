import type { Principal } from "@tenon/runtime";
import { Failure } from "../terminal/failure.js";

/**
 * Who `--as` names: a subject, or a principal as JSON.
 *
 * @throws Failure for JSON that is no principal
 * @example
 * caller('{"subject":"ada","scopes":["orders:read"]}')
 */
export function caller(text: string): Principal {
  const given = text.trimStart().startsWith("{") ? parsed(text) : { subject: text };
  const { subject, scopes = [], claims = {}, client, issuer } = given as Partial<Principal>;
  if (typeof subject !== "string" || subject === "" || !Array.isArray(scopes))
    throw new Failure("--as takes the subject of the caller, or a principal as JSON.", {
      hint: `Such as --as '{"subject":"ada","scopes":["orders:read"]}'.`,
      exitCode: 2,
    });
  return { subject, client, issuer, scopes, claims, expiresAt: undefined };
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
