import type { Manifest, Skill } from "@tenon/runtime/manifest";
import { toListedManifest } from "../remote/listed-manifest.js";
import { openRemote } from "../remote/open-remote.js";
import { toPrintable, toPrintableValue } from "../terminal/printable.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { listServer } from "../remote/remote-lists.js";
import { formatTarget, type RemoteTarget } from "../remote/remote-target.js";
import type { Terminal } from "../terminal/terminal.js";
import type { InspectOptions } from "./inspect.js";
import { formatManifestTable } from "./manifest-table.js";

/** Runs `tenon inspect <url>` for a running server. Returns the exit code. */
export async function inspectServer(
  terminal: Terminal,
  target: RemoteTarget,
  options: InspectOptions & RemoteFlags,
): Promise<number> {
  const server = await openRemote(terminal, target, options);
  const { era: _, ...listed } = await server.use(listServer).finally(() => server.close());
  if (options.json) {
    terminal.out.write(`${JSON.stringify(listed, null, 2)}\n`);
    return 0;
  }
  const { server: info, instructions, protocolVersion, skills, ...lists } = toPrintableValue(listed);
  const manifest = toListedManifest(lists, info, instructions);
  const { out } = terminal;
  out.write(`${out.paint.dim(`${toPrintable(formatTarget(target))} uses MCP ${protocolVersion}`)}\n\n`);
  out.write(formatManifestTable(skills ? addListedSkills(manifest, skills) : manifest, out));
  return 0;
}

/** Adds skills to the lists of a running server. Their files are not shown again as resources. */
function addListedSkills(manifest: Manifest, skills: readonly Skill[]): Manifest {
  const files = new Set(
    skills.flatMap(({ resources }) => (Array.isArray(resources) ? resources.map(({ uri }) => uri) : [])),
  );
  return {
    ...manifest,
    resources: manifest.resources.filter(({ definition }) => !files.has(definition.uri)),
    skills: skills.map((definition) => ({
      path: definition.uri.replace(/^[a-z\d+.-]+:\/\/|\/SKILL\.md$/gi, ""),
      definition,
    })),
  };
}
