/**
 * Describes instances that are provided although another one of their class serves all calls. The build reports those
 * that the source shows.
 *
 * @param provided the instances in the configuration
 * @param owners the classes and instances that have handlers
 */
export function findRepeatedInstances(provided: readonly object[], owners: ReadonlySet<object>): string[] {
  const isIdle = (each: object): boolean =>
    !owners.has(each) &&
    provided.some((other) => owners.has(other) && other.constructor === each.constructor);
  return [...new Set(provided.filter(isIdle).map(({ constructor }) => constructor.name))].map(
    (name) =>
      `\`provide\` contains several instances of ${name}. The first serves all calls, and the others serve none.`,
  );
}
