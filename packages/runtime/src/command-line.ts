/**
 * Parses the command line of an emitted server. Clients start servers without flags, and such a server does not load
 * this module. The module therefore imports nothing that such a server loads: the bundler would put a shared dependency
 * into a separate file, which every server would have to load.
 * @module
 */
import type { Implementation } from "./protocol/specification.js";
import type { ListenOptions } from "./transports/http/node/node-server.js";
import { USAGE } from "./usage.js";

export interface ServeFlags extends ListenOptions {
  http?: boolean | undefined;
  /** Whether several processes share the port. */
  workers?: boolean | undefined;
  tasksOnly?: boolean | undefined;
  /** Whether anyone may call a server without authentication at an address that other machines can reach. */
  allowAnonymous?: boolean | undefined;
}

/**
 * Reads the command line of a server. Ends the process for `--help` and `--version` with exit code 0, and for a usage
 * error with 2.
 *
 * @param argv the arguments after the script's name
 * @param info the name and version of the server; undefined if they are only known after the author's code has run. The
 *   caller then calls this function again
 * @example
 * readCommandLine(["--http", "--port", "8080"], { name: "weather", version: "1.0.0" })
 * // { http: true, port: 8080, … }
 */
export function readCommandLine(
  argv: readonly string[],
  info: Pick<Implementation, "name" | "version"> | undefined,
): ServeFlags {
  const flags = parse(argv);
  if (flags === "help") exitWith(0, USAGE);
  if (flags === "version") return info === undefined ? {} : exitWith(0, `${info.name} ${info.version}\n`);
  return "problem" in flags ? rejectCommandLine(flags.problem) : flags;
}

/** Ends the process with a usage error. */
export function rejectCommandLine(problem: string): never {
  exitWith(2, `${problem}\n\n${USAGE}`);
}

/** Writes text and ends the process. Bypasses the guard that reserves stdout for the protocol. */
function exitWith(code: 0 | 2, text: string): never {
  try {
    process.getBuiltinModule("node:fs").writeSync(code === 0 ? 1 : 2, text);
  } catch {
    // The reader has closed its end.
  }
  process.exit(code);
}

const FLAG = { type: "boolean" } as const;
const VALUE = { type: "string" } as const;
const VALUES = { type: "string", multiple: true } as const;

/** Returns the flags, a problem, or the name of the text to print. */
function parse(argv: readonly string[]): ServeFlags | { problem: string } | "help" | "version" {
  try {
    const { values } = process.getBuiltinModule("node:util").parseArgs({
      args: [...argv],
      options: {
        http: FLAG,
        port: VALUE,
        host: VALUE,
        "allow-host": VALUES,
        "allow-origin": VALUES,
        "trust-proxy": VALUES,
        "allow-anonymous": FLAG,
        sse: FLAG,
        workers: VALUE,
        "tasks-only": FLAG,
        version: { ...FLAG, short: "v" },
        help: { ...FLAG, short: "h" },
      },
    });
    const { http, port, sse, workers } = values;
    // A URL has brackets around an IPv6 address.
    const host = values.host?.replace(/^\[(.*)\]$/, "$1");
    if (values.help === true) return "help";
    if (values.version === true) return "version";
    const { PORT, HOST = "", TENON_ALLOW_ANONYMOUS } = process.env;
    const [portSource, chosenPort] =
      port === undefined ? ["PORT", http === true ? PORT : undefined] : ["--port", port];
    if (chosenPort !== undefined && (!/^\d+$/.test(chosenPort) || Number(chosenPort) > 65535)) {
      return { problem: `${portSource} must be a number from 0 to 65535 (got "${chosenPort}").` };
    }
    if (host !== undefined && !/^[\w.:%-]+$/.test(host)) {
      return { problem: `--host must be an address, such as 127.0.0.1 or ::1 (got "${host}").` };
    }
    if (workers !== undefined && !/^(?:auto|[1-9]\d{0,3})$/.test(workers)) {
      return { problem: `--workers must be a number from 1 to 9999, or "auto" (got "${workers}").` };
    }
    const allowAnonymous = values["allow-anonymous"];
    const unusable = Object.keys(values).find((name) => name !== "http" && name !== "tasks-only");
    if (http !== true && unusable !== undefined) return { problem: `--${unusable} needs --http.` };
    const tasksOnly = values["tasks-only"];
    if (http === true && tasksOnly === true) {
      return { problem: "--tasks-only serves no clients, so it cannot be combined with --http." };
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
      allowAnonymous: allowAnonymous ?? TENON_ALLOW_ANONYMOUS === "true",
    };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * Returns whether a string is an IP address or `localhost`. In some environments HOST is not an address, but the name of
 * a platform.
 */
function isAddress(text: string): boolean {
  return text === "localhost" || process.getBuiltinModule("node:net").isIP(text) !== 0;
}
