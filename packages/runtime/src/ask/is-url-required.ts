import type { CreateAsking } from "./asking.js";

/** A URL that the user has to visit before a request can be served. */
export interface RequiredUrl {
  message: string;
  url: string;
  /** The `elicitationId`, where the revision has one. Default: an id that cannot be guessed. */
  id?: string;
}

/** A global symbol, so that errors of another copy of this package are recognised too. */
export const URL_REQUIRED = Symbol.for("tenon.url-required");

/** True for a `UrlElicitationRequiredError` of this or any other copy of the package. */
export function isUrlRequired(
  error: unknown,
): error is Error & { readonly elicitations: readonly RequiredUrl[] } {
  return createAskingOf(error) !== undefined;
}

/** What a `UrlElicitationRequiredError` brings along: the way to ask, for servers that have none else. */
export function createAskingOf(error: unknown): CreateAsking | undefined {
  const given =
    typeof error === "object" && error !== null
      ? (error as Record<symbol, unknown>)[URL_REQUIRED]
      : undefined;
  return typeof given === "function" ? (given as CreateAsking) : undefined;
}
