import type { ClientFinding, ClientReport, DefinitionSize, ToolReport } from "@tenon/compiler";
import type { Implementation, Profile } from "@tenon/runtime/manifest";
import { TOOL_TOKENS } from "./advice.js";
import { table } from "../terminal/table.js";
import type { Sink } from "../terminal/terminal.js";
import { count, wrap } from "../terminal/text-format.js";

export interface ClientTableOptions {
  server: Implementation;
  /** Absent where nothing tells which clients the schemas were written for. */
  profile?: Profile;
  sink: Sink;
}

/** What clients make of each tool, for reading. Ends with a line break. */
export function clientTable(report: ClientReport, { server, profile, sink }: ClientTableOptions): string {
  const { paint } = sink;
  const widths = [`${report.total.bytes}`.length, `${report.total.tokens}`.length] as const;
  const rows = report.tools.map((tool) => [tool.name, ...sizeCells(tool, widths), effectSummary(tool)]);
  const total = report.tools.length > 1 ? [["all", ...sizeCells(report.total, widths), ""]] : [];
  const lines = [
    `${paint.bold(server.name)} ${server.version}  ${profile === undefined ? "" : paint.dim(`in the profile ${profile}`)}`.trimEnd(),
    ...wrap(`For ${report.clients.map(({ name }) => name).join(", ")}`, sink.columns),
    "",
    ...table(["tool", "bytes", "tokens", "clients"], [...rows, ...total], {
      width: sink.columns,
      header: paint.dim,
    }),
    "",
    ...report.tools.flatMap((tool) => details(tool, sink)),
    ...report.tools.flatMap((tool) => beyondListing(tool, sink)),
    paint.dim("Sizes are those of the definitions' JSON; tokens are estimated, one for every four bytes."),
    "",
  ];
  return `${lines.join("\n")}\n`;
}

/** Numbers end in one column, that of the longest or of the header. */
function sizeCells({ bytes, tokens }: DefinitionSize, widths: readonly [number, number]): string[] {
  return [
    String(bytes).padStart(Math.max("bytes".length, widths[0])),
    String(tokens).padStart(Math.max("tokens".length, widths[1])),
  ];
}

function effectSummary({ findings, tokens }: ToolReport): string {
  const named = (effect: ClientFinding["effect"]): string => {
    const clients = new Set(findings.filter((each) => each.effect === effect).map(({ client }) => client));
    return clients.size > 0 ? `${effect} by ${[...clients].join(", ")}` : "";
  };
  return (
    [named("refused"), named("lost")].filter(Boolean).join("; ") || (tokens > TOOL_TOKENS ? "large" : "fine")
  );
}

function placeOf({ of, path }: ClientFinding): string {
  if (path.length === 0) return of === "result" ? "the result" : "the arguments object";
  return `\`${path.join(" → ")}\`${of === "result" ? " in the result" : ""}`;
}

/** What no client is told. */
function beyondListing({ name, checkedOnly }: ToolReport, { columns }: Sink): string[] {
  if (checkedOnly.length === 0) return [];
  const lines = checkedOnly.flatMap((each) => wrap(each, columns - 2).map((line) => `  ${line}`));
  return [`${name}: checked by the server, and not listed`, ...lines, ""];
}

/** One line for all clients that find the same. */
function details({ name, findings }: ToolReport, sink: Sink): string[] {
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
    const place = placeOf(first);
    const mark = first.effect === "refused" ? paint.red("refused") : paint.yellow("lost   ");
    const [head = "", ...rest] = wrap(
      `${place} ${first.message} (${[...clients].join(", ")})`,
      sink.columns - 13,
    );
    return [`    ${mark}  ${head}`, ...rest.map((line) => `             ${line}`)];
  });
  return [`  ${paint.bold(paint.cyan(name))} ${paint.dim(count(groups.size, "finding"))}`, ...lines, ""];
}
