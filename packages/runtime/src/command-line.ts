/**
 * The command line of an emitted server. It imports nothing that a server loads that is started without flags, as clients
 * start them: what the two had in common would become one more file for such a server to load.
 * @module
 */
import type { Implementation } from "./protocol/specification.js";
import type { ListenOptions } from "./transports/http/node/node-server.js";
import { USAGE } from "./usage.js";

export interface ServeFlags extends ListenOptions {
  http?: boolean | undefined;
  /** Whether it is one of several that the port is for. */
  workers?: boolean | undefined;
  tasksOnly?: boolean | undefined;
}

/**
 * Reads what a server is started with. What needs no server ends the process: `--help` and `--version` with exit code 0, a
 * usage error with 2.
 *
 * @param argv what follows the script's name on the command line
 * @param info whose version it is. Where it is known only once the author's code has run, this is called again then
 * @example
 * readCommandLine(["--http", "--port", "8080"], { name: "weather", version: "1.0.0" })
 * // { http: true, port: 8080, … }
 */
export function readCommandLine(
  argv: readonly string[],
  info: Pick<Implementation, "name" | "version"> | undefined,
): ServeFlags {
  const flags = parse(argv);
  if (flags === "help") endWith(0, USAGE);
  if (flags === "version") return info === undefined ? {} : endWith(0, `${info.name} ${info.version}\n`);
  return "wrong" in flags ? refuseCommandLine(flags.wrong) : flags;
}

/** Ends the process of a server that cannot be started like this. */
export function refuseCommandLine(problem: string): never {
  endWith(2, `${problem}\n\n${USAGE}`);
}

/** Past the guard of stdout, which keeps it for the protocol. */
function endWith(code: 0 | 2, text: string): never {
  try {
    process.getBuiltinModule("node:fs").writeSync(code === 0 ? 1 : 2, text);
  } catch {
    // Nobody reads it.
  }
  process.exit(code);
}

/** The flags; what is wrong with them; or what is only to be shown. */
function parse(argv: readonly string[]): ServeFlags | { wrong: string } | "help" | "version" {
  try {
    const { values } = process.getBuiltinModule("node:util").parseArgs({
      args: [...argv],
      options: {
        http: { type: "boolean" },
        port: { type: "string" },
        host: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        "allow-origin": { type: "string", multiple: true },
        "trust-proxy": { type: "string", multiple: true },
        sse: { type: "boolean" },
        workers: { type: "string" },
        "tasks-only": { type: "boolean" },
        version: { type: "boolean", short: "v" },
        help: { type: "boolean", short: "h" },
      },
    });
    const { http, port, host, sse, workers } = values;
    if (values.help === true) return "help";
    if (values.version === true) return "version";
    const { PORT, HOST = "" } = process.env;
    const [portSource, chosenPort] =
      port === undefined ? ["PORT", http === true ? PORT : undefined] : ["--port", port];
    if (chosenPort !== undefined && (!/^\d+$/.test(chosenPort) || Number(chosenPort) > 65535)) {
      return { wrong: `${portSource} must be a number from 0 to 65535 (got "${chosenPort}").` };
    }
    if (workers !== undefined && !/^(?:auto|[1-9]\d{0,3})$/.test(workers)) {
      return { wrong: `--workers must be a number from 1 to 9999, or "auto" (got "${workers}").` };
    }
    if (http !== true && (port ?? host ?? sse ?? workers ?? values["trust-proxy"]) !== undefined) {
      return { wrong: "--port, --host, --trust-proxy, --sse and --workers need --http." };
    }
    const tasksOnly = values["tasks-only"];
    if (http === true && tasksOnly === true) {
      return { wrong: "--tasks-only serves no client, so it does not go with --http." };
    }
    return {
      http,
      tasksOnly,
      port: chosenPort === undefined ? chosenPort : Number(chosenPort),
      host: host ?? (http === true && isAddress(HOST) ? HOST : undefined),
      allowedHosts: values["allow-host"],
      allowedOrigins: values["allow-origin"],
      trustedProxies: values["trust-proxy"],
      sse,
      workers: workers !== undefined,
    };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

/** Some tools keep other things than an address in HOST, such as the name of a platform. */
function isAddress(text: string): boolean {
  return text === "localhost" || process.getBuiltinModule("node:net").isIP(text) !== 0;
}
