/**
 * The options of a test that computes all the time rather than waits, such as one that compiles hundreds of random types: other
 * work on the same machine makes it many times slower.
 */
export const LONG_COMPUTATION = { timeout: 180_000 };
