import { isObject } from "../../protocol/jsonrpc.js";
import { isJson } from "./scalar-values.js";

/** Removes `undefined` as JSON does: it becomes `null` in a list, and a member with this value is omitted. */
export function withoutUndefined(json: unknown): unknown {
  if (Array.isArray(json)) {
    const items = json.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
    return items.some((item, index) => item !== json[index]) ? items : json;
  }
  if (!isObject(json) || !isJson(json)) return json;
  const all = Object.entries(json);
  const members = all.flatMap(([name, member]) =>
    member === undefined ? [] : [[name, withoutUndefined(member)] as const],
  );
  const isSame = members.length === all.length && members.every(([name, member]) => member === json[name]);
  return isSame ? json : Object.fromEntries(members);
}
