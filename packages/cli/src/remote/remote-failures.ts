import {
  InsufficientScopeError,
  ProtocolError,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  UnauthorizedError,
} from "./official/mcp-client.js";
import { Failure } from "../terminal/failure.js";
import { createRejectedTokenFailure, type Login } from "./login/login.js";
import { toPrintable } from "../terminal/printable.js";
import { hasAuthorization, type Headers } from "./remote-headers.js";
import { formatTarget, type RemoteTarget } from "./remote-target.js";
import { summarizeIssues } from "./schema-issues.js";

/** The connection that failed. */
export interface FailedConnection {
  readonly target: RemoteTarget;
  readonly headers: Headers;
  readonly login: Login | undefined;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

const REGISTER = "Register a client there yourself, and set its ID with --client-id.";

/** Describes why no connection to the server could be opened. */
export function createUnreachableFailure(error: unknown, connection: FailedConnection): Failure {
  const { target, headers, login, mask } = connection;
  if (error instanceof Failure) return error;
  if (login?.isUnderWay === true && !isUnauthorized(error)) return createLoginFailure(error, connection);
  if (isUnauthorized(error) && hasAuthorization(headers)) {
    return new Failure(`${formatTarget(target)} rejected the credentials of the Authorization header.`, {
      hint: "Check that they are complete, meant for this server, and not expired. To log in instead, omit the header.",
      cause: error,
    });
  }
  if (isUnauthorized(error) && login?.hasTokens === true) return createRejectedTokenFailure(error);
  if (
    error instanceof SdkError &&
    login?.hasTokens === true &&
    error.message.includes("insufficient_scope")
  ) {
    return new Failure(`The login lacks a scope that ${formatTarget(target)} requires.`, {
      hint: "Its issuer did not grant the scope. To log in as another user, delete the login with `tenon inspect <url> --logout`.",
      cause: error,
    });
  }
  if (isUnauthorized(error)) {
    return new Failure(`${formatTarget(target)} requires a login.`, {
      hint: 'Run this in a terminal to log in, or send credentials: --header "Authorization: Bearer …".',
      cause: error,
    });
  }
  const status = findStatus(error);
  if (/^(?:429|5\d\d)$/.test(status)) {
    return new Failure(`${formatTarget(target)} is unavailable: it responded with status ${status}.`, {
      hint: "Try again later. The log of the server may report why.",
      cause: error,
    });
  }
  return new Failure(
    `${formatTarget(target)} does not respond as an MCP server: ${mask(errorMessage(error))}`,
    {
      cause: error,
    },
  );
}

/** Returns the HTTP status that an error reports, or an empty string. */
function findStatus(error: unknown): string {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === "number"
    ? String(status)
    : (/\bHTTP (\d{3})$/.exec(errorMessage(error))?.[1] ?? "");
}

/** Describes why the login page could not be opened. */
function createLoginFailure(error: unknown, { target, login, mask }: FailedConnection): Failure {
  if (login?.lacksClient !== true)
    return new Failure(`The login failed: ${mask(errorMessage(error))}`, { cause: error });
  return new Failure(`The issuer of ${formatTarget(target)} does not register clients.`, {
    hint: REGISTER,
    cause: error,
  });
}

/** Describes that the script of a command does not exist. */
export function createMissingScriptFailure(script: string, target: RemoteTarget, cause: unknown): Failure {
  return new Failure(`${formatTarget(target)} cannot start: the file ${script} does not exist.`, {
    hint: "Correct the path after `--`, or create the file.",
    cause,
  });
}

/** Converts the error of a request to a failure. */
export function toFailure(error: unknown, connection: FailedConnection): unknown {
  const { target, login, mask } = connection;
  if (error instanceof RegistrationRejectedError) {
    return new Failure(
      `The issuer of ${formatTarget(target)} does not register Tenon as a client: ${mask(errorMessage(error))}`,
      {
        hint: REGISTER,
        cause: error,
      },
    );
  }
  if (error instanceof InsufficientScopeError) {
    const { requiredScope = "more scopes" } = error;
    return new Failure(
      `The credentials are insufficient for ${formatTarget(target)}, which requires ${toPrintable(requiredScope)}.`,
      {
        hint: 'Send other credentials with --header "Authorization: Bearer …", or omit --header to log in.',
        cause: error,
      },
    );
  }
  if (error instanceof ProtocolError) return new Failure(mask(error.message), { cause: error });
  if (error instanceof SdkError || isUnauthorized(error) || login?.isUnderWay === true)
    return createUnreachableFailure(error, connection);
  return error;
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error as { status?: unknown } | undefined)?.status === 401;
}

/** Returns the message of an error, and of its causes if they add information. */
export function errorMessage(error: unknown): string {
  const messages: string[] = [];
  for (
    let current = error;
    current !== undefined && current !== null;
    current = current instanceof Error ? current.cause : undefined
  ) {
    const isMissing = (current as NodeJS.ErrnoException).code === "ENOENT";
    const hasEnded = current instanceof SdkError && current.code === SdkErrorCode.ConnectionClosed;
    const message = isMissing
      ? "the program was not found"
      : hasEnded
        ? "the connection was closed"
        : current instanceof Error
          ? summarizeIssues(current.message)
          : String(current);
    if (message !== "" && !messages.some((each) => each.includes(message))) messages.push(message);
  }
  return messages.join(": ");
}
