import {
  Client,
  type ClientCapabilities,
  InsufficientScopeError,
  ProtocolError,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { ownVersion } from "../startup/own-version.js";
import { Failure } from "../terminal/failure.js";
import { Login, type LoginOptions } from "./login/login.js";
import { printable } from "./printable.js";
import { ProgramOutput } from "./program-output.js";
import { authorizes, covered, type Headers, secretsIn } from "./remote-headers.js";
import { type RemoteTransport, transportTo, withCredentials } from "./remote-transport.js";
import { nameOf, type RemoteTarget } from "./remote-target.js";

export interface RemoteOptions {
  /** Headers of every request, such as `Authorization`. */
  headers?: Headers;
  /** How a person logs in where a server asks for it. */
  login?: LoginOptions;
  /** Whether to speak as before 2026-07-28, or only as since then. Default: as the server does. */
  era?: "modern" | "legacy";
  /** What this client can do for the server. */
  capabilities?: ClientCapabilities;
  /** Gets every client before it connects, to say how it answers. */
  prepare?: (client: Client) => void;
  /** The folder in which a program is started. Default: the current one. */
  cwd?: string;
  /** What a program finds in its environment beside the variables of this process. */
  env?: Readonly<Record<string, string>>;
  /** Where what a program prints on stderr goes. */
  onStderr?: (text: string) => void;
}

/** A server that answers. */
export interface RemoteServer {
  /**
   * Does something with the server. Where that needs a login, or one that reaches further, the person is asked, and it is
   * done again.
   *
   * @throws Failure when the connection breaks, nobody logs in, or the server answers with an error, which is the cause;
   * else what `action` throws
   */
  use<T>(action: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a client of the specification takes for a sign of HTTP+SSE. */
const OLD_REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 405]);
const MODERN = "2026-07-28";
/** A login, and one for each scope that is asked for after that; a server that asks on and on is given up. */
const MOST_LOGINS = 3;

/**
 * Connects to a server as any client does.
 *
 * @throws Failure when it cannot be reached, or does not speak the protocol
 */
export async function connectRemote(named: RemoteTarget, given: RemoteOptions = {}): Promise<RemoteServer> {
  const { target, headers } = withCredentials(named, given.headers);
  const options = { ...given, headers };
  const { era } = options;
  const canLogIn = "url" in target && !authorizes(headers);
  const login = canLogIn ? await Login.open(target.url, options.login ?? {}) : undefined;
  const covers = (text: string): string =>
    printable(covered(text, [...secretsIn(headers), ...(login?.secrets() ?? [])]));
  const stderr = new ProgramOutput(target, options.cwd ?? process.cwd(), (text) => options.onStderr?.(text));
  let connection: { client: Client; transport: RemoteTransport } | undefined;

  const connectBy = async (isOld: boolean): Promise<Client> => {
    const transport = transportTo(target, {
      ...options,
      login,
      isOld,
      onStderr: (text) => stderr.take(text),
    });
    connection = { client: newClient(isOld ? { ...options, era: "legacy" } : options), transport };
    await connection.client.connect(transport.transport);
    stderr.release();
    return connection.client;
  };
  const connected = async (): Promise<Client> => {
    if (connection) return connection.client;
    try {
      return await connectBy(false);
    } catch (error) {
      if (error instanceof Failure || error instanceof RegistrationRejectedError) throw error;
      if (login?.hasReturned === true) throw error;
      // Servers that know nothing newer refuse the first request so, and a stream of events is all they have there.
      const { status } = error as { status?: unknown };
      const script = stderr.missingScript();
      if (script !== undefined) throw notThere(script, target, error);
      stderr.release();
      if (!("url" in target) || era === "modern" || !OLD_REFUSALS.has(status))
        throw unreachable(error, target, covers);
      return connectBy(true).catch((older: unknown) => {
        throw login?.hasReturned === true ? older : unreachable(error, target, covers);
      });
    }
  };
  const use = async <T>(action: (client: Client) => Promise<T>): Promise<T> => {
    for (let logins = 0; ; logins++) {
      try {
        return await action(await connected());
      } catch (error) {
        if (login?.registersOtherwise(error) === true) {
          connection = undefined;
          continue;
        }
        const returned = login?.takeReturned();
        if (returned === undefined || logins >= MOST_LOGINS) throw answered(error, target, covers);
        const { transport, client } = connection ?? {};
        connection = undefined;
        await transport?.finishLogin(returned).catch((cause: unknown) => {
          if (login?.registersForMore(cause) === true) return;
          throw new Failure(`The login failed: ${covers(wordsOf(cause))}`, { cause });
        });
        await client?.close().catch(() => undefined);
      }
    }
  };
  const close = async (): Promise<void> => {
    if (connection) await connection.transport.leave();
    await connection?.client.close().catch(() => undefined);
    login?.close();
  };
  try {
    await use(() => Promise.resolve());
  } catch (error) {
    await close();
    throw error;
  }
  return { use, close };
}

function newClient({ era, capabilities = {}, prepare }: RemoteOptions): Client {
  const mode = era === "modern" ? { pin: MODERN } : (era ?? "auto");
  const client = new Client(
    { name: "tenon", version: ownVersion() },
    { capabilities, versionNegotiation: { mode } },
  );
  prepare?.(client);
  return client;
}

function unreachable(error: unknown, target: RemoteTarget, covers: (text: string) => string): Failure {
  if (isUnauthorized(error)) {
    return new Failure(`${nameOf(target)} requires a login.`, {
      hint: 'Run this in a terminal to log in, or send credentials: --header "Authorization: Bearer …".',
      cause: error,
    });
  }
  return new Failure(`${nameOf(target)} does not answer as an MCP server: ${covers(wordsOf(error))}`, {
    cause: error,
  });
}

function notThere(script: string, target: RemoteTarget, cause: unknown): Failure {
  return new Failure(`${nameOf(target)} cannot start: there is no file ${script}.`, {
    hint: "Correct the path behind `--`, or make the file.",
    cause,
  });
}

/** What a request came to that has no result. */
function answered(error: unknown, target: RemoteTarget, covers: (text: string) => string): unknown {
  if (error instanceof RegistrationRejectedError) {
    return new Failure(
      `The issuer of ${nameOf(target)} does not register Tenon as a client: ${covers(wordsOf(error))}`,
      {
        hint: "Register a client there by hand, and give its id by --client-id.",
        cause: error,
      },
    );
  }
  if (error instanceof InsufficientScopeError) {
    const { requiredScope = "more than they allow" } = error;
    return new Failure(
      `These credentials are not enough for ${nameOf(target)}: it wants ${printable(requiredScope)}.`,
      {
        hint: 'Send others by --header "Authorization: Bearer …", or leave --header out to log in.',
        cause: error,
      },
    );
  }
  if (error instanceof ProtocolError) return new Failure(covers(error.message), { cause: error });
  if (error instanceof SdkError || isUnauthorized(error)) return unreachable(error, target, covers);
  return error;
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error as { status?: unknown } | undefined)?.status === 401;
}

/** What went wrong, and what led to it, as far as that says more. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let at = error; at !== undefined && at !== null; at = at instanceof Error ? at.cause : undefined) {
    const isMissing = (at as NodeJS.ErrnoException).code === "ENOENT";
    const hasEnded = at instanceof SdkError && at.code === SdkErrorCode.ConnectionClosed;
    const said = isMissing
      ? "there is no program of that name"
      : hasEnded
        ? "the connection was closed"
        : at instanceof Error
          ? at.message
          : String(at);
    if (said !== "" && !words.some((each) => each.includes(said))) words.push(said);
  }
  return words.join(": ");
}
