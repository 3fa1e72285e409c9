export type Jose = typeof import("jose");

/**
 * The library for signatures, an optional peer: who verifies no JWTs need not install it.
 *
 * @throws Error with the command to run, where it is not installed
 */
export async function loadJose(): Promise<Jose> {
  try {
    return await import("jose");
  } catch (error) {
    throw new Error("JWTs are verified by the package `jose`. Install it: npm install jose", {
      cause: error,
    });
  }
}
