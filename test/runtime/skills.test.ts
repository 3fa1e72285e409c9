import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import type { Caller, ServerConfig } from "@tenon/runtime";
import type { Resource, Skill } from "@tenon/runtime/manifest";
import { listen } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { connect, type ConnectOptions, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { compileSkills, type SkillServer, skillText } from "../support/skill-application.js";

/** Bytes that are not UTF-8. */
const BYTES = Buffer.from([0, 255, 254, 128, 10, 13]);
const COLORED = "\u001b[31mred\u001b[0m\r\n";

let skills: SkillServer;
beforeAll(async () => {
  skills = await compileSkills(
    {
      "refunds/SKILL.md": skillText("refunds", "Read `references/policy.md`.", "license: MIT\n"),
      "refunds/references/policy.md": "# Policy\r\n\r\nLines of Windows.\r\n",
      "refunds/references/marked.txt": "\uFEFFa byte order mark",
      "refunds/references/colored.txt": COLORED,
      "refunds/references/with space/ä#.txt": "a name to encode",
      "refunds/partial/SKILL.md": skillText("partial"),
      "shop/greetings/SKILL.md": skillText("greetings"),
      "admin/SKILL.md": skillText("admin"),
    },
    (root) => {
      writeFileSync(join(root, "skills/refunds/references/bytes.bin"), BYTES);
      symlinkSync("../admin/SKILL.md", join(root, "skills/refunds/linked.md"));
      symlinkSync("references", join(root, "skills/refunds/more"));
    },
  );
});
afterAll(() => skills.remove());

async function open(config: ServerConfig = {}, options: ConnectOptions = {}): Promise<TestClient> {
  return connect(quietServer(skills.createApplication(config)), options);
}

async function list(client: TestClient): Promise<Skill[]> {
  const all: Skill[] = [];
  let cursor: unknown;
  do {
    const page = await client.request("skills/list", cursor === undefined ? {} : { cursor });
    all.push(...(page["skills"] as Skill[]));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  return all;
}

async function readBytes(client: TestClient, uri: string): Promise<Buffer> {
  const { contents } = await client.readResource(uri);
  expect(contents).toHaveLength(1);
  const [content] = contents;
  if (content === undefined) throw new Error("The result is empty.");
  return "blob" in content ? Buffer.from(content.blob, "base64") : Buffer.from(content.text);
}

async function readFolder(client: TestClient, uri: string): Promise<Resource[]> {
  const all: Resource[] = [];
  let cursor: unknown;
  do {
    const page = await client.request("resources/directory/read", {
      uri,
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...(page["resources"] as Resource[]));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  return all;
}

const NAMES = ["admin", "partial", "refunds", "greetings"];
const getNames = (all: readonly Skill[]): string[] => all.map(({ frontmatter }) => frontmatter.name);

describe("skills/list", () => {
  test("returns every skill as the official SDK would, nested ones too", async () => {
    const client = await open();
    expect(client.server.capabilities.extensions).toEqual({
      "io.modelcontextprotocol/skills": { directoryRead: true },
    });
    expect(client.server.capabilities.resources).toBeDefined();
    const listed = await list(client);
    expect(getNames(listed).sort()).toEqual(NAMES.toSorted());
    for (const skill of listed) {
      const path = skill.uri.slice("skill://".length).replace(/\/SKILL\.md$/, "");
      const official = await skillEntry(path, filesIn(join(skills.root, "skills", path)));
      const sortResources = (entry: { resources: unknown }): unknown[] =>
        (entry.resources as SkillResource[]).toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
      expect(skill.frontmatter).toEqual(official.frontmatter);
      expect(sortResources(skill)).toEqual(sortResources(official));
    }
  });

  test("returns pages with whole entries, and cache hints", async () => {
    const client = await open({ pageSize: 1, cache: { skills: { ttlMs: 5 } } });
    expect(await client.request("skills/list")).toMatchObject({
      resultType: "complete",
      ttlMs: 5,
      cacheScope: "public",
    });
    expect(getNames(await list(client))).toHaveLength(NAMES.length);
    await expect(client.request("skills/list", { cursor: "x" })).rejects.toMatchObject({ code: -32602 });
  });

  test("does not exist in earlier revisions, where the files are plain resources", async () => {
    const client = await open({}, { revision: "2025-11-25" });
    expect(client.server.capabilities.extensions).toBeUndefined();
    await expect(client.request("skills/list")).rejects.toMatchObject({ code: -32601 });
    expect((await client.listResources()).map(({ uri }) => uri)).toContain("skill://refunds/SKILL.md");
    expect(String(await readBytes(client, "skill://refunds/SKILL.md"))).toContain("name: refunds");
  });
});

type SkillResource = Exclude<Skill["resources"], "dynamic">[number];

function listFiles({ resources }: Skill): readonly SkillResource[] {
  return resources === "dynamic" ? [] : resources;
}

/** Reads the files in a folder by their paths, following links. */
function filesIn(folder: string): Record<string, Uint8Array> {
  const entries = readdirSync(folder).flatMap((name): [string, Uint8Array][] => {
    const path = join(folder, name);
    if (!statSync(path).isDirectory()) return [[name, readFileSync(path)]];
    return Object.entries(filesIn(path)).map(([inside, bytes]) => [`${name}/${inside}`, bytes]);
  });
  return Object.fromEntries(entries);
}

describe("files of skills", () => {
  test.each(["2026-07-28", "2025-11-25", "2024-11-05"])(
    "match their digests, with any line endings, byte order marks, and control characters, in %s",
    async (revision) => {
      const client = await open({}, { revision });
      const resources = (skills.manifest.skills ?? []).flatMap(({ definition }) => listFiles(definition));
      expect(resources.length).toBeGreaterThan(10);
      for (const { uri, digest, size } of resources) {
        const bytes = await readBytes(client, uri);
        expect([uri, bytes.length]).toEqual([uri, size]);
        expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(digest);
      }
    },
  );

  test("are text only if the text is sent unchanged", async () => {
    const colored = "skill://refunds/references/colored.txt";
    const [content] = (await (await open()).readResource(colored)).contents;
    expect(content).toMatchObject({ mimeType: "text/plain", blob: Buffer.from(COLORED).toString("base64") });
    const [unchanged] = (await (await open({ sanitize: "off" })).readResource(colored)).contents;
    expect(unchanged).toMatchObject({ text: COLORED });
  });

  test("describe a SKILL.md as its frontmatter does", async () => {
    const resources = await (await open()).listResources();
    expect(resources.find(({ uri }) => uri === "skill://shop/greetings/SKILL.md")).toEqual({
      uri: "skill://shop/greetings/SKILL.md",
      name: "greetings",
      description: "The skill greetings.",
      mimeType: "text/markdown",
      size: skillText("greetings").length,
    });
  });
});

describe("skills/get", () => {
  test("returns the same entry as skills/list", async () => {
    const client = await open();
    for (const skill of await list(client)) {
      const result = await client.request("skills/get", { uri: skill.uri });
      expect(result).toMatchObject({ resultType: "complete", skill, ttlMs: 60_000, cacheScope: "public" });
    }
  });

  test.each([
    ["skill://refund/SKILL.md", 'Did you mean "skill://refunds/SKILL.md"?'],
    ["skill://refunds/references/policy.md", "No skill is served at"],
    ["skill://refunds", "No skill is served at"],
    [5, "`uri` must be"],
  ])("rejects %j", async (uri, message) => {
    const client = await open();
    await expect(client.request("skills/get", { uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe("resources/directory/read", () => {
  test("returns files and folders, page by page", async () => {
    const client = await open({ pageSize: 2 });
    const read = async (uri: string): Promise<string[]> =>
      (await readFolder(client, uri)).map(({ name, mimeType }) => `${name} ${mimeType}`).sort();
    expect(await read("skill://refunds")).toEqual([
      "linked.md text/markdown",
      "more inode/directory",
      "partial inode/directory",
      "references inode/directory",
      "refunds text/markdown",
    ]);
    expect(await read("skill://refunds/references/with%20space")).toEqual(["ä#.txt text/plain"]);
    expect(await read("skill://shop")).toEqual(["greetings inode/directory"]);
  });

  test.each([
    ["skill://refunds/", 'Did you mean "skill://refunds"?'],
    ["skill://refunds/SKILL.md", "is a file and not a directory"],
    ["skill://unknown", "There is no directory"],
  ])("rejects %s", async (uri, message) => {
    const client = await open();
    await expect(client.request("resources/directory/read", { uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe("a skill that a caller may not see", () => {
  const restricted: ServerConfig = { skills: { admin: { scopes: ["admin"] } } };
  const requests: [string, (path: string) => Record<string, unknown>][] = [
    ["skills/get", (path) => ({ uri: `skill://${path}/SKILL.md` })],
    ["resources/read", (path) => ({ uri: `skill://${path}/SKILL.md` })],
    ["resources/directory/read", (path) => ({ uri: `skill://${path}` })],
    ["resources/directory/read", (path) => ({ uri: `skill://${path}/SKILL.md` })],
  ];

  test.each(requests)("yields the same error from %s as an unknown one", async (method, toParams) => {
    const client = await open(restricted, { principal: { subject: "ada", scopes: ["other"] } });
    const fail = async (path: string): Promise<unknown> => {
      const error: unknown = await client.request(method, toParams(path)).catch((thrown: unknown) => thrown);
      const { code, message, data } = error as { code: number; message: string; data: unknown };
      return JSON.parse(JSON.stringify({ code, message, data }).replaceAll(path, "NAME")) as unknown;
    };
    // No name is so similar to these that the error suggests it.
    expect(await fail("admin")).toEqual(await fail("zzzzz"));
    const allowed = await open(restricted, { principal: { subject: "ada", scopes: ["admin"] } });
    if (!toParams("")["uri"]?.toString().includes("SKILL.md") || method !== "resources/directory/read")
      expect(await allowed.request(method, toParams("admin"))).toBeDefined();
  });

  test("is in no list, and the lists may not be cached publicly", async () => {
    const client = await open(restricted);
    expect(getNames(await list(client)).sort()).toEqual(["greetings", "partial", "refunds"]);
    expect((await client.listResources()).filter(({ uri }) => uri.includes("admin"))).toEqual([]);
    expect(await client.request("skills/list")).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    const allowed = await open(restricted, { principal: { subject: "ada", scopes: ["admin"] } });
    expect(getNames(await list(allowed)).sort()).toEqual(NAMES.toSorted());
    expect(await allowed.request("resources/read", { uri: "skill://admin/SKILL.md" })).toMatchObject({
      ttlMs: 0,
      cacheScope: "private",
    });
  });

  test("is decided by `enabled` for each request, with all files and skills inside it", async () => {
    let isOn = true;
    const enabled = (caller: Caller): boolean => isOn && caller.principal?.subject !== "eve";
    const config: ServerConfig = { skills: { refunds: { enabled } } };
    const client = await open(config);
    expect(getNames(await list(client))).toContain("partial");
    expect(getNames(await list(await open(config, { principal: "eve" }))).sort()).toEqual([
      "admin",
      "greetings",
    ]);
    isOn = false;
    expect(getNames(await list(client)).sort()).toEqual(["admin", "greetings"]);
    await expect(client.readResource("skill://refunds/references/policy.md")).rejects.toThrow("No resource");
    await expect(client.request("resources/directory/read", { uri: "skill://refunds" })).rejects.toThrow(
      "There is no directory",
    );
  });

  test("hides a skill from callers for whom `enabled` returns nothing", async () => {
    const enabled = ({ principal }: Caller): boolean => principal?.claims["isMember"] as boolean;
    const config: ServerConfig = { skills: { admin: { enabled } } };
    expect(getNames(await list(await open(config)))).not.toContain("admin");
    const principal = { subject: "ada", claims: { isMember: true } };
    expect(getNames(await list(await open(config, { principal })))).toContain("admin");
  });

  test("may have an `enabled` that throws or does not return a boolean, which is logged", async () => {
    const messages: string[] = [];
    const log: ServerConfig["log"] = ({ msg }) => void messages.push(msg);
    const fail = (): boolean => {
      throw new Error("The database is down.");
    };
    const config: ServerConfig = {
      log,
      skills: { admin: { enabled: fail }, "shop/greetings": { enabled: (() => "yes") as never } },
    };
    const client = await connect(createServer(skills.createApplication(config)));
    expect(getNames(await list(client)).sort()).toEqual(["partial", "refunds"]);
    expect(messages.join("\n")).toMatch(
      /skill "admin" is enabled failed[^]*must return true or false, but returned "yes"/,
    );
  });
});

test.each([
  [
    { refund: {} },
    'skills["refund"] has no effect, since there is no folder skills/refund with a SKILL.md. Did you mean "refunds"?',
  ],
  [{ "refunds/partial": {} }, 'the skill is a part of "refunds"'],
  [{ admin: { scope: ["x"] } }, "skills.admin.scope is not an option"],
  [{ admin: { scopes: "x" } }, "skills.admin.scopes must be a list of strings"],
])("a server with the options %j does not start", (options, message) => {
  expect(() => quietServer(skills.createApplication({ skills: options } as ServerConfig))).toThrow(message);
});

describe("the test client", () => {
  test("lists skills, and reads their files with their digests", async () => {
    const client = await open({ pageSize: 1 });
    const listed = await client.listSkills();
    expect(getNames(listed).sort()).toEqual(NAMES.toSorted());
    const files = await client.readSkill("skill://refunds/SKILL.md");
    expect(files["references/policy.md"]).toBe("# Policy\r\n\r\nLines of Windows.\r\n");
    expect(files["references/colored.txt"]).toBe(COLORED);
    expect(files["references/bytes.bin"]).toEqual(BYTES);
    await expect(client.readSkill("skill://refund/SKILL.md")).rejects.toThrow("No skill is served");
  });

  test("rejects a file whose content has changed since it was listed", async () => {
    const application = skills.createApplication();
    Object.assign(application.skillFiles ?? {}, {
      "skill://admin/SKILL.md": { load: () => Promise.resolve({ text: skillText("admim") }) },
    });
    const client = await connect(quietServer(application));
    await expect(client.readSkill("skill://admin/SKILL.md")).rejects.toThrow("must have the digest");
  });
});

test("the official client accepts every skill and file", async () => {
  const listener = await listen(quietServer(skills.createApplication({ pageSize: 2 })), { port: 0 });
  const client = new Client({ name: "official", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
  const host = new SkillsClient(client);
  const { skills: listed } = await host.list();
  expect(listed).toHaveLength(NAMES.length);
  for (const skill of listed) {
    expect(await host.get(skill.uri)).toMatchObject({ skill });
    for (const { uri } of listFiles(skill as Skill))
      expect(await host.read(skill, uri)).toMatchObject({ verified: true });
  }
  const { resources } = await host.readDirectory("skill://refunds/references");
  expect(resources.map(({ name }) => name)).toContain("with space");
  await client.close();
  await listener.close();
});
