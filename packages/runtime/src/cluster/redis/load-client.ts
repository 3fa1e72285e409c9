export type ClientLibrary = typeof import("@redis/client");

/**
 * Loads the Redis client, an optional peer dependency: only servers with this store need it.
 *
 * @throws MissingClientError with the command that installs it, if it is not installed
 */
export async function loadClient(): Promise<ClientLibrary> {
  try {
    const loaded: ClientLibrary & { default?: ClientLibrary } = await import("@redis/client");
    // In a bundle, a CommonJS module only has the member `default`.
    return "createClient" in loaded ? loaded : (loaded as { default: ClientLibrary }).default;
  } catch (error) {
    throw new MissingClientError(
      "redis() needs the package `@redis/client`. Install it: npm install @redis/client",
      { cause: error },
    );
  }
}

/** Thrown if the package is not installed. Retries do not help, so a server that needs the store must not start. */
export class MissingClientError extends Error {
  override name = "MissingClientError";
}
