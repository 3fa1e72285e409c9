import { spawn } from "node:child_process";
import { once } from "node:events";

/** Records the commands that clients send to a Redis server, as its `MONITOR` command reports them. */
export class RedisMonitor {
  #child;
  /**
   * The names of commands, in order, without those with which processes report that they are alive.
   *
   * @type {string[]}
   */
  commands = [];

  /** @param {import("node:child_process").ChildProcess} child */
  constructor(child) {
    this.#child = child;
  }

  /** @param {number} port */
  static async start(port) {
    const child = spawn("redis-cli", ["-p", String(port), "MONITOR"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const monitor = new RedisMonitor(child);
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) monitor.#note(line);
    });
    // The first output reports that it is listening.
    await once(child.stdout, "data");
    return monitor;
  }

  stop() {
    this.#child.kill();
  }

  /**
   * @param {string} line such as `1700000000.1 [0 127.0.0.1:5000] "GET" "key"`; commands of scripts are marked `lua`
   */
  #note(line) {
    const [, source, command = "", rest = ""] = /^\S+ \[\d+ (\S+)\] "(\w+)"(.*)$/.exec(line) ?? [];
    if (source === undefined || source === "lua" || /:replica:/.test(rest) || command === "PING") return;
    this.commands.push(command.toUpperCase());
  }
}
