import type { Store } from "@tenon/runtime/store";

/** Returns a store with some methods replaced. */
export function replacedStore(store: Store, methods: Partial<Store>): Store {
  const get = (name: string): unknown => Reflect.get(name in methods ? methods : store, name) as unknown;
  return new Proxy(store, { get: (_, name) => bound(get(String(name)), store) });
}

function bound(method: unknown, store: Store): unknown {
  return typeof method === "function" ? (method.bind(store) as unknown) : method;
}
