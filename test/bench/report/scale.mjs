import { number, table, times, withRatio } from "./numbers.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */

/** Returns the section about several processes that share Redis. @param {NonNullable<Measured["scale"]>} scale */
export function scaleSection({ throughput, commands, sessions, subscribers }) {
  return `## Several processes

All processes, Redis, and the client share the two processors of this machine, so several processes cannot serve more
requests than one here. Compare the processor time per request, which shows how many requests more processors could
serve. With sessions, each request goes to a process other than the one that opened the session.

${throughputTable(throughput)}

${costTable(throughput, commands)}

Average number of Redis commands for each kind of request, including messages forwarded to other processes. In addition,
each process renews its lease every three seconds.

${commandsTable(commands)}

Sessions of three processes. Each session is opened at one process and used at all of them. The last two columns are the
memory that an idle session occupies in the processes and in Redis.

${sessionsTable(sessions)}

Subscribers (\`subscriptions/listen\`) spread over three processes. All of them receive a change that one process announces.

${subscribersTable(subscribers)}`;
}

/** @param {NonNullable<Measured["scale"]>["throughput"]} throughput */
function throughputTable(throughput) {
  const rows = [...throughput].flatMap(([kind, points]) =>
    points.map(({ processes, sample }) => [
      kind,
      String(processes),
      withRatio(sample.perSecond, points[0]?.sample.perSecond),
      number(sample.cpu),
      number(sample.redisCpu),
      `${((100 * sample.redisCpu) / (sample.cpu + sample.redisCpu)).toFixed(1)}%`,
      number(sample.p50),
    ]),
  );
  return table(["", "processes", "requests/s", "CPU µs", "Redis CPU µs", "Redis share", "p50 ms"], rows);
}

/**
 * The names of calls with a store: in the throughput, without a store, and among the commands.
 *
 * @type {[stored: string, alone: string, command: string][]}
 */
const STORED_CALLS = [
  ["2026-07-28", "2026-07-28, without a store", "2026-07-28: a call"],
  ["sessions", "sessions, without a store", "session: a call"],
  ["2026-07-28, a rate limit", "2026-07-28, without a store", "2026-07-28: a call under a rate limit"],
];

/**
 * Returns the table of the costs of Redis for a call, at the largest number of processes.
 *
 * @param {NonNullable<Measured["scale"]>["throughput"]} throughput
 * @param {NonNullable<Measured["scale"]>["commands"]} commands
 */
function costTable(throughput, commands) {
  const processes = throughput.values().next().value?.at(-1)?.processes;
  const rows = STORED_CALLS.map(([stored, alone, command]) => {
    const shared = throughput.get(stored)?.at(-1)?.sample;
    const without = throughput.get(alone);
    const [one, all] = [without?.[0]?.sample, without?.at(-1)?.sample];
    return [
      stored,
      times(shared?.perSecond, one?.perSecond),
      number(Math.max(0, (shared?.cpu ?? Number.NaN) - (all?.cpu ?? Number.NaN))),
      number(shared?.redisCpu),
      number(commands.get(command)?.all),
    ];
  });
  const head = [
    "a call on Redis",
    "requests/s, × one process without a store",
    "CPU µs for Redis",
    "CPU µs of Redis",
    "commands",
  ];
  return `The costs of Redis for a call in ${processes} processes, compared with ${processes} that have no store:\n\n${table(head, rows)}`;
}

/** @param {NonNullable<Measured["scale"]>["commands"]} commands */
function commandsTable(commands) {
  const rows = [...commands].map(([kind, { all, each }]) => [
    kind,
    number(all),
    Object.entries(each)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${number(count)} ${name}`)
      .join(", "),
  ]);
  return table(["", "commands", "by command"], rows);
}

/** @param {NonNullable<Measured["scale"]>["sessions"]} points */
function sessionsTable(points) {
  const rows = points.map((point, index) => {
    const before = points[index - 1];
    const grown = (/** @type {"mebibytes" | "redisMebibytes"} */ kind) =>
      before === undefined
        ? ""
        : number(((point[kind] - before[kind]) * 1024) / (point.sessions - before.sessions));
    return [
      String(point.sessions),
      number(point.openCpu),
      number(point.callCpu),
      number(point.mebibytes),
      number(point.redisMebibytes),
      grown("mebibytes"),
      grown("redisMebibytes"),
    ];
  });
  const head = [
    "sessions",
    "CPU µs per session opened",
    "CPU µs per `add`",
    "RSS MiB, three processes",
    "Redis MiB",
    "KiB per session",
    "in Redis",
  ];
  return table(head, rows);
}

/** @param {NonNullable<Measured["scale"]>["subscribers"]} points */
function subscribersTable(points) {
  const rows = points.map(({ subscribers, tellCpu, tellMs, mebibytes }) => [
    String(subscribers),
    number(tellCpu),
    number(tellMs),
    number(mebibytes),
  ]);
  return table(
    ["subscribers", "CPU µs per notification", "ms to notify all", "RSS MiB, three processes"],
    rows,
  );
}
