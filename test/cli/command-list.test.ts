import pc from "picocolors";
import { expect, it } from "vitest";
// Internal: lists of any length and width.
import { formatNeededPackages } from "../../packages/cli/src/project/needed-lines.js";
import { formatCommands } from "../../packages/cli/src/terminal/command-list.js";

const COMMANDS = [
  ["node dist/server.js", "serves over stdio"],
  ["node dist/server.js --http --port 3000", "serves at http://127.0.0.1:3000/mcp"],
] as const;
const NEEDED = [
  { name: "better-sqlite3", version: "12.1.0", reason: "has native code" },
  { name: "loader", version: "1.0.0", reason: "loads modules by names computed at run time" },
  { name: "unknown" },
];
const paint = pc.createColors(false);

it.each([80, 60])("a list fits commands and packages into %i columns", (columns) => {
  const lines = [
    ...formatCommands(COMMANDS, { paint, columns }),
    "",
    ...formatNeededPackages("Besides dist/, the server needs 3 packages in node_modules:", NEEDED, columns),
  ];
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(lines.join("\n")).toMatchSnapshot();
});
