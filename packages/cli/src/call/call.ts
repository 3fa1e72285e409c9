import { join } from "node:path";
import { buildProject } from "../project/build-project.js";
import { callEntries, connectToBuilt } from "./load-server.js";
import { parseArguments } from "./parse-arguments.js";
import { resultText } from "./result-text.js";
import { Failure } from "../terminal/failure.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";
import { unknownName } from "../terminal/unknown-name.js";

export interface CallOptions {
  /** All arguments, as a JSON object. */
  json?: string;
  /** Print the result as it travels. */
  raw?: boolean;
}

/** The JSON-RPC error of a tool that needs what its client cannot do. */
const MISSING_CAPABILITY = -32021;

/** `tenon call <tool> [key=value …]`: one call to the project in the current folder, without a client. */
export async function call(
  terminal: Terminal,
  tool: string,
  pairs: readonly string[],
  options: CallOptions = {},
): Promise<number> {
  const root = projectRoot(terminal.cwd);
  const outDir = join(root, ".tenon", "call");
  const { compilation, files } = await buildProject({
    root,
    outDir,
    typeCheck: false,
    bundlePackages: false,
    extraEntries: callEntries,
    color: terminal.err.color,
  });
  // Warnings are for `inspect` and `build`; here they would stand between the caller and the answer.
  printDiagnostics(
    terminal.err,
    compilation.diagnostics.filter(({ severity }) => severity === "error"),
  );
  if (!files || !compilation.manifest) return 1;

  const definition = findTool(tool, compilation.manifest.tools);
  const args = parseArguments(pairs, options.json, definition.inputSchema);
  const client = await connectToBuilt(outDir);
  try {
    const result = await client.callTool(definition.name, args).catch((error: unknown) => {
      throw explain(error, definition.name);
    });
    const text = options.raw ? JSON.stringify(result, null, 2) : resultText(result, terminal.out.paint);
    terminal.out.write(`${text}\n`);
    return result.isError ? 1 : 0;
  } finally {
    client.close();
  }
}

/** The built server brings its own copy of the client, so its errors are recognized by name. */
function explain(error: unknown, tool: string): unknown {
  if (!(error instanceof Error) || error.name !== "RpcError") return error;
  const { code } = error as Error & { code?: number };
  const hint =
    `\`${tool}\` asks its client, and \`tenon call\` has no answers. Use another client, or in a test ` +
    "`connect(server, { answers })` of `@tenon/runtime/testing`.";
  return new Failure(error.message, { cause: error, ...(code === MISSING_CAPABILITY && { hint }) });
}

function findTool<D extends { name: string }>(name: string, entries: readonly { definition: D }[]): D {
  const found = entries.find(({ definition }) => definition.name === name);
  if (found) return found.definition;
  throw unknownName(
    "tool",
    name,
    entries.map(({ definition }) => definition.name),
  );
}
