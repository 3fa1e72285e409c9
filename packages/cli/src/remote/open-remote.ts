import type { Terminal } from "../terminal/terminal.js";
import type { LoginOptions } from "./login/login.js";
import { reportWrongAddress, showLoginPage } from "./login/login-page.js";
import { connectRemote, type RemoteOptions, type RemoteServer } from "./remote-client.js";
import { readHeaders } from "./remote-headers.js";
import { rejectRemoteFlags, type RemoteFlags } from "./remote-flags.js";
import type { RemoteTarget } from "./remote-target.js";

/**
 * Connects to a server with the options of the command line. The user can log in.
 *
 * @throws Failure if the server is unreachable, the login fails, or an option for URLs is used with a command
 */
export function openRemote(
  terminal: Terminal,
  target: RemoteTarget,
  flags: RemoteFlags,
  options: Pick<RemoteOptions, "capabilities" | "prepare" | "cwd" | "env"> & { signal?: AbortSignal } = {},
): Promise<RemoteServer> {
  if ("command" in target) rejectRemoteFlags(flags);
  const { err } = terminal;
  const { signal, ...others } = options;
  const clientSecret = process.env["TENON_CLIENT_SECRET"];
  const login: LoginOptions = {
    ...(terminal.interactive && { showUrl: showLoginPage(terminal, flags.browser !== false) }),
    ...(terminal.readLines && {
      readLines: terminal.readLines,
      reportWrongAddress: reportWrongAddress(terminal),
    }),
    ...(flags.clientId !== undefined && { clientId: flags.clientId }),
    ...(clientSecret && { clientSecret }),
    ...(signal && { signal }),
  };
  return connectRemote(target, {
    headers: readHeaders(flags.header),
    login,
    cwd: terminal.cwd,
    onStderr: (text) => err.write(err.paint.dim(text)),
    ...(flags.era && { era: flags.era }),
    ...others,
  });
}
