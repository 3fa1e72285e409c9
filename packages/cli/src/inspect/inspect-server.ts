import { listedManifest } from "../remote/listed-manifest.js";
import { openRemote } from "../remote/open-remote.js";
import { printable, printableValue } from "../remote/printable.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { seenOf } from "../remote/remote-lists.js";
import { nameOf, type RemoteTarget } from "../remote/remote-target.js";
import type { Terminal } from "../terminal/terminal.js";
import type { InspectOptions } from "./inspect.js";
import { manifestTable } from "./manifest-table.js";

/** `tenon inspect <url>`: what a server lists that is running somewhere else. */
export async function inspectServer(
  terminal: Terminal,
  target: RemoteTarget,
  options: InspectOptions & RemoteFlags,
): Promise<number> {
  const server = await openRemote(terminal, target, options);
  const { era: _, ...seen } = await server.use(seenOf).finally(() => server.close());
  if (options.json) {
    terminal.out.write(`${JSON.stringify(seen, null, 2)}\n`);
    return 0;
  }
  const { server: info, instructions, protocolVersion, ...lists } = printableValue(seen);
  const { out } = terminal;
  out.write(`${out.paint.dim(`${printable(nameOf(target))} speaks ${protocolVersion}`)}\n\n`);
  out.write(manifestTable(listedManifest(lists, info, instructions), out));
  return 0;
}
