/**
 * Lookups in the output of a build.
 * @module
 */

/** Returns a member of an object, unless it is inherited. */
export function getOwnMember<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the error for parts of a server that do not belong to the same build. */
export function createOutdatedBuildError(problem: string): Error {
  return new Error(`${problem} Build the project again.`);
}

/**
 * Returns the error for a server without a feature that its handlers need.
 *
 * @param purpose the purpose of the feature, such as `converts its values`
 */
export function createMissingFeatureError(purpose: string): Error {
  return createOutdatedBuildError(`The server lacks the feature that ${purpose}.`);
}
