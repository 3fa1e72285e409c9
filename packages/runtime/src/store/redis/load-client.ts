export type ClientLibrary = typeof import("@redis/client");

/**
 * The client of Redis, an optional peer: who has no store there need not install it.
 *
 * @throws MissingClient with the command to run, where it is not installed
 */
export async function loadClient(): Promise<ClientLibrary> {
  try {
    const loaded: ClientLibrary & { default?: ClientLibrary } = await import("@redis/client");
    // In a bundle, what is CommonJS has its members in `default` alone.
    return "createClient" in loaded ? loaded : (loaded as { default: ClientLibrary }).default;
  } catch (error) {
    throw new MissingClient(
      "The store in Redis is reached by the package `@redis/client`. Install it: npm install @redis/client",
      { cause: error },
    );
  }
}

/** Nothing helps but another build: a server that needs the store must not start. */
export class MissingClient extends Error {
  override name = "MissingClient";
}
