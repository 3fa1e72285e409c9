/** The files of skills are part of every package, with their exact bytes. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceContents, Skill } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillText } from "../../support/skill-application.js";
import type { WireClient } from "../../support/wire-client.js";
import { packageProject, type PackagedProject } from "./packaged-project.js";

/** A text that only the skill contains. */
const MARK = "Check the policy first.";

let project: PackagedProject;
beforeAll(async () => {
  project = await packageProject(
    "orders",
    {
      "src/orders.ts": `
      import { Tool } from "@tenon/runtime";
      export class Orders {
        /** Finds an order. */
        @Tool({ readOnly: true }) find_order(id: string): string { return id; }
      }`,
      "skills/refunds/SKILL.md": skillText("refunds", `Call \`find_order\`.\r\n${MARK}`),
    },
    (root) => writeFileSync(join(root, "skills/refunds/logo.png"), Buffer.from([137, 80, 78, 71, 0, 255])),
  );
});
afterAll(() => project.remove());

/** Reads the listed skill, and compares its files with their digests. Returns their text. */
async function readSkill(client: WireClient): Promise<string> {
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
  return text;
}

describe("a skill in", () => {
  test.each(["single-file/orders.mjs", "npx/dist/server.js"])("package/%s can be read", async (file) => {
    expect(await project.fromFile(file, readSkill)).toContain(MARK);
  });

  test("an MCP Bundle can be read", async () => {
    expect(await project.fromBundle(readSkill)).toContain(MARK);
  });

  test("a worker can be read, and is not part of the module that starts it", async () => {
    const { workerModules } = project;
    expect(workerModules).toEqual([
      expect.stringMatching(/^skill-/),
      expect.stringMatching(/^skill-/),
      "worker.js",
    ]);
    expect(project.readWorkerModule("worker.js")).not.toContain(MARK);
    expect(await project.fromWorker(readSkill)).toContain(MARK);
  });
});
