import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { nameOf, type RemoteTarget } from "./remote-target.js";
import { loginStore } from "./login/login-store.js";

/** Removes what is kept of a login at a server, and says whether there was one. */
export function forgetLogin({ out }: Terminal, target: RemoteTarget | undefined): void {
  if (target === undefined || !("url" in target))
    throw new Failure("Name the URL at which you have logged in.", { exitCode: 2 });
  const name = nameOf(target);
  out.write(
    loginStore(target.url).forget()
      ? `The login at ${name} is forgotten.\n`
      : `No login at ${name} is kept.\n`,
  );
}
