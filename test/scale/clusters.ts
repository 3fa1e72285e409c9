import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { missingRedis, RedisServer } from "../support/redis-server.mjs";
import { COMBINATIONS } from "./clients/official.mjs";
import { type Cluster, startCluster } from "./cluster/cluster.mjs";

export type Combination = (typeof COMBINATIONS)[number];
export type Connecting = Parameters<Combination["connect"]>[1];
export type OfficialClient = Awaited<ReturnType<Combination["connect"]>>;

/** Returns the official clients, of one era or of both. */
export function listClients(era?: Combination["era"]): [string, Combination][] {
  const chosen = COMBINATIONS.filter((each) => era === undefined || each.era === era);
  return chosen.map((each) => [each.name, each]);
}

export type Answers = NonNullable<NonNullable<Connecting>["answers"]>;

/** Returns whether a request in progress is a call. */
export const isCall = ({ body }: { body: string }): boolean => body.includes('"tools/call"');

export interface Scene {
  readonly cluster: Cluster;
  readonly redis: RedisServer;
  /** Connects a client through the proxy, until the end of the test. */
  connect(combination: Combination, connecting?: Connecting): Promise<OfficialClient>;
  /** Kills a replica and ends its leases, so that the others do not have to wait for that. */
  kill(replica: string): Promise<void>;
}

export interface SceneOptions {
  env?: Record<string, string>;
  /** Additional options of `redis-server`. */
  redis?: string[];
}

/** Defines tests with three replicas that share a Redis. Without Redis, they are skipped with the reason. */
export function describeWithRedis(
  name: string,
  tests: (scene: Scene) => void,
  options: SceneOptions = {},
): void {
  const missing = missingRedis();
  if (missing !== undefined) {
    describe.skip(`${name} (skipped: ${missing})`, () => tests({} as Scene));
    return;
  }
  describe(name, () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await RedisServer.start(...(options.redis ?? []));
    });
    afterAll(async () => {
      // Entries that a scenario leaves expire by themselves.
      const { endless } = await redis.countKeys();
      await redis.close();
      expect(endless).toEqual([]);
    });
    tests(clusterFor(() => redis, options));
  });
}

/** Defines tests with three replicas that share only the keys of `TENON_STATE_KEYS`. */
export function describeWithoutRedis(
  name: string,
  tests: (scene: Scene) => void,
  options: SceneOptions = {},
): void {
  describe(name, () => tests(clusterFor(() => undefined, options)));
}

function clusterFor(redis: () => RedisServer | undefined, { env }: SceneOptions): Scene {
  let cluster: Cluster;
  const clients: OfficialClient[] = [];
  beforeAll(async () => {
    const shared = redis();
    cluster = await startCluster({
      program: process.env["SCALE_PROGRAM"] ?? "",
      ...(shared && { redis: shared.url }),
      ...(env && { env }),
    });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    // Replicas that a test has killed are restarted for the next test.
    await Promise.all(cluster.replicas.map((each) => (each.isAlive ? undefined : each.start())));
  });
  afterAll(() => cluster.close());
  return {
    get cluster() {
      return cluster;
    },
    get redis() {
      return redis() as RedisServer;
    },
    kill: async (replica) => {
      await cluster.replica(replica).kill();
      const shared = redis();
      if (shared !== undefined) await forgetDead(shared);
    },
    connect: async (combination, connecting) => {
      const client = await combination.connect(cluster.url, connecting);
      clients.push(client);
      return client;
    },
  };
}

const LEASES = "tenon:desk:replica:";
const INBOXES = "tenon:desk:inbox:";

/** Ends the leases of dead processes, which are those without a reader of their inbox. */
async function forgetDead(redis: RedisServer): Promise<void> {
  const leases = (await redis.command("KEYS", `${LEASES}*`)).split("\n").filter(Boolean);
  for (const lease of leases) {
    const inbox = INBOXES + lease.slice(LEASES.length);
    const [, readers] = (await redis.command("PUBSUB", "NUMSUB", inbox)).split("\n");
    if (readers === "0") await redis.command("DEL", lease);
  }
}
