import type { Profile } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SOURCE = `
import { Tool, type ToolResult } from "@tenon/runtime";

interface Login { user: string; /** @secret @minLength 8 */ password: string }
interface Guest { name: string; nickname?: string | null; age?: number }

export class Hotel {
  /** Books a room. */
  @Tool()
  book(guest: Guest, nights = 2, tags: string[] = [], mood?: "calm" | "busy"): string {
    return JSON.stringify({ guest, nights, tags, mood });
  }

  /** Counts words. */
  @Tool()
  count(words: Record<string, number>, start = 0): number {
    return Object.values(words).reduce((sum, each) => sum + each, start);
  }

  /** Logs in. */
  @Tool()
  signIn(login: Login, /** @secret @pattern ^\\d{6}$ */ code: string, backup?: Login | string[]): string {
    return login.user + code + String(backup);
  }

  /** Gathers places. */
  @Tool()
  gather(/** @uniqueItems */ places: { x: number }[]): number {
    return places.length;
  }

  /** Wakes guests. */
  @Tool({
    inputSchema: {
      type: "object",
      properties: { at: { type: "array", items: { type: "string" } }, till: { type: "string", writeOnly: true } },
    },
  })
  wake(at: Date[], till?: Date): string {
    return at.map((each) => each.toISOString()).join();
  }

  /** Breaks its promise. */
  @Tool()
  broken(): { rooms: { size: number }[] } {
    return JSON.parse('{"rooms":[{"size":1},{"size":"large"}]}') as { rooms: { size: number }[] };
  }

  /** Breaks the promise of its own schema. */
  @Tool({ outputSchema: { type: "object", properties: { size: { type: "number" } }, required: ["size"] } })
  content(how: "wrong" | "missing" | "failed" | "right"): ToolResult {
    if (how === "missing") return { content: [] };
    if (how === "failed") return { content: [{ type: "text", text: "Full." }], isError: true };
    return { content: [], structuredContent: { size: how === "right" ? 1 : "large" } };
  }
}
`;

const PROFILES = ["portable", "openai-strict", "gemini"] as const;

/** One client per profile, of the same sources. */
const clients = new Map<Profile, TestClient>();
let server: Server;
const servers: BuiltServer[] = [];

beforeAll(async () => {
  for (const profile of PROFILES) {
    const built = await buildServer({ "src/hotel.ts": SOURCE }, profile);
    servers.push(built);
    server = await built.load();
    clients.set(profile, await connect(server));
  }
});
afterAll(() => servers.forEach((each) => each.remove()));

async function call(profile: Profile, tool: string, args: Record<string, unknown>): Promise<string> {
  const result = await clients.get(profile)?.callTool(tool, args);
  const [block] = (result?.content ?? []) as { text: string }[];
  return `${result?.isError === true ? "ERROR " : ""}${block?.text ?? ""}`;
}

describe("null for an optional argument", () => {
  const args = { guest: { name: "Ada", nickname: null, age: null }, nights: null, tags: null, mood: null };

  it.each(PROFILES)("counts as absent in %s", async (profile) => {
    expect(JSON.parse(await call(profile, "book", args))).toEqual({
      // A nickname may be null, so null is a value.
      guest: { name: "Ada", nickname: null },
      nights: 2,
      tags: [],
    });
  });

  it("is rejected for a required member", async () => {
    expect(await call("openai-strict", "book", { ...args, guest: { name: null } })).toContain(
      "`guest.name` must be a string (got null)",
    );
  });
});

describe("a single item for an array", () => {
  it.each(PROFILES)("is accepted in %s if unambiguous", async (profile) => {
    const guest = { name: "Ada" };
    expect(JSON.parse(await call(profile, "book", { guest, tags: "quiet" }))).toMatchObject({
      tags: ["quiet"],
    });
    for (const tags of [5, "quiet, clean"])
      expect(await call(profile, "book", { guest, tags })).toContain("`tags` must be an array");
  });
});

describe("an argument that a profile lists as JSON text", () => {
  it.each(["openai-strict", "gemini"] as const)("is parsed in %s", async (profile) => {
    expect(await call(profile, "count", { words: '{"a":1,"b":2}' })).toBe("3");
    expect(await call(profile, "count", { words: '{"a":"x"}' })).toContain("`words.a` must be a number");
  });
});

