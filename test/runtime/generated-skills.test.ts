import { application } from "emitted:test/runtime/generated-skills/application.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import type { ServerConfig } from "@tenon/runtime";
import type { Skill } from "@tenon/runtime/manifest";
import { listen } from "@tenon/runtime/node";
import { type ConnectOptions, connect, type TestClient } from "@tenon/runtime/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { quietServer, REVISIONS } from "../support/describe-transports.js";
import { access, instructions } from "./generated-skills/src/reports.js";

const DAILY = "skill://reports/daily/SKILL.md";
const ADMIN = { subject: "ada", scopes: ["admin"] };

beforeEach(() => {
  instructions.text = "# Today";
  access.isOn = true;
});

async function open(options: ConnectOptions = {}, config: ServerConfig = {}): Promise<TestClient> {
  return connect(quietServer({ ...application, config }), options);
}

async function readText(client: TestClient, uri: string): Promise<string> {
  const { contents } = await client.readResource(uri);
  const [content] = contents;
  if (content === undefined || !("text" in content)) throw new Error(`${uri} is not text.`);
  return content.text;
}

function readFrontmatter(text: string): unknown {
  return parse(/^---\n([^]*?)\n---\n\n/.exec(text)?.[1] ?? "");
}

async function listUris(client: TestClient): Promise<string[]> {
  return (await client.listSkills()).map(({ uri }) => uri);
}

async function getFailure(client: TestClient, method: string, uri: string): Promise<unknown> {
  const error: unknown = await client.request(method, { uri }).catch((thrown: unknown) => thrown);
  const { code, message, data } = error as { code: number; message: string; data: unknown };
  return { code, message, data };
}

