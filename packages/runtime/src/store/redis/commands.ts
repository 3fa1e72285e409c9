import { createHash } from "node:crypto";
import { isCluster, type RedisClient, type SingleClient } from "./client.js";
import type { CommandConnection } from "./connections.js";
import type { RedisSettings } from "./options.js";
import { within } from "./within.js";

/** A program that Redis runs at one go. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

/** What Redis answers on the way from one that takes writes to one that does not. */
const NOT_THE_PRIMARY = /^Redis says: (?:READONLY|MASTERDOWN)\b/;

/** Sends commands, each of which ends in time. */
export class Commands {
  readonly #connection: CommandConnection;
  readonly #timeoutMs: number;
  readonly #waitReplicas: number;

  constructor(connection: CommandConnection, { timeoutMs, waitReplicas }: RedisSettings) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
    this.#waitReplicas = waitReplicas;
  }

  /** @param key where the command belongs in a cluster */
  async send(key: string, ...args: string[]): Promise<unknown> {
    const client = await this.#connection.current();
    return this.#ask(client, key, args);
  }

  /**
   * As `send`, for a command that is about no key, and that a cluster's client would send anywhere: one place for each
   * topic keeps its messages in order.
   */
  async sendToNode(key: string, ...args: string[]): Promise<unknown> {
    return this.#ask(await nodeOf(await this.#connection.current(), key), key, args);
  }

  async run(program: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.#connection.current();
    return this.#run(client, program, keys, args);
  }

  /** As `send`, for what must not be lost once it is acknowledged. */
  async write(key: string, ...args: string[]): Promise<unknown> {
    const client = await this.#connection.current();
    const answer = await this.#ask(client, key, args);
    await this.#replicated(client, key);
    return answer;
  }

  /** As `run`, for what must not be lost once it is acknowledged. */
  async runWrite(
    program: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const client = await this.#connection.current();
    const answer = await this.#run(client, program, keys, args);
    await this.#replicated(client, keys[0] ?? "");
    return answer;
  }

  async #run(
    client: RedisClient,
    { sha1, text }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    try {
      return await this.#ask(client, keys[0] ?? "", ["EVALSHA", sha1, ...rest]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("NOSCRIPT")) throw error;
      return this.#ask(client, keys[0] ?? "", ["EVAL", text, ...rest]);
    }
  }

  async #ask(
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
      return await within(timeoutMs, told(sent), `Redis did not answer within ${timeoutMs} ms`);
    } catch (error) {
      // What is at that address may be another by now.
      if (error instanceof Error && NOT_THE_PRIMARY.test(error.message))
        this.#connection.replace(client, error);
      throw error;
    }
  }

  /**
   * Waits until as many replicas as are wanted have what was written on this connection.
   *
   * @throws Error when they do not in time; it was written nevertheless
   */
  async #replicated(client: RedisClient, key: string): Promise<void> {
    if (this.#waitReplicas === 0) return;
    const args = ["WAIT", String(this.#waitReplicas), String(this.#timeoutMs)];
    // Redis answers a little later than it was told to.
    const count = Number(await this.#ask(await nodeOf(client, key), key, args, 2 * this.#timeoutMs));
    if (count >= this.#waitReplicas) return;
    throw new Error(`What was written has reached ${count} of ${this.#waitReplicas} replicas of Redis`);
  }
}

/** What speaks to the one machine that has a key. */
async function nodeOf(client: RedisClient, key: string): Promise<RedisClient> {
  return isCluster(client) ? ((await client.getNodeClientForKey(key)) as SingleClient) : client;
}

/** An answer of Redis that is an error begins with a code, such as OOM, and names the script and line that it is of. */
const REPLY = /^[A-Z]+ /;
const OF_SCRIPT = / script: \w+, on @user_script:\d+\.?$/;

/** What the client says to those who wait when its connection is given up. */
const LET_GO = "Disconnects client";

/** An error says whose it is. */
function told(sent: Promise<unknown>): Promise<unknown> {
  return sent.catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const isReply = REPLY.test(text);
    if (text === LET_GO) throw new Error("Redis cannot be reached: it does not answer", { cause: error });
    const words = isReply ? `Redis says: ${text.replace(OF_SCRIPT, "")}` : `Redis cannot be reached: ${text}`;
    throw new Error(words, { cause: error });
  });
}
