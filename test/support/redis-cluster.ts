import { createServer } from "node:net";
import { once } from "node:events";
import { RedisServer } from "./redis-server.mjs";

/** The slots of a cluster. */
const SLOTS = 16_384;

/** A Redis Cluster of three nodes, on free ports of 127.0.0.1. */
export class RedisCluster {
  readonly nodes: readonly RedisServer[];

  private constructor(nodes: readonly RedisServer[]) {
    this.nodes = nodes;
  }

  static async start(count = 3): Promise<RedisCluster> {
    const buses = await Promise.all(Array.from({ length: count }, freePort));
    const nodes = await Promise.all(
      buses.map((bus) =>
        RedisServer.start(
          "--cluster-enabled",
          "yes",
          "--cluster-port",
          String(bus),
          "--cluster-node-timeout",
          "2000",
        ),
      ),
    );
    for (const [index, node] of nodes.entries()) {
      const first = Math.floor((SLOTS * index) / count);
      const last = Math.floor((SLOTS * (index + 1)) / count) - 1;
      await node.command("CLUSTER", "ADDSLOTSRANGE", first, last);
      await node.command("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
      await nodes[0]!.command("CLUSTER", "MEET", "127.0.0.1", node.port, buses[index]!);
    }
    for (const node of nodes) {
      while (!(await isWhole(node, count))) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return new RedisCluster(nodes);
  }

  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}

async function isWhole(node: RedisServer, count: number): Promise<boolean> {
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
