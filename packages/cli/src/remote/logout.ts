import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatTarget, type RemoteTarget } from "./remote-target.js";
import { createLoginStore } from "./login/login-store.js";

/** Deletes the stored login for a server, and reports whether there was one. */
export function logout({ out }: Terminal, target: RemoteTarget | undefined): void {
  if (target === undefined || !("url" in target))
    throw new Failure("Pass the URL of the server to log out from.", { exitCode: 2 });
  const name = formatTarget(target);
  out.write(
    createLoginStore(target.url).delete()
      ? `Deleted the login for ${name}.\n`
      : `No login for ${name} is stored.\n`,
  );
}
