import { Failure } from "../terminal/failure.js";

/** The eras of the protocol that a command can select. */
export const ERAS = ["modern", "legacy"] as const;

/** The options for connecting to a running server. */
export interface RemoteFlags {
  header?: readonly string[];
  /** Whether to open a browser for the login. */
  browser?: boolean;
  clientId?: string;
  era?: (typeof ERAS)[number];
}

/**
 * Rejects options for servers at a URL.
 *
 * @throws Failure (exit code 2) if there is one
 */
export function rejectRemoteFlags({ header, clientId, browser }: RemoteFlags): void {
  const option = header
    ? "--header"
    : clientId !== undefined
      ? "--client-id"
      : browser === false
        ? "--no-browser"
        : "";
  if (option !== "") throw new Failure(`${option} requires the URL of a server.`, { exitCode: 2 });
}
