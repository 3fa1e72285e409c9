import { toListedManifest } from "../remote/listed-manifest.js";
import { openRemote } from "../remote/open-remote.js";
import { toPrintable, toPrintableValue } from "../remote/printable.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { listServer } from "../remote/remote-lists.js";
import { formatTarget, type RemoteTarget } from "../remote/remote-target.js";
import type { Terminal } from "../terminal/terminal.js";
import type { InspectOptions } from "./inspect.js";
import { formatManifestTable } from "./manifest-table.js";

/** Runs `tenon inspect <url>` for a running server. */
export async function inspectServer(
  terminal: Terminal,
  target: RemoteTarget,
  options: InspectOptions & RemoteFlags,
): Promise<number> {
  const server = await openRemote(terminal, target, options);
  const { era: _, ...seen } = await server.use(listServer).finally(() => server.close());
  if (options.json) {
    terminal.out.write(`${JSON.stringify(seen, null, 2)}\n`);
    return 0;
  }
  const { server: info, instructions, protocolVersion, ...lists } = toPrintableValue(seen);
  const { out } = terminal;
  out.write(`${out.paint.dim(`${toPrintable(formatTarget(target))} speaks ${protocolVersion}`)}\n\n`);
  out.write(formatManifestTable(toListedManifest(lists, info, instructions), out));
  return 0;
}
