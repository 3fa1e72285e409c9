import { methodNotFound } from "../connection/modern-request.js";
import type { Revision } from "../protocol/revisions.js";
import type { ServerCapabilities } from "../protocol/specification.js";
import type { AnnouncedChanges } from "../subscriptions/subscriptions.js";
import { createLifecycleMethods } from "./lifecycle.js";
import { logging } from "./logging.js";
import { type Method, type MethodFamily, type MethodSource, withCallLimit, withTimeLimit } from "./method.js";
import type { Part } from "./part.js";
import { tools } from "./tools.js";

/** What every server has. */
const FAMILIES: readonly MethodFamily[] = [tools, logging];

/**
 * Answers requests by their methods.
 *
 * @param parts what the server has besides
 * @throws ProtocolError, from the returned function, for a method that the server does not have
 */
export function createDispatch(source: MethodSource, parts: readonly Part[]): Method {
  const methods = createMethods(source, [...FAMILIES, ...parts.flatMap(({ family = [] }) => family)]);
  return (call) => {
    const method = methods.get(call.method);
    // A server has no methods for what it does not serve, and a revision lacks some that others have.
    if (method === undefined || call.revision.lacks.methods.includes(call.method)) throw methodNotFound(call);
    return method(call);
  };
}

/** All methods that a server has in any revision, by name. */
function createMethods(source: MethodSource, families: readonly MethodFamily[]): ReadonlyMap<string, Method> {
  const capabilitiesOf = (revision: Revision, announced: AnnouncedChanges | undefined): ServerCapabilities =>
    Object.assign({}, ...families.map((family) => family.capabilities?.(source, revision, announced)));
  const methods: Record<string, Method> = Object.assign(
    createLifecycleMethods(source, capabilitiesOf),
    ...families.map((family) => family.methods(source)),
  );
  const { callMs } = source.settings.limits;
  const limited = ([name, method]: [string, Method]): [string, Method] => [
    name,
    withCallLimit(name, withTimeLimit(name, method, callMs), source),
  ];
  return new Map(Object.entries(methods).map(limited));
}