describe("a skill that a method generates", () => {
  test("is listed as dynamic, with the frontmatter of its SKILL.md", async () => {
    const client = await open({ principal: ADMIN });
    const listed = await client.listSkills();
    expect(listed.map(({ uri }) => uri)).toEqual([
      "skill://1e3/SKILL.md",
      "skill://admin/SKILL.md",
      DAILY,
      "skill://switched/SKILL.md",
    ]);
    for (const skill of listed) {
      expect(skill.resources).toBe("dynamic");
      expect(await client.request("skills/get", { uri: skill.uri })).toMatchObject({ skill });
      expect(readFrontmatter(await readText(client, skill.uri))).toEqual(skill.frontmatter);
    }
  });

  test("has its instructions after the frontmatter, in each read", async () => {
    const client = await open();
    expect(await readText(client, DAILY)).toMatch(/\n---\n\n# Today$/);
    instructions.text = "# Tomorrow";
    expect(await readText(client, DAILY)).toMatch(/\n---\n\n# Tomorrow$/);
  });

  test.each(["---\nname: other\n---\n", "---\r\n", 5])("rejects the instructions %j", async (text) => {
    const client = await open();
    instructions.text = text;
    await expect(client.readResource(DAILY)).rejects.toMatchObject({ code: -32603 });
    instructions.text = undefined;
    await expect(client.readResource(DAILY)).rejects.toThrow("No resource");
  });

  test("is cached as its resource specifies, and its entry as `cache.skills` specifies", async () => {
    const client = await open({}, { cache: { skills: { ttlMs: 5 } } });
    expect(await client.request("resources/read", { uri: DAILY })).toMatchObject({
      ttlMs: 9,
      cacheScope: "public",
    });
    expect(await client.request("skills/get", { uri: DAILY })).toMatchObject({ ttlMs: 5 });
    expect(await client.request("skills/get", { uri: "skill://customers/acme/SKILL.md" })).toMatchObject({
      ttlMs: 7,
      cacheScope: "private",
    });
  });

  test.each(REVISIONS)("is a plain resource in %s", async (revision) => {
    const client = await open({ revision });
    const daily = (await client.listResources()).find(({ uri }) => uri === DAILY);
    expect(daily).toMatchObject({ name: "daily", mimeType: "text/markdown" });
    expect(readFrontmatter(await readText(client, DAILY))).toEqual({
      name: "daily",
      description: daily?.description,
    });
    expect(await readText(client, "skill://customers/acme/SKILL.md")).toContain("# Customer acme");
    if (revision !== "2026-07-28")
      await expect(client.request("skills/list")).rejects.toMatchObject({ code: -32601 });
  });

  test("has directories with its files", async () => {
    const client = await open();
    expect(await client.readSkill(DAILY)).toEqual({
      "SKILL.md": await readText(client, DAILY),
      "data/orders.csv": "id,cents",
    });
  });
});

describe("a generated skill that a caller may not see", () => {
  test.each(["skills/get", "resources/read"])(
    "yields the same error from %s as an unknown one",
    async (method) => {
      const client = await open({ principal: { subject: "eve", scopes: [] } });
      const rename = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll("admin", "zzzzz"));
      for (const file of ["SKILL.md", "accounts.md"])
        expect(rename(await getFailure(client, method, `skill://admin/${file}`))).toEqual(
          await getFailure(client, method, `skill://zzzzz/${file}`),
        );
      expect(await listUris(client)).not.toContain("skill://admin/SKILL.md");
      expect(JSON.stringify(await client.listResources())).not.toContain("skill://admin");
      expect(await client.request("skills/list")).toMatchObject({ cacheScope: "private" });
      const allowed = await open({ principal: ADMIN });
      expect(await readText(allowed, "skill://admin/accounts.md")).toBe("# Accounts");
    },
  );

  test("is decided by `enabled` for each request", async () => {
    const client = await open();
    expect(await listUris(client)).toContain("skill://switched/SKILL.md");
    access.isOn = false;
    expect(await listUris(client)).not.toContain("skill://switched/SKILL.md");
    await expect(client.request("skills/get", { uri: "skill://switched/SKILL.md" })).rejects.toThrow(
      "No skill is served",
    );
    await expect(client.request("resources/directory/read", { uri: "skill://switched" })).rejects.toThrow(
      "There is no directory",
    );
  });
});

describe("a skill of a template", () => {
  const ACME = "skill://customers/acme/SKILL.md";

  test("is not listed, but returned by its URI", async () => {
    const client = await open();
    expect(await listUris(client)).not.toContain(ACME);
    const { skill } = (await client.request("skills/get", { uri: ACME })) as unknown as { skill: Skill };
    expect(skill).toEqual({
      uri: ACME,
      frontmatter: { name: "acme", description: "Knows one customer." },
      resources: "dynamic",
    });
    expect(readFrontmatter(await readText(client, ACME))).toEqual(skill.frontmatter);
  });

  test.each(["unknown", "hidden", "Not_a_name", "acme/data"])("does not exist for %s", async (id) => {
    const client = await open();
    const uri = `skill://customers/${id}/SKILL.md`;
    await expect(client.request("skills/get", { uri })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32602 });
    await expect(
      client.request("resources/directory/read", { uri: `skill://customers/${id}x` }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  test("hides its files when it is hidden", async () => {
    const client = await open();
    await expect(client.readResource("skill://customers/hidden/data/orders.csv")).rejects.toThrow(
      "No resource",
    );
  });

  test("has directories with the files whose names are known", async () => {
    const client = await open();
    const list = async (uri: string): Promise<unknown> =>
      ((await client.request("resources/directory/read", { uri }))["resources"] as { uri: string }[]).map(
        (each) => each.uri,
      );
    expect(await list("skill://customers/acme")).toEqual([ACME, "skill://customers/acme/data"]);
    expect(await list("skill://customers/acme/data")).toEqual(["skill://customers/acme/data/orders.csv"]);
    for (const uri of ["skill://customers/unknown", "skill://customers/acme/years", "skill://customers"])
      await expect(list(uri)).rejects.toMatchObject({ code: -32602 });
    expect(Object.keys(await client.readSkill(ACME))).toEqual(["SKILL.md", "data/orders.csv"]);
    expect(await readText(client, "skill://customers/acme/years/2026.csv")).toBe("acme 2026");
  });
});

test("the official client reads generated skills", async () => {
  const server = quietServer({ ...application, config: {} });
  const listener = await listen(server, { port: 0 });
  const client = new Client({ name: "official", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
  const host = new SkillsClient(client);
  const { skills } = await host.list();
  const { skill } = await host.get("skill://customers/acme/SKILL.md");
  for (const each of [...skills, skill]) {
    expect(each.resources).toBe("dynamic");
    expect(await host.read(each, each.uri)).toMatchObject({ verified: false });
  }
  await client.close();
  await listener.close();
});
