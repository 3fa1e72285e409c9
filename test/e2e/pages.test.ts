/** Pages of a list: cursors of tools, and of resource templates that list their resources. */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// Internal: two servers with the same keys and lists.
import { createCursors } from "../../packages/runtime/src/call/assembly/call-cursor.js";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { REVISIONS } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire, stdioWire } from "../support/wires.js";

const SOURCES = {
  "src/rows.ts": `
    import { type Cursor, type Page, Resource, Tool } from "@tenon/runtime";
    interface Row { id: number; text: string }
    let read = 0;
    let isClosed = false;
    function* rows(after: number, count = 1_000_000): Generator<Row> {
      isClosed = false;
      try {
        for (let id = after + 1; id <= count; id++) { read++; yield { id, text: "Row " + id }; }
      } finally { isClosed = true; }
    }
    export class Rows {
      /** Lists a million rows. */
      @Tool({ readOnly: true, openWorld: false })
      list(cursor: Cursor<number>, size?: number): Promise<Page<Row>> {
        read = 0;
        return cursor.page(rows(cursor.position ?? 0), { size, position: ({ id }) => id });
      }
      /** Returns what was read, and whether reading has ended. */
      @Tool({ readOnly: true, openWorld: false })
      state(): { read: number; isClosed: boolean } { return { read, isClosed }; }
      /** Lists long strings. */
      @Tool({ readOnly: true, openWorld: false, maxResultChars: 5000 })
      long(count: number, length: number, cursor: Cursor<number>): Promise<Page<string>> {
        const all = Array.from({ length: count }, (_, index) => "x".repeat(length - 1) + index);
        return cursor.page(all.slice(cursor.position ?? 0), { position: (text) => all.indexOf(text) + 1 });
      }
      /** Lists from memory. */
      @Tool({ readOnly: true, openWorld: false })
      slice(filter: { from: number }, page: Cursor): Page<bigint> {
        return page.slice([1n, 2n, 3n, 4n, 5n].slice(filter.from), 2);
      }
      /** Lists with the tokens of another API. */
      @Tool({ readOnly: true, openWorld: false })
      upstream(cursor: Cursor<{ token: string }>): Page<string> {
        const { token } = cursor.position ?? { token: "a" };
        return { items: [token], nextCursor: token === "a" ? cursor.at({ token: "b" }) : undefined };
      }
      /** Has a position of this length, or one that JSON cannot represent. */
      @Tool({ readOnly: true, openWorld: false })
      broken(cursor: Cursor<unknown>, length?: number): Page<string> {
        return { items: ["a"], nextCursor: cursor.at(length === undefined ? undefined : "x".repeat(length)) };
      }
      /** Returns the token of another API instead of a cursor. */
      @Tool({ readOnly: true, openWorld: false })
      async foreign(cursor: Cursor, token?: string): Promise<Page<string>> {
        return { items: ["a"], nextCursor: token ?? cursor.at(1) };
      }
      /** A resource without a template. */
      @Resource("rows://all") all(): string { return "all"; }
      /** A row. */
      @Resource("row://{id}", {
        list: (_caller, cursor: Cursor<number>) =>
          cursor.page([...rows(cursor.position ?? 0, 5)].map(({ id, text }) => ({ uri: "row://" + id, name: text })), {
            size: 2, position: ({ uri }) => Number(uri.slice(6)),
          }),
      })
      row(id: string): string { return id; }
      /** A note. */
      @Resource("note://{id}", { list: () => [{ uri: "note://a", name: "A" }] })
      note(id: string): string { return id; }
      /** Nothing. */
      @Resource("none://{id}", { list: (_caller, cursor) => cursor.slice([]) })
      none(id: string): string { return id; }
    }`,
};

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer(SOURCES);
});
afterAll(() => built.remove());

interface PageResult {
  items: unknown[];
  nextCursor?: string;
}

