import { openRemote } from "../remote/open-remote.js";
import { toPrintable } from "../terminal/printable.js";
import { type ListedServer, listServer } from "../remote/remote-lists.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { summarize } from "../terminal/text-format.js";

/** The name and size of a server that a command starts. */
export interface InspectedServer {
  readonly name: string;
  /** The name, version, and number of entries. */
  readonly about: string;
}

/**
 * Starts a server with its command, as a client will, and reads its name and lists.
 *
 * @param command the command and its arguments
 * @throws Failure if the server does not start
 */
export async function inspectServer(
  terminal: Terminal,
  [command = "", ...args]: readonly string[],
  start: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<InspectedServer> {
  const listed = await connectAndList(terminal, { command, args }, start);
  const { server } = listed;
  const label = `${server.name} ${server.version}`.trim();
  return { name: server.name, about: toPrintable(`${label}: ${summarize(listed)}`) };
}

async function connectAndList(
  terminal: Terminal,
  target: { command: string; args: readonly string[] },
  start: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ListedServer> {
  try {
    const server = await openRemote(terminal, target, {}, start);
    try {
      return await server.use(listServer);
    } finally {
      await server.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.message, {
      hint:
        error.hint ??
        "Nothing was written. If the server needs environment variables, set them with --env NAME=value.",
      cause: error,
    });
  }
}
