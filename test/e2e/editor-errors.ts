import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A message of the Language Server Protocol. */
interface Message {
  id?: number;
  method?: string;
  params?: { items?: unknown[] };
  result?: { items: { message: string; range: { start: { line: number } } }[] };
  error?: { message: string };
}

/**
 * Opens every TypeScript file of a project in the language server of its installed TypeScript, as VS Code does.
 *
 * @returns the errors that an editor would underline, as `file:line message`
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
 */
export async function findEditorErrors(root: string): Promise<{ files: string[]; errors: string[] }> {
  const program = join(root, "node_modules/typescript/bin/tsc");
  const server = spawn(process.execPath, [program, "--lsp", "--stdio"], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const responses = new Map<number, (message: Message) => void>();
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  readMessages(server.stdout, (message) => {
    if (message.method === undefined) responses.get(message.id ?? -1)?.(message);
    // Requests of the server, such as those for settings, have no answer here.
    else if (message.id !== undefined)
      send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
  });
  const request = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      const id = responses.size + 1;
      responses.set(id, resolve);
      send({ id, method, params });
    });
  const rootUri = pathToFileURL(root).href;
  try {
    await request("initialize", {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "project" }],
      capabilities: { textDocument: { diagnostic: {} }, workspace: { configuration: true } },
    });
    send({ method: "initialized", params: {} });
    const files = listSources(root);
    const errors: string[] = [];
    for (const file of files) {
      const uri = pathToFileURL(join(root, file)).href;
      const languageId = file.endsWith("x") ? "typescriptreact" : "typescript";
      const text = readFileSync(join(root, file), "utf8");
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId, version: 1, text } },
      });
      const { result, error } = await request("textDocument/diagnostic", { textDocument: { uri } });
      if (!result) throw new Error(`The language server failed for ${file}: ${error?.message}`);
      for (const { message, range } of result.items)
        errors.push(`${file}:${range.start.line + 1} ${message}`);
    }
    return { files, errors };
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

function listSources(root: string): string[] {
  const inFolders = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  return ["vitest.config.ts", ...inFolders.filter((name) => /\.tsx?$/.test(name)).sort()];
}

/** Reads messages, each of which follows a header with its length. */
function readMessages(stream: NodeJS.ReadableStream, receive: (message: Message) => void): void {
  let buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const start = buffer.indexOf("\r\n\r\n") + 4;
      const [, length] = /Content-Length: (\d+)/i.exec(buffer.toString("latin1", 0, start)) ?? [];
      const end = start + Number(length);
      if (length === undefined || buffer.length < end) return;
      receive(JSON.parse(buffer.toString("utf8", start, end)) as Message);
      buffer = buffer.subarray(end);
    }
  });
}