const WIRES = {
  memory: async () => memoryWire(await built.load("memory")),
  stdio: async () => stdioWire(built.program),
};

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("pages, over %s", (transport) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    let client: WireClient;
    beforeAll(async () => {
      client = new WireClient(await WIRES[transport](), { revision });
      await client.open();
    });
    afterAll(() => client.close());

    const callText = async (name: string, args: object = {}): Promise<string> => {
      const { content } = (await client.call(name, args as Record<string, unknown>)) as {
        content: { text: string }[];
      };
      return content.map(({ text }) => text).join("");
    };
    const callPage = async (name: string, args: object = {}): Promise<PageResult> =>
      JSON.parse(await callText(name, args)) as PageResult;

    test("a page of a million rows reads one row more than it contains, and ends the generator", async () => {
      const first = await callPage("list", { size: 3 });
      expect(first.items).toEqual([1, 2, 3].map((id) => ({ id, text: `Row ${id}` })));
      expect(JSON.parse(await callText("state"))).toEqual({ read: 4, isClosed: true });
      const second = await callPage("list", { size: 1, cursor: first.nextCursor });
      expect(second.items).toEqual([{ id: 4, text: "Row 4" }]);
    });

    test("a page without a size has 100 items", async () => {
      expect((await callPage("list", { cursor: "" })).items).toHaveLength(100);
    });

    test("a page ends before its text exceeds the limit, but has at least one item", async () => {
      const args = { count: 10, length: 1000 };
      const first = await callPage("long", args);
      expect(first.items).toHaveLength(4);
      const rest = await callPage("long", { ...args, cursor: first.nextCursor });
      expect(rest.items[0]).toBe(`${"x".repeat(999)}4`);
      expect(await callText("long", { count: 2, length: 9000 })).toMatch(/^The result has 9,\d+ characters/);
    });

    test("a list in memory is cut into pages", async () => {
      const first = await callPage("slice", { from: 1 });
      expect(first.items).toEqual(["2", "3"]);
      const last = await callPage("slice", { from: 1, page: first.nextCursor });
      expect(last).toEqual({ items: ["4", "5"] });
    });

    test("a position may be any JSON, such as the token of another API", async () => {
      const { nextCursor } = await callPage("upstream");
      expect(nextCursor).not.toContain("token");
      expect(await callPage("upstream", { cursor: nextCursor })).toEqual({ items: ["b"] });
    });

    test.each([
      ["text from the client", () => "2"],
      ["a changed cursor", (cursor: string) => cursor.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
      ["long text", () => "v1.".padEnd(20_000, "A")],
    ])("%s is rejected with a message for the model", async (_, change) => {
      const { nextCursor = "" } = await callPage("list", { size: 3 });
      expect(await callText("list", { cursor: change(nextCursor) })).toBe(
        'Invalid arguments for tool "list": `cursor` is not a cursor of this tool, or has expired. Pass the ' +
          "`nextCursor` of the previous result unchanged, or omit `cursor` to begin with the first page.",
      );
    });

    test("a cursor of another tool is rejected", async () => {
      const { nextCursor } = await callPage("list", { size: 3 });
      expect(await callText("long", { count: 10, length: 9, cursor: nextCursor })).toContain(
        "is not a cursor",
      );
    });

    test("a size below one, and a position that JSON cannot represent or that is very long, are errors of the author", async () => {
      expect(await callText("list", { size: 0 })).toMatch(/^The tool "list" failed/);
      expect(await callText("broken")).toMatch(/^The tool "broken" failed/);
      expect(await callText("broken", { length: 6000 })).not.toMatch(/failed/);
      expect(await callText("broken", { length: 7000 })).toMatch(/^The tool "broken" failed/);
    });

    test("a page with a text that is not a cursor fails immediately, as an error of the author", async () => {
      const { nextCursor: cursor } = await callPage("foreign");
      expect(await callPage("foreign", { cursor })).toMatchObject({ items: ["a"] });
      // With an empty text, some clients request the first page again, and others end.
      for (const token of ["page-2", ""])
        expect(await callText("foreign", { token })).toMatch(/^The tool "foreign" failed/);
    });

    test("resources are listed in pages, beginning with those that have no pages of their own", async () => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const { resources, nextCursor } = (await client.result(
          "resources/list",
          cursor ? { cursor } : {},
        )) as {
          resources: { uri: string }[];
          nextCursor?: string;
        };
        pages.push(resources.map(({ uri }) => uri));
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(pages).toEqual([
        ["rows://all", "note://a", "row://1", "row://2"],
        ["row://3", "row://4"],
        ["row://5"],
      ]);
    });

    test.each(["t0.2", "t9.", "t1.v1.AAAA", "t01."])(
      "the cursor %s of a list of resources is rejected",
      async (cursor) => {
        expect(await client.error("resources/list", { cursor })).toMatchObject({
          code: -32602,
          message: expect.stringContaining("cursor") as string,
        });
      },
    );
  });
});

