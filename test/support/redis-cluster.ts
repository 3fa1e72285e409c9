import { createServer } from "node:net";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { RedisServer } from "./redis-server.mjs";

/** The slots of a cluster. */
const SLOTS = 16_384;

/** A Redis Cluster of three nodes, on free ports of 127.0.0.1. */
export class RedisCluster {
  readonly #nodes: RedisServer[];

  private constructor(nodes: RedisServer[]) {
    this.#nodes = nodes;
  }

  static async start(count = 3): Promise<RedisCluster> {
    const nodes: RedisServer[] = [];
    for (let index = 0; index < count; index += 1) {
      const node = await startNode(nodes[0]);
      const first = Math.floor((SLOTS * index) / count);
      const last = Math.floor((SLOTS * (index + 1)) / count) - 1;
      await node.command("CLUSTER", "ADDSLOTSRANGE", first, last);
      await node.command("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
      nodes.push(node);
    }
    await waitForNodes(nodes);
    return new RedisCluster(nodes);
  }

  get nodes(): readonly RedisServer[] {
    return this.#nodes;
  }

  /** Adds a replica of a node, which replaces it when it dies. */
  async addReplica(primary: RedisServer): Promise<RedisServer> {
    const copy = await startNode(primary);
    this.#nodes.push(copy);
    await waitForNodes(this.#nodes);
    await copy.command("CLUSTER", "REPLICATE", await primary.command("CLUSTER", "MYID"));
    while (!(await copy.command("INFO", "replication")).includes("master_link_status:up")) await pause(20);
    return copy;
  }

  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}

async function startNode(known: RedisServer | undefined): Promise<RedisServer> {
  const bus = await freePort();
  const options = { "cluster-enabled": "yes", "cluster-port": String(bus), "cluster-node-timeout": "2000" };
  const node = await RedisServer.start(
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  );
  await known?.command("CLUSTER", "MEET", "127.0.0.1", node.port, bus);
  return node;
}

async function waitForNodes(nodes: readonly RedisServer[]): Promise<void> {
  for (const node of nodes) while (!(await isComplete(node, nodes.length))) await pause(20);
}

async function isComplete(node: RedisServer, count: number): Promise<boolean> {
  const info = await node.command("CLUSTER", "INFO");
  return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${count}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
