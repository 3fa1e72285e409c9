import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

interface CodexServers {
  data: { name: string; serverInfo: object | null; tools: object }[];
}

function describeServer({ name, serverInfo, tools }: CodexServers["data"][number]): string {
  return `${name}: ${serverInfo === null ? "failed" : Object.keys(tools).join(", ")}`;
}

/**
 * Lists the servers of Codex with their tools. Its own command lists servers without connecting, so this is a request to
 * its interface for programs.
 */
export async function listCodexServers(
  program: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const codex = spawn(program, ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object): void => void codex.stdin.write(`${JSON.stringify(message)}\n`);
  const clientInfo = { name: "test", title: "test", version: "1.0.0" };
  send({ id: 0, method: "initialize", params: { clientInfo } });
  try {
    for await (const line of createInterface(codex.stdout)) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: CodexServers };
      if (id === 1) return (result?.data ?? []).map(describeServer).join("\n");
      if (id !== 0) continue;
      send({ method: "initialized" });
      send({ id: 1, method: "mcpServerStatus/list", params: {} });
    }
    throw new Error("Codex did not list its servers.");
  } finally {
    codex.kill();
    if (codex.exitCode === null) await once(codex, "exit");
  }
}
