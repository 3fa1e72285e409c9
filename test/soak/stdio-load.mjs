import { once } from "node:events";
import { LATEST } from "../fuzz/generate/messages.mjs";

const META = {
  "io.modelcontextprotocol/protocolVersion": LATEST,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

/** @param {string} name @param {object} args @param {object} [more] */
const call = (name, args, more = {}) => ({
  method: "tools/call",
  params: { name, arguments: args, ...more, _meta: META },
});

/**
 * Requests that a client repeats, each with a string that the response must contain.
 *
 * @type {[request: { method: string, params: object }, due: string][]}
 */
const REQUESTS = [
  [call("greet", { name: "you" }), '"text":"Hello, you!"'],
  [call("about", {}), '"structuredContent":{"name":"everything"'],
  [call("greet", { name: 7 }), '"isError":true'],
  [call("greet", {}), '"isError":true'],
  [call("missing", {}), '"code":-32602'],
  [call("test_error_handling", {}), "intentionally returns an error"],
  [call("test_multiple_content_types", {}), '"type":"image"'],
  [call("test_input_required_result_elicitation", {}), '"resultType":"input_required"'],
  [call("slow_compute", { seconds: 600 }), "cancelled"],
  [{ method: "tools/list", params: { _meta: META } }, '"name":"greet"'],
  [{ method: "prompts/get", params: { name: "test_simple_prompt", _meta: META } }, '"messages":['],
  [{ method: "resources/read", params: { uri: "test://static-text", _meta: META } }, '"contents":['],
  [{ method: "resources/read", params: { uri: "test://nothing", _meta: META } }, '"code":-32602'],
  [{ method: "ping", params: { _meta: META } }, '"code":-32601'],
];

/** The number of concurrent calls. */
const WINDOW = 200;

/**
 * Calls a server over stdio, and checks that each call receives one correct response.
 *
 * @param {import("../fuzz/drive/server-process.mjs").ServerProcess} server
 * @param {number} count
 * @param {number} first The number of the first call.
 */
export async function loadStdio(server, count, first) {
  /** @type {Map<number, string>} */
  const due = new Map();
  /** @type {() => void} */
  let wake = () => {};
  let rest = "";
  /** @type {{ wrong: Error | undefined }} */
  const found = { wrong: undefined };
  const continues = () => found.wrong === undefined && server.ended === undefined;
  /** @param {Buffer} chunk */
  const take = (chunk) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) takeLine(line);
    wake();
  };
  /** @param {string} line */
  const takeLine = (line) => {
    const { id, result } = JSON.parse(line);
    const wanted = due.get(id);
    due.delete(id);
    if (wanted === undefined || !line.includes(wanted))
      found.wrong ??= new Error(`A wrong response: ${line.slice(0, 1000)}`);
    if (typeof result?.requestState !== "string") return;
    // The second round of a call that asked a question.
    const inputResponses = { user_name: { action: "accept", content: { name: "Ada" } } };
    send(
      -id,
      call(
        "test_input_required_result_elicitation",
        {},
        { inputResponses, requestState: result.requestState },
      ),
      "Hello, Ada!",
    );
  };
  /** @param {number} id @param {object} request @param {string} wanted */
  const send = (id, request, wanted) => {
    due.set(id, wanted);
    return server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`);
  };
  server.stdout.on("data", take);
  for (let id = first + 1; id <= first + count && continues(); id++) {
    const [request, wanted] = /** @type {(typeof REQUESTS)[number]} */ (REQUESTS[id % REQUESTS.length]);
    const isTaken = send(id, request, wanted);
    if (wanted === "cancelled") {
      const params = { requestId: id, reason: "soak" };
      server.stdin.write(
        `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`,
      );
      due.delete(id);
    }
    if (id % 50 === 0)
      server.stdin.write(id % 100 === 0 ? "\n" : '{"jsonrpc":"2.0","method":"notifications/unknown"}\n');
    if (!isTaken) await once(server.stdin, "drain");
    while (due.size >= WINDOW && continues()) {
      await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  }
  while (due.size > 0 && continues()) {
    await new Promise((resolve) => (wake = () => resolve(undefined)));
  }
  server.stdout.off("data", take);
  if (server.ended !== undefined) throw new Error(`The server has ended: ${server.ended}`);
  if (found.wrong !== undefined) throw found.wrong;
}
