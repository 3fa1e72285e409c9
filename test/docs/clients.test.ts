/** The page on clients shows the entry that `tenon install` writes for each of them: `-u` updates it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
// Internal: the page is generated from the table of clients.
import { INSTALLABLE_CLIENTS, type InstallableClient } from "../../packages/cli/src/install/client-config.js";
import { changeConfig } from "../../packages/cli/src/install/config-text.js";
import { workspace } from "./pages.js";

const PAGE = join(workspace, "packages/docs/guide/connect-clients.md");
const HEADING = "## Configuration of each client\n";

const INTRODUCTION = `Add the entry next to the servers that the file already lists. Applications that you start from a menu may not find
\`node\` by its name; \`tenon install\` writes its full path for them.`;

const SYSTEMS = { Linux: "linux", macOS: "darwin", Windows: "win32" } as const;

/** Returns the location of a client's file on each system, or on all of them if it is the same. */
function fileLines(client: InstallableClient): string[] {
  const files = Object.entries(SYSTEMS).map(([system, platform]) => {
    const file = client.file("user", { platform, home: "~", env: { APPDATA: "%APPDATA%" }, folder: "." });
    return { system, file: file ?? "" };
  });
  const isSame = new Set(files.map(({ file }) => file)).size === 1;
  const lines = isSame
    ? [`- Your configuration: \`${files[0]?.file}\``]
    : files.map(({ system, file }) => `- Your configuration on ${system}: \`${file}\``);
  const inProject = client.file("project", { platform: "linux", home: "~", env: {}, folder: "." });
  return [
    ...lines,
    ...(inProject === undefined ? [] : [`- In a project (\`--scope project\`): \`${inProject}\``]),
  ];
}

function section(client: InstallableClient): string {
  const { name, label, format: notation, key } = client;
  const entryText = (address: Parameters<InstallableClient["entry"]>[0]): string | undefined => {
    const entry = client.entry(address, "weather");
    const text =
      entry && changeConfig({ format: notation, file: "", text: "" }, { key, server: "weather", entry });
    return text === undefined ? undefined : `\`\`\`${notation}\n${text.trimEnd()}\n\`\`\``;
  };
  const local = entryText({ command: "node", args: ["/home/ada/weather/dist/server.js"], env: {} });
  const remote = entryText({ url: "https://mcp.example.com/mcp", headers: {} });
  return [
    `### ${label}`,
    `\`npx tenon install ${name}\`. ${client.nextStep}`,
    fileLines(client).join("\n"),
    local,
    remote === undefined
      ? "For a remote server, use its settings: [Connect claude.ai and ChatGPT](claude-and-chatgpt.md)."
      : "For a remote server:",
    remote,
  ]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

test("guide/connect-clients.md shows what `tenon install` writes for every client", async () => {
  const [before = ""] = readFileSync(PAGE, "utf8").split(HEADING);
  const generated = [HEADING, INTRODUCTION, ...INSTALLABLE_CLIENTS.map(section)].join("\n\n");
  const text = await format(`${before}${generated}\n`, { parser: "markdown", printWidth: 110 });
  await expect(text).toMatchFileSnapshot(PAGE);
});