describe("secret arguments", () => {
  const login = { user: "ada", password: "correct horse" };

  it.each([
    [
      "a value that does not fit",
      { login, code: "hunter2" },
      "`code` must match the pattern ^\\d{6}$ (got a secret value)",
    ],
    [
      "a secret inside an object",
      { login: { ...login, password: "hunter2" }, code: "123456" },
      "`login.password` must have at least 8 characters (got a secret value)",
    ],
    [
      "text that should be an object",
      { login: "ada:hunter2", code: "123456" },
      "`login` must be an object (got a secret value)",
    ],
    [
      "malformed JSON text",
      { login: '{"password":"hunter2"', code: "123456" },
      "`login` must be an object (got a secret value)",
    ],
    [
      "a misspelled member",
      { login: { user: "ada", pasword: "hunter2" }, code: "123456" },
      "did you mean `password`?",
    ],
    [
      "an object printed as a whole",
      { login, code: "123456", backup: { user: "x", pasword: "hunter2" } },
      "backup",
    ],
    [
      "a secret that is not text",
      { login: { user: "ada", password: { hunter2: true } }, code: "123456" },
      "got a secret value",
    ],
  ])("are not repeated: %s", async (_, args, expected) => {
    const text = await call("portable", "signIn", args);
    expect(text).toContain(expected);
    expect(text.replace("unknown member `login.hunter2`", "")).not.toContain("hunter2");
  });

  it("do not hide other values", async () => {
    expect(await call("portable", "signIn", { login: { ...login, user: 7 }, code: "123456" })).toContain(
      "`login.user` must be a string (got 7)",
    );
  });
});

describe("unparsable strings", () => {
  it("are reported together, with the received values", async () => {
    const text = await call("portable", "wake", { at: ["2026-07-28", "soon", "later"], till: "hunter2" });
    expect(text.split("\n").slice(1)).toEqual([
      '- `at[1]` must be a date (got "soon")',
      '- `at[2]` must be a date (got "later")',
      "- `till` must be a date (got a secret value)",
    ]);
  });
});

describe("results that violate the output schema", () => {
  it("are errors that show the author the path of the wrong value", async () => {
    expect(await call("portable", "broken", {})).toContain('`rooms[1].size` must be a number (got "large")');
    expect(await call("portable", "content", { how: "wrong" })).toContain(
      '`size` must be a number (got "large")',
    );
    expect(await call("portable", "content", { how: "missing" })).toContain(
      "returned no `structuredContent`",
    );
  });

  it("do not affect failures and valid results", async () => {
    expect(await call("portable", "content", { how: "failed" })).toBe("ERROR Full.");
    expect(await call("portable", "content", { how: "right" })).toBe('{"size":1}');
  });

  it("are not explained in production", async () => {
    const stranger = await connect(server, { showErrors: false });
    const { isError, content } = await stranger.callTool("broken");
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).not.toContain("rooms");
  });
});

describe("huge arguments", () => {
  it("are rejected with the limit that they exceed", async () => {
    const places = Array.from({ length: 200_001 }, (_, x) => x);
    await expect(call("portable", "gather", { places })).rejects.toThrow(
      "The message contains too many values (limit 200000).",
    );
  });

  it("are rejected briefly if every item is wrong", async () => {
    const text = await call("portable", "gather", {
      places: Array.from({ length: 90_000 }, (_, x) => `${x}`),
    });
    expect(text.split("\n").length).toBeLessThan(25);
    expect(text).toContain("and many more problems");
  });

  it("are not parsed without bounds from JSON text", async () => {
    const places = JSON.stringify(Array.from({ length: 150_000 }, () => 0));
    expect(await call("portable", "gather", { places })).toContain(
      '`places` must be an array (each an object) (got "[0,0,',
    );
  });

  it("are searched for equal items in one pass", async () => {
    const places = Array.from({ length: 60_000 }, (_, x) => ({ x }));
    expect(await call("portable", "gather", { places })).toBe("60000");
    expect(await call("portable", "gather", { places: [...places, { x: 0 }] })).toContain(
      "`places` must not contain the same item twice",
    );
  });
});
