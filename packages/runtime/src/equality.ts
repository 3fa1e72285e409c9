/**
 * Equality of JSON values: the order of members does not matter, the order of items does.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-instance-equality
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => deepEqual(item, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(right, name) &&
      deepEqual((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  );
}
