import type { Server } from "@tenon/runtime/server";

/** A declaration that cannot be called because its source has errors. */
export interface FailedDeclaration {
  method: "tools/call" | "prompts/get" | "resources/read";
  /** The name, URI, or URI template. */
  target: string;
  /** The errors, which calls return. */
  problem: string;
}

const INTERNAL_ERROR = -32_603;
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

type Request = { id: string | number; method: string; params: Record<string, unknown> };

/**
 * Wraps a server so that calls to failed declarations return their errors: tools as a result, which a model reads, prompts
 * and resources as a JSON-RPC error, which the specification requires.
 *
 * @param getFailed returns the failed declarations, for each request
 */
export function withFailedCalls(server: Server, getFailed: () => readonly FailedDeclaration[]): Server {
  function withErrors<Connection extends Receiver>(connection: Connection): Connection {
    const receive = connection.receive.bind(connection);
    return Object.assign(connection, {
      receive: ((message, peer) => {
        const problem = isRequest(message) ? findProblem(message, getFailed()) : undefined;
        if (problem === undefined || !isRequest(message)) return receive(message, peer);
        return { text: JSON.stringify(createErrorResponse(message, problem, server)), status: 200 };
      }) satisfies typeof receive,
    });
  }
  return {
    ...server,
    connect: (peer, options) => withErrors(server.connect(peer, options)),
    acceptStateless: (options) => withErrors(server.acceptStateless(options)),
  };
}

/** The server's end of a connection, or of stateless requests. */
type Receiver = Pick<ReturnType<Server["acceptStateless"]>, "receive">;

function isRequest(message: unknown): message is Request {
  const { id, method, params } = Object(message) as Partial<Request>;
  return id !== undefined && typeof method === "string" && typeof params === "object" && params !== null;
}

function findProblem({ method, params }: Request, failed: readonly FailedDeclaration[]): string | undefined {
  const target = method === "resources/read" ? params["uri"] : params["name"];
  if (typeof target !== "string") return undefined;
  const candidates = failed.filter((each) => each.method === method);
  const found =
    candidates.find((each) => each.target === target) ??
    (method === "resources/read" ? candidates.find((each) => matches(each.target, target)) : undefined);
  return found?.problem;
}

/** Returns whether a URI may match a template. */
function matches(template: string, uri: string): boolean {
  if (!template.includes("{")) return false;
  const pattern = template
    .split(/\{[^}]*\}/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(uri);
}

function createErrorResponse({ id, method, params }: Request, problem: string, { info }: Server): object {
  if (method !== "tools/call")
    return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: problem } };
  const meta = Object(params["_meta"]) as Record<string, unknown>;
  const isModern = meta[PROTOCOL_VERSION] !== undefined;
  const result = {
    ...(isModern && { resultType: "complete", _meta: { [SERVER_INFO]: info } }),
    content: [{ type: "text", text: problem }],
    isError: true,
  };
  return { jsonrpc: "2.0", id, result };
}
