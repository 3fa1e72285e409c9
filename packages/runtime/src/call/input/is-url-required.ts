import type { CreateClientInput } from "./client-input.js";

/** A URL that the user must visit before a request can be served. */
export interface UrlElicitation {
  /** The reason to visit it, which the user sees. */
  message: string;
  /** Absolute URL: `https:`, or `http:` for this machine. */
  url: string;
  /** The `elicitationId`, in revisions that have one. Default: a random ID. */
  id?: string;
}

/** A global symbol, so that errors of another copy of this package are recognized too. */
export const URL_REQUIRED = Symbol.for("tenon.url-required");

/** A `UrlElicitationRequiredError` of this or any other copy of the package. */
export type UrlRequired = Error & { readonly elicitations: readonly UrlElicitation[] };

/** Returns whether an error is a `UrlElicitationRequiredError`. */
export function isUrlRequired(error: unknown): error is UrlRequired {
  return findInputFactory(error) !== undefined;
}

/** Returns the function in a `UrlElicitationRequiredError` with which servers without `Context` request input. */
export function findInputFactory(error: unknown): CreateClientInput | undefined {
  try {
    const factory = (Object(error) as Record<symbol, unknown>)[URL_REQUIRED];
    return typeof factory === "function" ? (factory as CreateClientInput) : undefined;
  } catch {
    // Reading the property threw.
    return undefined;
  }
}
