import type { Server } from "@tenon/runtime/server";

/** What cannot be called for now, since its source has errors. */
export interface BrokenDeclaration {
  method: "tools/call" | "prompts/get" | "resources/read";
  /** The name, or the URI or URI template. */
  target: string;
  /** What calls are answered with. */
  problem: string;
}

const INTERNAL_ERROR = -32_603;
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

type Request = { id: string | number; method: string; params: Record<string, unknown> };

/**
 * A server whose broken declarations answer with their errors: a tool with a result, so that a model reads it, prompts and
 * resources with a JSON-RPC error, as the specification has it. All else is answered by the server.
 *
 * @param broken asked for with each request
 */
export function withBrokenCalls(server: Server, broken: () => readonly BrokenDeclaration[]): Server {
  return {
    ...server,
    connect(peer, options) {
      const connection = server.connect(peer, options);
      const receive = connection.receive.bind(connection);
      return Object.assign(connection, {
        receive: ((message, ...others) => {
          const problem = isRequest(message) ? problemOf(message, broken()) : undefined;
          if (problem === undefined || !isRequest(message)) return receive(message, ...others);
          return { text: JSON.stringify(answerTo(message, problem, server)), status: 200 };
        }) satisfies typeof receive,
      });
    },
  };
}

function isRequest(message: unknown): message is Request {
  const { id, method, params } = Object(message) as Partial<Request>;
  return id !== undefined && typeof method === "string" && typeof params === "object" && params !== null;
}

function problemOf({ method, params }: Request, broken: readonly BrokenDeclaration[]): string | undefined {
  const target = method === "resources/read" ? params["uri"] : params["name"];
  if (typeof target !== "string") return undefined;
  const ofMethod = broken.filter((each) => each.method === method);
  const found =
    ofMethod.find((each) => each.target === target) ??
    (method === "resources/read" ? ofMethod.find((each) => matches(each.target, target)) : undefined);
  return found?.problem;
}

/** Whether a URI may be one of a template. */
function matches(template: string, uri: string): boolean {
  if (!template.includes("{")) return false;
  const pattern = template
    .split(/\{[^}]*\}/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(uri);
}

function answerTo({ id, method, params }: Request, problem: string, { info }: Server): object {
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
