import { connect } from "@tenon/runtime/testing";
import { beforeAll, describe, expect, test, vi } from "vitest";

describe("library", () => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    vi.stubEnv("LIBRARY_DB", ":memory:");
    const { server } = await import("./dist/app.js");
    client = await connect(server);
  });

  const summary = async (): Promise<unknown> => {
    const { contents } = await client.readResource("library://summary");
    const [first] = contents;
    return first && "text" in first ? JSON.parse(first.text) : undefined;
  };

  test("finds books, however the text is written", async () => {
    const { structuredContent } = await client.callTool("search", { text: "guin", limit: "1" });
    expect(structuredContent).toMatchObject([{ title: "A Wizard of Earthsea" }]);
    expect((await client.callTool("search", { text: "%" })).structuredContent).toEqual([]);
  });

  test("lends a book once", async () => {
    const lent = await client.callTool("lend", { id: 3, borrower: "Ada", due: "2027-01-31" });
    expect(lent.structuredContent).toMatchObject({ id: 3, borrower: "Ada", due: "2027-01-31" });
    const again = await client.callTool("lend", { id: 3, borrower: "Bob", due: "2027-02-28T00:00:00Z" });
    expect(again).toMatchObject({
      isError: true,
      content: [{ text: "Book 3 is lent to Ada until 2027-01-31." }],
    });
    expect((await client.callTool("search", { available: true })).structuredContent).toHaveLength(4);
    const { contents } = await client.readResource("library://books/3");
    expect(contents).toMatchObject([
      { mimeType: "application/json", text: expect.stringContaining('"borrower":"Ada"') },
    ]);
    await client.callTool("return", { id: 3 });
  });

  test("leaves the database untouched by bad input", async () => {
    const before = await summary();
    const book = { title: "Kindred", author: "Octavia E. Butler", year: 1979 };
    const bad = [
      { books: [book, { ...book, title: "" }] },
      { books: [book, { ...book, year: 1979.5 }] },
      { books: [book, { ...book, yaer: 1979 }] },
      { books: [book, { title: "Beloved", author: "Toni Morrison", year: 1987 }] },
      { books: [] },
      { books: "none" },
      { books: [book], shelf: 1 },
      {},
    ];
    for (const args of bad) {
      const { isError } = await client.callTool("add", args);
      expect(isError, JSON.stringify(args)).toBe(true);
    }
    expect(await summary()).toEqual(before);
    await client.callTool("add", { books: [book] });
    expect(await summary()).toEqual({ books: 6, lent: 0 });
  });

  test("reports problems in the database's terms", async () => {
    expect(await client.callTool("remove", { id: 99 })).toMatchObject({
      isError: true,
      content: [{ text: "There is no book 99." }],
    });
    await expect(client.readResource("library://books/none")).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource("library://books/99")).rejects.toMatchObject({
      code: -32602,
      message: "There is no book 99.",
      data: { uri: "library://books/99" },
    });
  });

  test("reads by author, percent-encoded as URIs are", async () => {
    const { contents } = await client.readResource("library://authors/Ursula%20K.%20Le%20Guin/books");
    expect(JSON.parse((contents[0] as { text: string }).text)).toHaveLength(2);
  });

  test("recommends from what is on the shelf", async () => {
    const { messages } = await client.getPrompt("recommend", { mood: "serious", pages: "200" });
    expect(messages).toMatchObject([
      { role: "user", content: { text: expect.stringContaining("about 200 pages") } },
    ]);
  });
});
