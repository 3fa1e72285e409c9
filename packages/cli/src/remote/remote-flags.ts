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

/**
 * Rejects the legacy era for a project whose definitions are read without running it.
 *
 * @throws Failure (exit code 2) if it is selected
 */
export function rejectLegacyEra({ era }: RemoteFlags): void {
  if (era !== "legacy") return;
  throw new Failure("The definitions that a project lists for legacy clients are known only while it runs.", {
    hint: "Pass the URL of the running server, or the command that starts it.",
    exitCode: 2,
  });
}
