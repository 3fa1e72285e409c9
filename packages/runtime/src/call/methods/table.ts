import type { Revision } from "../../protocol/revisions.js";
import type { ServerCapabilities } from "../../protocol/specification.js";
import { createMethodNotFoundError } from "../connection/modern-request.js";
import type { Serve, ServerParts } from "../stages/stage.js";
import { composeMethod, composeRequest } from "../stages/stages.js";
import type { AnnouncedChanges } from "../subscriptions/subscriptions.js";
import type { Feature } from "./feature.js";
import { createLifecycleMethods } from "./lifecycle.js";
import { logging } from "./logging.js";
import type { Method, MethodFamily } from "./method.js";
import { tools } from "./tools.js";

/** The methods of every server. */
const FAMILIES: readonly MethodFamily[] = [tools, logging];

/**
 * Creates the function that serves requests by their methods, with all stages around it.
 *
 * @param features the optional parts of the server
 * @throws ProtocolError, from the returned function, for a method that the server does not have
 */
export function createDispatch(server: ServerParts, features: readonly Feature[]): Serve<string> {
  const methods = createMethods(server, [...FAMILIES, ...features.flatMap(({ family = [] }) => family)]);
  return composeRequest(function dispatch(call) {
    const method = methods.get(call.method);
    // The server lacks methods that its manifest does not need. A revision lacks methods of other revisions.
    if (method === undefined || call.revision.lacks.methods.includes(call.method))
      throw createMethodNotFoundError(call);
    return method(call);
  }, server);
}

/** Creates all methods that a server has in any revision, by name. */
function createMethods(server: ServerParts, families: readonly MethodFamily[]): ReadonlyMap<string, Method> {
  const getCapabilities = (
    revision: Revision,
    announced: AnnouncedChanges | undefined,
  ): ServerCapabilities => {
    const all = families.flatMap((family) => family.getCapabilities?.(server, revision, announced) ?? []);
    const extensions: ServerCapabilities = Object.assign({}, ...all.map((each) => each.extensions));
    return Object.assign({}, ...all, Object.keys(extensions).length > 0 && { extensions });
  };
  const methods: Record<string, Method> = Object.assign(
    createLifecycleMethods(server, getCapabilities),
    ...families.map((family) => family.createMethods(server)),
  );
  return new Map(
    Object.entries(methods).map(([name, method]) => [name, composeMethod(name, method, server)]),
  );
}
