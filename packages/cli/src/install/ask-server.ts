import { openRemote } from "../remote/open-remote.js";
import { printable } from "../remote/printable.js";
import { type SeenServer, seenOf } from "../remote/remote-lists.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { summarize } from "../terminal/text-format.js";

/** A server that is started by a command, as it was found. */
export interface AskedServer {
  readonly name: string;
  /** Its version, and how much it has. */
  readonly about: string;
}

/**
 * Starts a server by its command, as a client will, and asks what it is called and what it has.
 *
 * @param words the command and its arguments
 * @throws Failure when there is no server
 */
export async function askServer(
  terminal: Terminal,
  [command = "", ...args]: readonly string[],
  start: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<AskedServer> {
  const seen = await answerOf(terminal, { command, args }, start);
  const { server } = seen;
  const known = `${server.name} ${server.version}`.trim();
  return { name: server.name, about: printable(`${known}: ${summarize(seen)}`) };
}

async function answerOf(
  terminal: Terminal,
  target: { command: string; args: readonly string[] },
  start: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<SeenServer> {
  try {
    const server = await openRemote(terminal, target, {}, start);
    try {
      return await server.use(seenOf);
    } finally {
      await server.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.message, {
      hint:
        error.hint ??
        "Nothing was written. What the server needs in its environment is given by --env NAME=value.",
      cause: error,
    });
  }
}
