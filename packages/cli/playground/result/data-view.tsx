import type { ComponentChild, VNode } from "preact";
import { PlainText } from "./plain-text.js";

type Row = Record<string, unknown>;

const MOST_COLUMNS = 16;
const MOST_ROWS = 500;
const MOST_IN_LINE = 10_000;
/** What lies deeper is shown as JSON. */
const DEPTH = 3;

/** Data in the form that is read most easily: tables of rows, lists, names with their values. */
export function DataView({ value, depth = DEPTH }: { value: unknown; depth?: number }): VNode {
  if (!isObject(value) && !Array.isArray(value)) return <Scalar value={value} />;
  if (depth === 0) return <code class="value">{JSON.stringify(value)}</code>;
  if (!Array.isArray(value)) return <Members value={value} depth={depth} />;
  if (value.length === 0) return <span class="hint">empty list</span>;
  const columns = columnsOf(value);
  return columns ? (
    <Table rows={value as Row[]} columns={columns} depth={depth} />
  ) : (
    <Items items={value} depth={depth} />
  );
}

function Scalar({ value }: { value: unknown }): VNode {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MOST_IN_LINE ? <PlainText text={text} /> : <span class="value">{text}</span>;
}

function Members({ value, depth }: { value: Row; depth: number }): VNode {
  const members = Object.entries(value);
  if (members.length === 0) return <span class="hint">empty object</span>;
  return (
    <>
      <dl class="members">
        {members.slice(0, MOST_ROWS).map(([name, member]) => (
          <div key={name} class={isScalar(member) ? "member" : "member nested"}>
            <dt>{name}</dt>
            <dd>
              <DataView value={member} depth={depth - 1} />
            </dd>
          </div>
        ))}
      </dl>
      <Rest count={members.length - MOST_ROWS} />
    </>
  );
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }): VNode {
  return (
    <ol class="items">
      {items.slice(0, MOST_ROWS).map((item, index) => (
        <li key={index}>
          <DataView value={item} depth={depth - 1} />
        </li>
      ))}
      <Rest count={items.length - MOST_ROWS} />
    </ol>
  );
}

function Table({
  rows,
  columns,
  depth,
}: {
  rows: readonly Row[];
  columns: readonly string[];
  depth: number;
}): VNode {
  return (
    // It scrolls, so the keyboard has to reach it.
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={isNumeric(rows, column) ? "right" : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} class={isNumeric(rows, column) ? "right" : undefined}>
                  {row[column] === undefined ? (
                    ""
                  ) : (
                    <DataView value={row[column]} depth={Math.min(1, depth - 1)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Rest count={rows.length - MOST_ROWS} />
    </div>
  );
}

function Rest({ count }: { count: number }): ComponentChild {
  return count > 0 && <p class="hint">{count} more are in the JSON.</p>;
}

/** Undefined where the items are no rows of a table. */
function columnsOf(items: readonly unknown[]): string[] | undefined {
  if (!items.every(isObject)) return undefined;
  const columns = [...new Set(items.slice(0, MOST_ROWS).flatMap(Object.keys))];
  return columns.length > 0 && columns.length <= MOST_COLUMNS ? columns : undefined;
}

function isNumeric(rows: readonly Row[], column: string): boolean {
  return rows.every((row) => row[column] === undefined || typeof row[column] === "number");
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
