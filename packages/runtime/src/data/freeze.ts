import { isObject } from "../protocol/jsonrpc.js";

/**
 * Returns a frozen copy of data that authors receive but must not change: a change in place throws. Instances of
 * classes, such as a `Map`, stay as they are.
 */
export function toFrozenCopy<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(toFrozenCopy)) as Value;
  if (!isObject(value) || ![null, Object.prototype].includes(Object.getPrototypeOf(value) as null))
    return value;
  const members = Object.entries(value).map(([name, member]) => [name, toFrozenCopy(member)]);
  return Object.freeze(Object.fromEntries(members)) as Value;
}

/** Freezes data that belongs to the server, with everything in it. Frozen data is not searched again. */
export function freezeDeep<Value>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  for (const each of Object.values(value as object)) freezeDeep(each);
  return Object.freeze(value);
}
