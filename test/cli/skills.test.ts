import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ProjectFolder, projectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { skillText } from "../support/skill-application.js";

const TOOLS = `import { Tool } from "@tenon/runtime";

export class Orders {
  /** Finds an order. */
  @Tool({ title: "Find an order", readOnly: true, openWorld: false })
  find_order(id: string): string {
    return id;
  }

  /** Refunds an order. */
  @Tool({ title: "Refund an order", destructive: true, openWorld: false })
  refund_order(id: string): string {
    return id;
  }
}
`;

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder({ "src/orders.ts": TOOLS });
});
afterEach(() => project.remove());

async function tenon(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(args, terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");

describe("tenon add skill", () => {
  test("writes a skill that mentions tools of the project, without diagnostics", async () => {
    const { code, out } = await tenon("add", "skill", "refund-orders");
    expect(code).toBe(0);
    expect(out).toContain("skill refund-orders in skills/refund-orders/SKILL.md");
    expect(read("skills/refund-orders/SKILL.md")).toContain(
      "1. Call `find_order`.\n2. Then call `refund_order`",
    );
    const inspected = await tenon("inspect", "--json");
    expect(inspected.code).toBe(0);
    expect(JSON.parse(inspected.out)).toMatchObject({
      skills: [{ uri: "skill://refund-orders/SKILL.md", frontmatter: { name: "refund-orders" } }],
      diagnostics: [],
    });
  });

  test("writes a skill in a folder, and one for a project without tools", async () => {
    expect((await tenon("add", "skill", "billing/refunds")).code).toBe(0);
    expect(read("skills/billing/refunds/SKILL.md")).toContain("name: refunds\n");
    writeFileSync(join(project.root, "src/orders.ts"), "export {};\n");
    expect((await tenon("add", "skill", "greetings")).code).toBe(0);
    expect(read("skills/greetings/SKILL.md")).toContain("1. Collect what the task needs.");
  });

  test.each([
    [[], "The name of the skill is missing."],
    [["Refund_Orders"], "Clients reject the skill name `Refund_Orders`"],
    [["a--b"], "Clients reject the skill name"],
    [["../escape"], "Clients reject the skill name"],
    [["a", "--file", "src/a.ts"], "always in its own folder"],
  ])("rejects the arguments %j", async (args, problem) => {
    const { code, err } = await tenon("add", "skill", ...args);
    expect(code).toBe(2);
    expect(err).toContain(problem);
    expect(existsSync(join(project.root, "skills"))).toBe(false);
  });

  test("changes no existing skill", async () => {
    project.write({ "skills/refunds/SKILL.md": skillText("refunds") });
    const { code, err } = await tenon("add", "skill", "refunds");
    expect(code).toBe(1);
    expect(err).toContain("skills/refunds/SKILL.md already exists");
    expect(read("skills/refunds/SKILL.md")).toBe(skillText("refunds"));
  });
});

test("tenon inspect lists skills with their files and access", async () => {
  project.write({
    "skills/refunds/SKILL.md": skillText("refunds"),
    "skills/refunds/references/policy.md": "# Policy",
    "src/server.ts": `import { defineServer } from "@tenon/runtime";

export default defineServer({ stdio: { principal: { subject: "ada", scopes: ["orders"] } }, skills: { refunds: { scopes: ["orders"] } } });
`,
  });
  const { code, out } = await tenon("inspect");
  expect(code).toBe(0);
  expect(out).toMatch(/2 tools and 1 skill/);
  expect(out).toMatch(
    /Skills\n\n {2}refunds {2}2 files, \d+ bytes\n {4}The skill refunds\.\n\n {4}access {3}scope orders/,
  );
});

/** A class that generates a skill. */
const GENERATED = `import { Resource } from "@tenon/runtime";

export class Reports {
  /** Reports the day. */
  @Resource("skill://daily/SKILL.md", { scopes: ["reports"] })
  daily(): string {
    return "# Today";
  }
}
`;

test("tenon inspect lists generated skills, of projects and running servers", async () => {
  project.write({
    "src/reports.ts": GENERATED,
    "src/server.ts": `import { defineServer } from "@tenon/runtime";

export default defineServer({ stdio: { principal: { subject: "ada", scopes: ["reports"] } } });
`,
  });
  expect((await tenon("build")).code).toBe(0);
  for (const target of [[], ["--", process.execPath, join(project.root, "dist/server.js")]]) {
    const { code, out } = await tenon("inspect", ...target);
    expect(code).toBe(0);
    expect(out).toMatch(/Skills\n\n {2}daily {2}generated\n {4}Reports the day\./);
  }
});

test("tenon inspect lists the skills of a running server, without their files as resources", async () => {
  project.write({ "skills/refunds/SKILL.md": skillText("refunds") });
  expect((await tenon("build")).code).toBe(0);
  const server = ["--", process.execPath, join(project.root, "dist/server.js")];
  const { code, out } = await tenon("inspect", ...server);
  expect(code).toBe(0);
  expect(out).toMatch(/Skills\n\n {2}refunds {2}1 file, \d+ bytes\n {4}The skill refunds\./);
  expect(out).not.toContain("skill://");
  const { out: json } = await tenon("inspect", "--json", ...server);
  expect(JSON.parse(json)).toMatchObject({ skills: [{ uri: "skill://refunds/SKILL.md" }] });
});

describe("tenon check", () => {
  test("reports changes of skills for clients", async () => {
    project.write({
      "skills/refunds/SKILL.md": skillText("refunds"),
      "skills/refunds/references/policy.md": "# Policy",
      "skills/gone/SKILL.md": skillText("gone"),
    });
    expect((await tenon("check", "--update")).code).toBe(0);
    expect((await tenon("check")).out).not.toContain("skill ");
    project.write({
      "skills/refunds/SKILL.md": skillText("refunds", "Other steps.", "allowed-tools: Bash\n"),
      "skills/refunds/references/policy.md": "# Another policy",
      "skills/added/SKILL.md": skillText("added"),
      "skills/gone/SKILL.md": "# Not a skill anymore",
    });
    const { out, code } = await tenon("check", "--json");
    expect(code).toBe(1);
    const { changes } = JSON.parse(out) as {
      changes: { kind: string; name: string; effect: string; message: string }[];
    };
    expect(changes.map(({ effect, kind, name, message }) => `${effect} ${kind} ${name}: ${message}`)).toEqual(
      [
        "breaking skill gone: was removed: clients that use it cannot load it again",
        "permission skill refunds: asks clients to allow Bash (before: none)",
        "safe skill added: is new",
        "wording skill refunds: has different files, which users must approve again: SKILL.md and references/policy.md",
      ],
    );
  });

  test("reports that a skill is generated, and who may see it", async () => {
    const server = `import { defineServer } from "@tenon/runtime";\n\nexport default defineServer({ stdio: { principal: "ada" } });\n`;
    project.write({ "src/server.ts": server, "skills/daily/SKILL.md": skillText("daily") });
    await tenon("check", "--update");
    rmSync(join(project.root, "skills"), { recursive: true });
    project.write({ "src/reports.ts": GENERATED });
    expect((await tenon("check")).out).toMatch(
      /skill daily\s+is now generated: clients cannot verify its files/,
    );
    expect((await tenon("check", "--directory", "openai")).err).toBe("");
    await tenon("check", "--update");
    project.write({ "src/reports.ts": GENERATED.replace('"reports"', '"other"') });
    expect((await tenon("check")).out).toMatch(
      /resource skill:\/\/daily\/SKILL\.md\s+requires `other` instead of `reports`/,
    );
  });

  test("reports who may see a skill", async () => {
    const server = (options: string): string =>
      `import { defineServer } from "@tenon/runtime";\n\nexport default defineServer({ stdio: { principal: "ada" }, skills: { refunds: ${options} } });\n`;
    project.write({ "skills/refunds/SKILL.md": skillText("refunds"), "src/server.ts": server("{}") });
    await tenon("check", "--update");
    project.write({ "src/server.ts": server("{ scopes: ['orders'], enabled: () => true }") });
    expect((await tenon("check")).out).toMatch(
      /skill refunds\s+requires `orders`; before, every caller could load it/,
    );
    expect((await tenon("build")).code).toBe(0);
    project.write({
      "earlier.json": read("dist/tenon.manifest.json"),
      "skills/added/SKILL.md": skillText("added"),
      "src/server.ts": server("{}"),
    });
    const { code, out } = await tenon("check", "--baseline", "earlier.json");
    expect(code).toBe(1);
    expect(out).toMatch(/PUBLIC ACCESS[^]*skill refunds\s+required `orders`; now every caller may load it/);
    expect(out).toMatch(/New[^]*skill added\s+every caller may load it/);
  });

  test("reports what ChatGPT does not import", async () => {
    project.write({
      "skills/large/SKILL.md": skillText("large", "x".repeat(262_144)),
      "skills/large/data.txt": "x".repeat(1_048_577),
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`skills/large/files/${index}.txt`, "x".repeat(50_000)]),
      ),
    });
    const { out } = await tenon("check", "--directory", "openai", "--json");
    const { directories } = JSON.parse(out) as { directories: { code: string; message: string }[] };
    const messages = directories.flatMap(({ code, message }) =>
      code === "directory-skill-limit" ? message : [],
    );
    expect(messages).toEqual([
      expect.stringContaining("`skills/large` has 102 files. OpenAI imports at most 100 files"),
      expect.stringContaining("at most 5120 KiB"),
      expect.stringContaining("`skills/large/SKILL.md` is 257 KiB in size. OpenAI imports at most 256 KiB"),
      expect.stringContaining("`skills/large/data.txt` is 1025 KiB in size. OpenAI imports at most 1024 KiB"),
    ]);
  });
});
