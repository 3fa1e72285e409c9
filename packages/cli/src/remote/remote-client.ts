import { Client, type ClientCapabilities, RegistrationRejectedError } from "./official/mcp-client.js";
import { getOwnVersion } from "../startup/own-version.js";
import { Failure } from "../terminal/failure.js";
import { Login, type LoginOptions } from "./login/login.js";
import { toPrintable } from "../terminal/printable.js";
import { ProgramOutput } from "./program-output.js";
import {
  createMissingScriptFailure,
  createUnreachableFailure,
  errorMessage,
  toFailure,
} from "./remote-failures.js";
import {
  findSecrets,
  hasAuthorization,
  type Headers,
  maskSecrets,
  separateCredentials,
} from "./remote-headers.js";
import { type RemoteTransport, createTransport } from "./remote-transport.js";
import type { RemoteTarget } from "./remote-target.js";

/** The options of a connection to a server. */
export interface RemoteOptions {
  /** The headers of every request, such as `Authorization`. */
  headers?: Headers;
  /** The login of the user, if the server requires one. */
  login?: LoginOptions;
  /** The era of the protocol. Default: that of the server. */
  era?: "modern" | "legacy";
  /** The capabilities of this client. */
  capabilities?: ClientCapabilities;
  /** Sets the handlers of every client before it connects. */
  prepare?: (client: Client) => void;
  /** The folder in which a command is started. Default: the current one. */
  cwd?: string;
  /** Environment variables of the command, in addition to those of this process. */
  env?: Readonly<Record<string, string>>;
  /** Receives the stderr output of the command. */
  onStderr?: (text: string) => void;
}

/** A connected server. */
export interface RemoteServer {
  /**
   * Runs an action with the server. If it requires a login or more scopes, the user logs in, and the action runs again.
   *
   * @throws Failure if the connection breaks, the login fails, or the server returns an error, which is the failure's cause;
   * otherwise what `action` throws
   */
  use<T>(action: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** HTTP status codes that indicate HTTP+SSE, as the specification requires. */
const HTTP_SSE_STATUSES: ReadonlySet<unknown> = new Set([400, 404, 405]);
/** The revision to which `--era modern` pins the client: the newest. */
export const MODERN_REVISION = "2026-07-28";
/** Maximum number of logins for one action: the first, and further ones for more scopes. */
const MAX_LOGINS = 3;

/**
 * Connects to a server.
 *
 * @throws Failure if it is unreachable, or does not support the protocol
 */
export async function connectRemote(named: RemoteTarget, given: RemoteOptions = {}): Promise<RemoteServer> {
  const separated = "url" in named ? separateCredentials(named.url, given.headers) : undefined;
  const target: RemoteTarget = separated === undefined ? named : { url: separated.url };
  const headers = separated?.headers ?? given.headers ?? {};
  const options = { ...given, headers };
  const { era } = options;
  const canLogIn = "url" in target && !hasAuthorization(headers);
  const login = canLogIn ? await Login.open(target.url, options.login ?? {}) : undefined;
  const mask = (text: string): string =>
    toPrintable(maskSecrets(text, [...findSecrets(headers), ...(login?.listSecrets() ?? [])]));
  const failed = { target, headers, login, mask };
  const stderr = new ProgramOutput(target, options.cwd ?? process.cwd(), (text) => options.onStderr?.(text));
  let connection: { client: Client; transport: RemoteTransport } | undefined;

  const openConnection = async (isHttpSse: boolean): Promise<Client> => {
    const transport = createTransport(target, {
      ...options,
      login,
      isHttpSse,
      onStderr: (text) => stderr.add(text),
    });
    connection = { client: createClient(isHttpSse ? { ...options, era: "legacy" } : options), transport };
    await connection.client.connect(transport.transport);
    stderr.release();
    return connection.client;
  };
  const getClient = async (): Promise<Client> => {
    if (connection) return connection.client;
    try {
      return await openConnection(false);
    } catch (error) {
      if (error instanceof Failure || error instanceof RegistrationRejectedError) throw error;
      if (login?.hasRedirect === true) throw error;
      // Servers that support only HTTP+SSE reject the first request this way.
      const { status } = error as { status?: unknown };
      const script = stderr.findMissingScript();
      if (script !== undefined) throw createMissingScriptFailure(script, target, error);
      stderr.release();
      if (!("url" in target) || era === "modern" || !HTTP_SSE_STATUSES.has(status))
        throw createUnreachableFailure(error, failed);
      return openConnection(true).catch((older: unknown) => {
        throw login?.hasRedirect === true ? older : createUnreachableFailure(error, failed);
      });
    }
  };
  const use = async <T>(action: (client: Client) => Promise<T>): Promise<T> => {
    for (let logins = 0; ; logins++) {
      try {
        return await action(await getClient());
      } catch (error) {
        if (login?.shouldRetryRegistration(error) === true) {
          connection = undefined;
          continue;
        }
        const returned = login?.takeRedirect();
        if (returned === undefined || logins >= MAX_LOGINS) throw toFailure(error, failed);
        const { transport, client } = connection ?? {};
        connection = undefined;
        await transport?.finishLogin(returned).catch((cause: unknown) => {
          if (login?.shouldRegisterAgain(cause) === true) return;
          throw new Failure(`The login failed: ${mask(errorMessage(cause))}`, { cause });
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

function createClient({ era, capabilities = {}, prepare }: RemoteOptions): Client {
  const mode = era === "modern" ? { pin: MODERN_REVISION } : (era ?? "auto");
  const client = new Client(
    { name: "tenon", version: getOwnVersion() },
    { capabilities, versionNegotiation: { mode } },
  );
  prepare?.(client);
  return client;
}
