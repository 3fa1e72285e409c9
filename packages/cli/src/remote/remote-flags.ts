import { Failure } from "../terminal/failure.js";

export const ERAS = ["modern", "legacy"] as const;

/** What the command line says of how to connect. */
export interface RemoteFlags {
  header?: readonly string[];
  /** False to print where to log in. */
  browser?: boolean;
  clientId?: string;
  era?: (typeof ERAS)[number];
}

/** @throws Failure (exit code 2) when options are given that only a server at a URL has a use for, and there is none */
export function refuseRemoteFlags({ header, clientId, browser }: RemoteFlags): void {
  const named = header
    ? "--header"
    : clientId !== undefined
      ? "--client-id"
      : browser === false
        ? "--no-browser"
        : "";
  if (named !== "")
    throw new Failure(`${named} is for a server at a URL, and none is named.`, { exitCode: 2 });
}
