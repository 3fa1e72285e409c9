import { PassThrough } from "node:stream";
import { MANIFEST_VERSION, type Implementation, type Manifest } from "@tenon/runtime/manifest";
import { projectInfo } from "../../project/project-info.js";
import { readLines } from "./read-lines.js";
import type { PipedServer } from "./stdio-proxy.js";

/** The one tool and the one prompt that are listed while there is no server. */
const NAME = "project_errors";
const URI = "tenon://project-errors";
const DESCRIPTION =
  "Says why this server cannot start. Its own tools, prompts and resources come back when that is corrected.";

/**
 * A server that answers every call with what is wrong with the project. It speaks all revisions, and has a tool, a
 * prompt and a resource, so that clients ask again for all lists when the project's own server takes its place.
 *
 * @param root the project folder, absolute
 * @param problem what calls are answered with
 */
export async function createStandIn(root: string, problem: string): Promise<PipedServer> {
  const [{ createServer }, { prompts, resources }, { serveStdio }, { ToolError }] = await Promise.all([
    import("@tenon/runtime/server"),
    import("@tenon/runtime/parts"),
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
    manifest: manifestOf(projectInfo(root)),
    validators: {
      tools: { [NAME]: { input: () => true } },
      prompts: { [NAME]: { input: () => true } },
      resourceTemplates: {},
    },
    parts: [prompts, resources],
    classes: { [NAME]: { ProjectErrors } },
    // Nothing of this may be kept for later.
    config: { listTtlMs: 0, cache: { discover: { ttlMs: 0 } } },
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const requests = new PassThrough();
  readLines(
    input,
    (line) => requests.write(`${redirected(line)}\n`),
    () => requests.end(),
  );
  const transport = serveStdio(server, { input: requests, output });
  void transport.closed.then(() => server.close()).then(() => output.end());
  return { input, output };
}

function manifestOf(server: Implementation): Manifest {
  const described = { name: NAME, description: DESCRIPTION };
  const handlerOf = (method: string): Manifest["tools"][number]["handler"] => ({
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
          ...described,
          inputSchema: { type: "object", properties: {} },
          annotations: { readOnlyHint: true },
        },
        handler: handlerOf("call"),
        input: {},
        output: { kind: "text" },
      },
    ],
    prompts: [{ definition: described, handler: handlerOf("read"), input: {} }],
    resources: [
      { definition: { ...described, uri: URI, mimeType: "text/plain" }, handler: handlerOf("read") },
    ],
    resourceTemplates: [],
  };
}

/** What is called instead of the project's own, which a client may know from an earlier conversation. */
const REDIRECTED: Record<string, object> = {
  "tools/call": { name: NAME, arguments: {} },
  "prompts/get": { name: NAME, arguments: {} },
  "resources/read": { uri: URI },
};

function redirected(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return JSON.stringify(Array.isArray(value) ? value.map(redirectedMessage) : redirectedMessage(value));
  } catch {
    return line;
  }
}

function redirectedMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null) return message;
  const { method, params } = message as { method?: unknown; params?: object };
  const target =
    typeof method === "string" && Object.hasOwn(REDIRECTED, method) ? REDIRECTED[method] : undefined;
  if (!target) return message;
  // A call as a task, or one that brings answers, is a call of the project's own tool.
  const { _meta } = (params ?? {}) as { _meta?: unknown };
  return { ...message, params: { ...target, ...(_meta !== undefined && { _meta }) } };
}
