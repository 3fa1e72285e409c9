import { createHash } from "node:crypto";
import { isCluster, type RedisClient, type SingleClient } from "./client.js";
import type { CommandConnection } from "./connections.js";
import type { RedisSettings } from "./options.js";
import { waitForResult } from "../../transports/with-timeout.js";

/** A script that Redis runs atomically. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/** Creates a Lua script that can be sent by its hash. */
export function createScript(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

/** Matches the replies of a server that no longer accepts writes, for example during a failover. */
const NOT_THE_PRIMARY = /^Redis error: (?:READONLY|MASTERDOWN)\b/;

/** Sends commands, each with a timeout. */
export class Commands {
  readonly #connection: CommandConnection;
  readonly #timeoutMs: number;
  readonly #waitReplicas: number;

  constructor(connection: CommandConnection, { timeoutMs, waitReplicas }: RedisSettings) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
    this.#waitReplicas = waitReplicas;
  }

  /**
   * Sends a command.
   *
   * @param key determines the node of a cluster
   */
  async send(key: string, ...args: string[]): Promise<unknown> {
    const client = await this.#connection.waitForClient();
    return this.#sendTo(client, key, args);
  }

  /**
   * Sends a command without a key, which a cluster's client would send to any node, to the node of a key. One node for
   * each topic keeps its messages in order.
   */
  async sendToNode(key: string, ...args: string[]): Promise<unknown> {
    return this.#sendTo(await findNode(await this.#connection.waitForClient(), key), key, args);
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.#connection.waitForClient();
    return this.#run(client, script, keys, args);
  }

  /** Sends a command whose effect must not be lost after it is acknowledged. */
  async write(key: string, ...args: string[]): Promise<unknown> {
    const client = await this.#connection.waitForClient();
    const reply = await this.#sendTo(client, key, args);
    await this.#waitForReplicas(client, key);
    return reply;
  }

  /** Runs a script whose effect must not be lost after it is acknowledged. */
  async runWrite(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const client = await this.#connection.waitForClient();
    const reply = await this.#run(client, script, keys, args);
    await this.#waitForReplicas(client, keys[0] ?? "");
    return reply;
  }

  async #run(
    client: RedisClient,
    { sha1, text }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    try {
      return await this.#sendTo(client, keys[0] ?? "", ["EVALSHA", sha1, ...rest]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("NOSCRIPT")) throw error;
      return this.#sendTo(client, keys[0] ?? "", ["EVAL", text, ...rest]);
    }
  }

  async #sendTo(
    client: RedisClient,
    key: string,
    args: string[],
    timeoutMs = this.#timeoutMs,
  ): Promise<unknown> {
    const options = { timeout: this.#timeoutMs, typeMapping: {} };
    const sent = isCluster(client)
      ? client.sendCommand(key, false, args, options)
      : client.sendCommand(args, options);
    try {
      return await waitForResult(
        timeoutMs,
        explainErrors(sent),
        `Redis did not respond within ${timeoutMs} ms`,
      );
    } catch (error) {
      // Another server may have this address by now.
      if (error instanceof Error && NOT_THE_PRIMARY.test(error.message))
        this.#connection.replace(client, error);
      throw error;
    }
  }

  /**
   * Waits until enough replicas have the data written on this connection.
   *
   * @throws Error if they do not have it in time, although the primary has written it
   */
  async #waitForReplicas(client: RedisClient, key: string): Promise<void> {
    if (this.#waitReplicas === 0) return;
    const args = ["WAIT", String(this.#waitReplicas), String(this.#timeoutMs)];
    // Redis responds slightly later than requested.
    const count = Number(await this.#sendTo(await findNode(client, key), key, args, 2 * this.#timeoutMs));
    if (count >= this.#waitReplicas) return;
    throw new Error(`The write reached only ${count} of ${this.#waitReplicas} Redis replicas`);
  }
}

/** Returns the client for the node that has a key. */
async function findNode(client: RedisClient, key: string): Promise<RedisClient> {
  return isCluster(client) ? ((await client.getNodeClientForKey(key)) as SingleClient) : client;
}

/** Matches the code at the start of an error reply, such as OOM. */
const ERROR_REPLY = /^[A-Z]+ /;
/** Matches the script and line at the end of the error of a script. */
const SCRIPT_LOCATION = / script: \w+, on @user_script:\d+\.?$/;

/** The client's error for pending commands after its connection is closed. */
const DISCONNECTED = "Disconnects client";

/** Adds to errors whether Redis has sent them or is unreachable. */
function explainErrors(sent: Promise<unknown>): Promise<unknown> {
  return sent.catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const isReply = ERROR_REPLY.test(text);
    // The error of a command that waited too long to be sent has no message.
    if (text === "" || text === DISCONNECTED)
      throw new Error("Redis is unreachable: it does not respond", { cause: error });
    const message = isReply
      ? `Redis error: ${text.replace(SCRIPT_LOCATION, "")}`
      : `Redis is unreachable: ${text}`;
    throw new Error(message, { cause: error });
  });
}
