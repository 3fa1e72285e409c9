import type { ClientFinding, ClientReport, DefinitionSize, ToolReport } from "@tenon/compiler";
import type { Implementation, Profile } from "@tenon/runtime/manifest";
import { MAX_TOOL_TOKENS } from "./advice.js";
import { formatTable } from "../terminal/table.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, wrap } from "../terminal/text-format.js";

/** The content of a client table, apart from the report. */
export interface ClientTableOptions {
  server: Implementation;
  /** The profile of the schemas, if it is known. */
  profile?: Profile;
  sink: Sink;
}

/** Formats a report of how clients treat each tool. Ends with a line break. */
export function formatClientTable(
  report: ClientReport,
  { server, profile, sink }: ClientTableOptions,
): string {
  const { paint } = sink;
  const widths = [`${report.total.bytes}`.length, `${report.total.tokens}`.length] as const;
  const rows = report.tools.map((tool) => [
    tool.name,
    ...formatSizeCells(tool, widths),
    summarizeEffects(tool),
  ]);
  const total = report.tools.length > 1 ? [["all", ...formatSizeCells(report.total, widths), ""]] : [];
  const lines = [
    `${paint.bold(server.name)} ${server.version}  ${profile === undefined ? "" : paint.dim(`profile ${profile}`)}`.trimEnd(),
    ...wrap(`For ${report.clients.map(({ name }) => name).join(", ")}`, sink.columns),
    "",
    ...formatTable(["tool", "bytes", "tokens", "clients"], [...rows, ...total], {
      width: sink.columns,
      header: paint.dim,
    }),
    "",
    ...report.tools.flatMap((tool) => formatFindings(tool, sink)),
    ...report.tools.flatMap((tool) => formatUnlistedChecks(tool, sink)),
    paint.dim("Sizes are those of the definitions as JSON. Tokens are estimated at four bytes each."),
    "",
  ];
  return `${lines.join("\n")}\n`;
}

/** Aligns numbers to the right. */
function formatSizeCells({ bytes, tokens }: DefinitionSize, widths: readonly [number, number]): string[] {
  return [
    String(bytes).padStart(Math.max("bytes".length, widths[0])),
    String(tokens).padStart(Math.max("tokens".length, widths[1])),
  ];
}

function summarizeEffects({ findings, tokens }: ToolReport): string {
  const formatEffect = (effect: ClientFinding["effect"]): string => {
    const clients = new Set(findings.filter((each) => each.effect === effect).map(({ client }) => client));
    return clients.size > 0
      ? `${effect === "rejected" ? "rejected" : "ignored"} by ${[...clients].join(", ")}`
      : "";
  };
  return (
    [formatEffect("rejected"), formatEffect("lost")].filter(Boolean).join("; ") ||
    (tokens === 0 ? "only for views" : tokens > MAX_TOOL_TOKENS ? "large" : "fine")
  );
}

function formatLocation({ of, path }: ClientFinding): string {
  if (path.length === 0) return of === "result" ? "the result" : "the arguments";
  return `\`${path.join(" → ")}\`${of === "result" ? " in the result" : ""}`;
}

/** Lists the checks that schemas cannot express. */
function formatUnlistedChecks({ name, checkedOnly }: ToolReport, { columns }: Sink): string[] {
  if (checkedOnly.length === 0) return [];
  const lines = checkedOnly.flatMap((each) => wrap(each, columns - 2).map((line) => `  ${line}`));
  return [`${name}: checked by the server, but not part of the listed schemas`, ...lines, ""];
}

/** Formats findings, with one line for all clients that share one. */
function formatFindings({ name, findings }: ToolReport, sink: Sink): string[] {
  if (findings.length === 0) return [];
  const { paint } = sink;
  const groups = new Map<string, { first: ClientFinding; clients: Set<string> }>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.effect, finding.rule, finding.of, finding.path, finding.message]);
    const group = groups.get(key) ?? { first: finding, clients: new Set() };
    group.clients.add(finding.client);
    groups.set(key, group);
  }
  const lines = [...groups.values()].flatMap(({ first, clients }) => {
    const location = formatLocation(first);
    const mark = first.effect === "rejected" ? paint.red("rejected") : paint.yellow("ignored ");
    const [head = "", ...rest] = wrap(
      `${location} ${first.message} (${[...clients].join(", ")})`,
      sink.columns - 14,
    );
    return [`    ${mark}  ${head}`, ...rest.map((line) => `              ${line}`)];
  });
  return [
    `  ${paint.bold(paint.cyan(name))} ${paint.dim(formatCount(groups.size, "finding"))}`,
    ...lines,
    "",
  ];
}
