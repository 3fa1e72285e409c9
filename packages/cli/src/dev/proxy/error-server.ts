import { PassThrough } from "node:stream";
import { MANIFEST_VERSION, type Implementation, type Manifest } from "@tenon/runtime/manifest";
import { readProjectInfo } from "../../project/project-info.js";
import { readLines } from "./read-lines.js";
import type { PipedServer } from "./stdio-proxy.js";

/** The name of the tool and the prompt that are listed while there is no server. */
const NAME = "project_errors";
const URI = "tenon://project-errors";
const DESCRIPTION =
  "Reports why this server cannot start. Its own tools, prompts, and resources are available again when the errors are fixed.";

/**
 * Creates a server that responds to every call with the errors of the project. It supports all revisions, and has a tool, a
 * prompt, and a resource, so that clients fetch all lists again when the project's server replaces it.
 *
 * @param root the project folder, absolute
 * @param problem the errors
 */
export async function createErrorServer(root: string, problem: string): Promise<PipedServer> {
  const [{ createServer }, { prompts, resources }, { serveStdio }, { ToolError }] = await Promise.all([
    import("@tenon/runtime/server"),
    import("@tenon/runtime/features"),
    import("@tenon/runtime/stdio"),
    import("@tenon/runtime"),
  ]);
  class ProjectErrors {
    call(): never {
      throw new ToolError(problem);
    }
    read(): string {
      return problem;
    }
  }
  const server = createServer({
    manifest: createManifest(readProjectInfo(root)),
    validators: {
      tools: { [NAME]: { input: () => true } },
      prompts: { [NAME]: { input: () => true } },
      resourceTemplates: {},
    },
    features: [prompts, resources],
    classes: { [NAME]: { ProjectErrors } },
    // Clients must not cache anything from this server.
    config: { listTtlMs: 0, cache: { discover: { ttlMs: 0 } } },
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const requests = new PassThrough();
  readLines(
    input,
    (line) => requests.write(`${redirectLine(line)}\n`),
    () => requests.end(),
  );
  const transport = serveStdio(server, { input: requests, output });
  void transport.closed.then(() => server.close()).then(() => output.end());
  return { input, output };
}

function createManifest(server: Implementation): Manifest {
  const description = { name: NAME, description: DESCRIPTION };
  const createHandler = (method: string): Manifest["tools"][number]["handler"] => ({
    module: NAME,
    export: "ProjectErrors",
    method,
    parameters: [],
  });
  return {
    manifestVersion: MANIFEST_VERSION,
    server,
    tools: [
      {
        definition: {
          ...description,
          inputSchema: { type: "object", properties: {} },
          annotations: { readOnlyHint: true },
        },
        handler: createHandler("call"),
        input: {},
        output: { kind: "text" },
      },
    ],
    prompts: [{ definition: description, handler: createHandler("read"), input: {} }],
    resources: [
      { definition: { ...description, uri: URI, mimeType: "text/plain" }, handler: createHandler("read") },
    ],
    resourceTemplates: [],
  };
}

/** The parameters for calls to the project's own entries, which a client may know from an earlier session. */
const REDIRECTED: Record<string, object> = {
  "tools/call": { name: NAME, arguments: {} },
  "prompts/get": { name: NAME, arguments: {} },
  "resources/read": { uri: URI },
};

function redirectLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return JSON.stringify(Array.isArray(value) ? value.map(redirectMessage) : redirectMessage(value));
  } catch {
    return line;
  }
}

function redirectMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return message;
  const { method, params } = message as { method?: unknown; params?: object };
  const target =
    typeof method === "string" && Object.hasOwn(REDIRECTED, method) ? REDIRECTED[method] : undefined;
  if (!target) return message;
  // Tasks and answers belong to the project's own tools.
  const { _meta } = (params ?? {}) as { _meta?: unknown };
  return { ...message, params: { ...target, ...(_meta !== undefined && { _meta }) } };
}
