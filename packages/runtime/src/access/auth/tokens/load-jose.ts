export type Jose = typeof import("jose");

/**
 * Loads `jose`, an optional peer dependency that only servers that verify JWTs need.
 *
 * @throws Error with the command that installs it, if it is not installed
 */
export async function loadJose(): Promise<Jose> {
  try {
    return await import("jose");
  } catch (error) {
    throw new Error("Verifying JWTs needs the package `jose`. Install it: npm install jose", {
      cause: error,
    });
  }
}
