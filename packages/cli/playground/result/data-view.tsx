import type { ComponentChild, VNode } from "preact";
import { PlainText } from "./plain-text.js";

type Row = Record<string, unknown>;

const MAX_COLUMNS = 16;
const MAX_ROWS = 500;
const MAX_SCALAR_CHARACTERS = 10_000;
/** Nesting depth beyond which values are shown as JSON. */
const MAX_DEPTH = 3;

/** Data as a table, a list, or names with their values, whichever is most readable. */
export function DataView({ value, depth = MAX_DEPTH }: { value: unknown; depth?: number }): VNode {
  if (!isObject(value) && !Array.isArray(value)) return <Scalar value={value} />;
  if (depth === 0) return <code class="value">{JSON.stringify(value)}</code>;
  if (!Array.isArray(value)) return <Members value={value} depth={depth} />;
  if (value.length === 0) return <span class="hint">empty list</span>;
  const columns = getColumns(value);
  return columns ? (
    <Table rows={value as Row[]} columns={columns} depth={depth} />
  ) : (
    <Items items={value} depth={depth} />
  );
}

function Scalar({ value }: { value: unknown }): VNode {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MAX_SCALAR_CHARACTERS ? <PlainText text={text} /> : <span class="value">{text}</span>;
}

function Members({ value, depth }: { value: Row; depth: number }): VNode {
  const members = Object.entries(value);
  if (members.length === 0) return <span class="hint">empty object</span>;
  return (
    <>
      <dl class="members">
        {members.slice(0, MAX_ROWS).map(([name, member]) => (
          <div key={name} class={isScalar(member) ? "member" : "member nested"}>
            <dt>{name}</dt>
            <dd>
              <DataView value={member} depth={depth - 1} />
            </dd>
          </div>
        ))}
      </dl>
      <HiddenCount count={members.length - MAX_ROWS} />
    </>
  );
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }): VNode {
  return (
    <ol class="items">
      {items.slice(0, MAX_ROWS).map((item, index) => (
        <li key={index}>
          <DataView value={item} depth={depth - 1} />
        </li>
      ))}
      <HiddenCount count={items.length - MAX_ROWS} />
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
    // The table scrolls, so it must be reachable with the keyboard.
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
          {rows.slice(0, MAX_ROWS).map((row, index) => (
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
      <HiddenCount count={rows.length - MAX_ROWS} />
    </div>
  );
}

function HiddenCount({ count }: { count: number }): ComponentChild {
  return count > 0 && <p class="hint">{count} more in the JSON view</p>;
}

/** Returns the columns of a table, or undefined if the items cannot be its rows. */
function getColumns(items: readonly unknown[]): string[] | undefined {
  if (!items.every(isObject)) return undefined;
  const columns = [...new Set(items.slice(0, MAX_ROWS).flatMap(Object.keys))];
  return columns.length > 0 && columns.length <= MAX_COLUMNS ? columns : undefined;
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
