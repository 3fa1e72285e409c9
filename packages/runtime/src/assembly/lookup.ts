/**
 * Finding what a build has made.
 * @module
 */

/** A member, unless it is inherited. */
export function ownMember<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** @throws Error when there is none */
export function validatorOf<T>(validators: Record<string, T>, name: string, kind: string): T {
  const found = ownMember(validators, name);
  if (found === undefined) throw outdated(`The ${kind} "${name}" has no validator.`);
  return found;
}

/** The error for parts of a server that do not belong together. */
export function outdated(problem: string): Error {
  return new Error(`${problem} Build the project again.`);
}
