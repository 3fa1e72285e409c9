import { number, table, withRatio } from "./numbers.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */

/** The section about several processes that share Redis. @param {NonNullable<Measured["scale"]>} scale */
export function scaleSection({ throughput, commands, sessions, subscribers }) {
  return `## Several processes

All processes, Redis, and the client share the two processors of this machine, so several processes cannot serve more
requests than one here. Compare the processor time per request, which shows how many requests more processors could
serve. With sessions, each request goes to a process other than the one that opened the session.

${throughputTable(throughput)}

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
      `${((100 * sample.redisCpu) / (sample.cpu + sample.redisCpu)).toFixed(1)} %`,
      number(sample.p50),
    ]),
  );
  return table(["", "processes", "requests/s", "CPU µs", "Redis CPU µs", "Redis share", "p50 ms"], rows);
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
