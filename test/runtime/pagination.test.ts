import { describe, expect, test } from "vitest";
import { describeTransports, LATEST, quietServer, REVISIONS } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";
import { createNotebook, Notebook } from "./fixture/notebook.js";

type Item = Record<string, string>;

const LISTS: [method: string, member: string, key: string][] = [
  ["tools/list", "tools", "name"],
  ["prompts/list", "prompts", "name"],
  ["resources/list", "resources", "uri"],
  ["resources/templates/list", "resourceTemplates", "uriTemplate"],
];

/** Returns every page of a list by following cursors to the end. */
async function pages(client: WireClient, method: string): Promise<Record<string, unknown>[]> {
  const found = [await client.result(method)];
  for (let cursor = found[0]?.["nextCursor"]; cursor !== undefined; cursor = found.at(-1)?.["nextCursor"]) {
    found.push(await client.result(method, { cursor }));
  }
  return found;
}

async function connect(server: ReturnType<typeof quietServer>, revision = LATEST): Promise<WireClient> {
  const client = new WireClient(memoryWire(server), { revision });
  await client.open();
  return client;
}

describeTransports(
  () => createFixture({ pageSize: 2 }),
  (open) => {
    describe.each(REVISIONS)("at %s", (revision) => {
      test.each(LISTS)(
        "%s returns each item once, in the order of the whole list",
        async (method, member, key) => {
          const client = await open({ revision });
          const found = await pages(client, method);
          const whole = await (await connect(quietServer(createFixture()), revision)).result(method);
          expect(found.flatMap((page) => page[member])).toEqual(whole[member]);
          const sizes = found.map((page) => (page[member] as Item[]).length);
          expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true);
          expect(sizes.at(-1)).toBeLessThanOrEqual(2);
          expect(
            new Set(found.flatMap((page) => (page[member] as Item[]).map((item) => item[key]))).size,
          ).toBe(sizes.reduce((sum, size) => sum + size));
          expect(new Set(found.map((page) => page["cacheScope"])).size).toBe(1);
        },
      );

      test("an empty cursor requests the first page, and a cursor of another list or an invented one is rejected", async () => {
        const client = await open({ revision });
        for (const [method, member] of LISTS) {
          const first = await client.result(method);
          expect(await client.result(method, { cursor: "" })).toEqual(first);
          const others = LISTS.filter(([, other]) => other !== member);
          const foreign = await Promise.all(
            others.map(async ([other]) => (await client.result(other))["nextCursor"]),
          );
          for (const cursor of ["2", "page-2", "x".repeat(5000), 2, {}, ...foreign.filter(Boolean)]) {
            expect((await client.error(method, { cursor })).code).toBe(-32602);
          }
        }
      });
    });
  },
);

describe("a cursor", () => {
  test("is valid for every process that serves the same lists", async () => {
    const [one, two] = [
      await connect(quietServer(createFixture({ pageSize: 3 }))),
      await connect(quietServer(createFixture({ pageSize: 3 }))),
    ];
    for (const [method] of LISTS) {
      const cursor = (await one.result(method))["nextCursor"];
      if (cursor === undefined) continue;
      expect(await two.result(method, { cursor })).toEqual(await one.result(method, { cursor }));
    }
  });

  test("from another build's list is rejected", async () => {
    const application = createFixture({ pageSize: 3 });
    const { tools } = application.manifest;
    const cursor = (await (await connect(quietServer(application))).result("tools/list"))["nextCursor"];
    const other = { ...application, manifest: { ...application.manifest, tools: tools.slice(1) } };
    const client = await connect(quietServer(other));
    expect((await client.error("tools/list", { cursor })).code).toBe(-32602);
  });

  test("continues at its position when resources are added and removed", async () => {
    const client = await connect(quietServer(createNotebook({ pageSize: 2 })));
    const notes = Notebook.current as Notebook;
    const write = (id: string) => client.call("write", { id, text: id });
    for (const id of ["2", "3", "4", "5"]) await write(id);
    const uris = (page: Record<string, unknown>) => (page["resources"] as Item[]).map(({ uri }) => uri);
    const first = await client.result("resources/list");
    expect(uris(first)).toEqual(["notes://license", "note://1"]);
    const next = await client.result("resources/list", { cursor: first["nextCursor"] });
    expect(uris(next)).toEqual(["note://2", "note://3"]);
    notes.forget("1");
    await write("6");
    const third = await client.result("resources/list", { cursor: next["nextCursor"] });
    expect(uris(third)).toEqual(["note://4", "note://5"]);
    notes.forget("5");
    const last = await client.result("resources/list", { cursor: third["nextCursor"] });
    expect(uris(last)).toEqual(["note://6"]);
    expect(last).not.toHaveProperty("nextCursor");
  });

  test("reads only its page of the thousands that a template lists", async () => {
    const client = await connect(quietServer(createNotebook({ pageSize: 10 })));
    let names = 0;
    let uris = 0;
    const notes = Array.from({ length: 5000 }, (_, id) => ({
      get uri() {
        uris++;
        return `note://${id}`;
      },
      get name() {
        names++;
        return `Note ${id}`;
      },
    }));
    (Notebook.current as Notebook).list = () => notes;
    let cursor: unknown;
    for (let page = 0; page < 100; page++) {
      ({ nextCursor: cursor } = await client.result("resources/list", { cursor }));
      // A new resource shifts all others.
      notes.unshift({ uri: `note://new${page}`, name: "New" });
    }
    expect(names).toBeLessThan(100 * 20);
    // Each URI is compared once, to omit duplicates.
    expect(uris).toBeLessThan(100 * 5000 * 1.1);
  });

  test("does not reveal disabled entries", async () => {
    const client = await connect(quietServer(createNotebook({ pageSize: 2 })));
    const found = await pages(client, "tools/list");
    const names = found.flatMap((page) => (page["tools"] as Item[]).map(({ name }) => name));
    expect(names).toEqual(["lock", "poll", "slow", "storm", "unlock", "write"]);
    await client.call("unlock");
    const cursor = (await client.result("tools/list"))["nextCursor"];
    expect((await client.result("tools/list", { cursor }))["tools"]).toMatchObject([
      { name: "secret" },
      { name: "slow" },
    ]);
  });
});

test.each([0, -1, 1.5, Number.NaN, "2"])(
  "a page size of %s is rejected when the server is created",
  (pageSize) => {
    expect(() => quietServer(createFixture({ pageSize: pageSize as number }))).toThrow(/pageSize must be/);
  },
);