test("a cursor belongs to its caller", async () => {
  const server = await built.load("callers");
  const connectAs = async (subject: string): Promise<WireClient> => {
    const client = new WireClient(memoryWire(server, subject), { revision: "2026-07-28" });
    await client.open();
    return client;
  };
  const ada = await connectAs("ada");
  const grace = await connectAs("grace");
  const { structuredContent } = (await ada.call("list", { size: 1 })) as { structuredContent: PageResult };
  const args = { size: 1, cursor: structuredContent.nextCursor };
  expect(await ada.call("list", args)).toMatchObject({ structuredContent: { items: [{ id: 2 }] } });
  expect(await grace.call("list", args)).toMatchObject({ isError: true });
});

test("a cursor belongs to the client with which its caller requested the list", async () => {
  const server = await built.load("clients");
  const list = async (name: string, cursor?: string): Promise<unknown> => {
    const client = await connect(server, { principal: { subject: "ada", client: name } });
    return client.callTool("list", { size: 1, ...(cursor && { cursor }) });
  };
  const first = (await list("editor")) as { structuredContent: PageResult };
  const { nextCursor } = first.structuredContent;
  expect(await list("editor", nextCursor)).toMatchObject({ structuredContent: { items: [{ id: 2 }] } });
  expect(await list("phone", nextCursor)).toMatchObject({ isError: true });
});

test("a cursor is valid only for servers of the same name", () => {
  const scope = { list: "tool list number", principal: undefined, maxChars: 0 };
  const [orders, sameOrders, mail] = ["orders", "orders", "mail"].map((name) =>
    createCursors("k".repeat(32), name),
  );
  const cursor = orders?.open("", scope)?.at(7);
  expect(sameOrders?.open(cursor, scope)?.position).toBe(7);
  expect(mail?.open(cursor, scope)).toBeUndefined();
});

test("a list of resources with a text that is not a cursor fails immediately", async () => {
  const foreign = await buildServer({
    "src/rows.ts": `
      import { Resource, type Cursor } from "@tenon/runtime";
      export class Rows {
        /** A row. */
        @Resource("row://{id}", {
          list: async (_caller, _cursor: Cursor) => ({ items: [{ uri: "row://1", name: "1" }], nextCursor: "page-2" }),
        })
        row(id: string): string { return id; }
        /** A note. */
        @Resource("note://{id}", {
          list: async (_caller, _cursor: Cursor) => ({ items: [{ uri: "note://1", name: "1" }], nextCursor: "" }),
        })
        note(id: string): string { return id; }
      }`,
  });
  try {
    const client = await connect(await foreign.load("foreign"));
    await expect(client.listResources()).rejects.toThrow(
      '`nextCursor` is not a cursor of this list (got "page-2"). Create it with `cursor.at(position)`',
    );
  } finally {
    foreign.remove();
  }
});
