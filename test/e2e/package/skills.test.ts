/** The files of skills are part of every package, with their exact bytes. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import type { ResourceContents, Skill } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProjectFolder, projectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { skillText } from "../../support/skill-application.js";
import { WireClient } from "../../support/wire-client.js";
import { httpWire, stdioWire } from "../../support/wires.js";
import { thirdParty } from "../../third-party/installed.js";
import { Miniflare } from "../../third-party/miniflare.js";

/** A text that only the skill contains. */
const MARK = "Check the policy first.";

let project: ProjectFolder;
beforeAll(async () => {
  project = projectFolder({
    "package.json": JSON.stringify({
      name: "orders",
      version: "1.0.0",
      description: "Orders",
      author: "Ada",
      license: "MIT",
      type: "module",
    }),
    "src/orders.ts": `
      import { Tool } from "@tenon/runtime";
      export class Orders {
        /** Finds an order. */
        @Tool({ readOnly: true }) find_order(id: string): string { return id; }
      }`,
    "skills/refunds/SKILL.md": skillText("refunds", `Call \`find_order\`.\r\n${MARK}`),
  });
  writeFileSync(join(project.root, "skills/refunds/logo.png"), Buffer.from([137, 80, 78, 71, 0, 255]));
  const terminal = recordingTerminal(project.root);
  const targets = ["--single-file", "--npx", "--worker", "--mcpb"];
  expect(await run(["package", ...targets], terminal), terminal.stderr()).toBe(0);
});
afterAll(() => project.remove());

/** Reads the listed skill, and compares its files with their digests. Returns their text. */
async function readSkill(client: WireClient): Promise<string> {
  await client.open();
  const { skills } = await client.result("skills/list");
  const [skill] = skills as Skill[];
  let text = "";
  expect(skill?.resources).toHaveLength(2);
  if (skill === undefined || skill.resources === "dynamic") throw new Error("The skill has no digests.");
  for (const { uri, digest } of skill.resources) {
    const { contents } = await client.result("resources/read", { uri });
    const [content] = contents as ResourceContents[];
    if (content === undefined) throw new Error(`${uri} is empty.`);
    const bytes = "blob" in content ? Buffer.from(content.blob, "base64") : Buffer.from(content.text);
    expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(digest);
    text += String(bytes);
  }
  await client.close();
  return text;
}

describe("a skill in", () => {
  test.each(["single-file/orders.mjs", "npx/dist/server.js"])("package/%s can be read", async (file) => {
    const wire = stdioWire(join(project.root, "package", file));
    expect(await readSkill(new WireClient(wire, { revision: "2026-07-28" }))).toContain(MARK);
  });

  test("an MCP Bundle can be read", async () => {
    const folder = join(project.root, "unpacked");
    const packer = thirdParty("@anthropic-ai/mcpb/dist/cli/cli.js");
    const bundle = join(project.root, "package/mcpb/orders-1.0.0.mcpb");
    execFileSync(process.execPath, [packer, "unpack", bundle, folder]);
    const { server } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
      server: { entry_point: string };
    };
    const wire = stdioWire(join(folder, server.entry_point));
    expect(await readSkill(new WireClient(wire, { revision: "2026-07-28" }))).toContain(MARK);
  });

  test("a worker can be read, and is not part of the module that starts it", async () => {
    const folder = join(project.root, "package/worker");
    const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(names).toEqual([expect.stringMatching(/^skill-/), expect.stringMatching(/^skill-/), "worker.js"]);
    const modules = names.toReversed().map((name) => ({
      type: "ESModule" as const,
      path: name,
      contents: readFileSync(join(folder, name), "utf8"),
    }));
    expect(modules[0]?.contents).not.toContain(MARK);
    const worker = new Miniflare({
      modules,
      compatibilityDate: "2026-04-01",
      compatibilityFlags: ["nodejs_compat"],
    });
    const url = new URL("/mcp", await worker.ready).href;
    expect(await readSkill(new WireClient(httpWire(url, fetch), { revision: "2026-07-28" }))).toContain(MARK);
    await worker.dispose();
  });
});
