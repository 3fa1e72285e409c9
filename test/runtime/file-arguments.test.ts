/**
 * Files in arguments, over each transport and in each revision.
 */
import { allFeatures, files as filesFeature } from "@tenon/runtime/features";
import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, LATEST, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFileServer } from "./files/application.js";

const HELLO = Buffer.from("hello").toString("base64");

interface ToolAnswer {
  content: { text: string }[];
  isError?: boolean;
}

/** Calls a tool, and returns the JSON or the text of its result. */
async function call(client: WireClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { content, isError } = (await client.call(name, args)) as unknown as ToolAnswer;
  const text = content[0]?.text ?? "";
  const value: unknown = isError === true || !/^[[{\d]/.test(text) ? text : JSON.parse(text);
  // Some revisions wrap a list.
  return typeof value === "object" && value !== null && "result" in value ? value.result : value;
}

describeTransports(createFileServer, (open) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision });
    });

    test("base64 arrives as a file without a name or a type", async () => {
      expect(await call(client, "read", { file: HELLO })).toEqual({
        name: "file",
        type: "",
        size: 5,
        text: "hello",
        isFile: true,
      });
    });

    test("a data URI names the file and its type", async () => {
      const file = `data:text/plain;charset=utf-8;name=notes%20%C3%A9.txt;base64,${HELLO}`;
      expect(await call(client, "read", { file })).toEqual({
        name: "notes é.txt",
        type: "text/plain;charset=utf-8",
        size: 5,
        text: "hello",
        isFile: true,
      });
    });

    test("the limits of a file are checked, and named", async () => {
      expect(await call(client, "readNotes", { notes: ["data:text/csv,a,b"] })).toMatchObject([
        { text: "a,b" },
      ]);
      expect(await call(client, "readNotes", { notes: ["data:text/csv,0123456789ab"] })).toContain(
        "`notes[0]` must be a file of at most 10 bytes, but is 12 bytes (got ",
      );
    });

    test("a prompt receives files, too", async () => {
      const args = { file: `data:text/plain;name=a.txt,hi` };
      const { messages } = await client.result("prompts/get", { name: "discuss", arguments: args });
      expect(messages).toMatchObject([{ content: { text: "Discuss a.txt: hi" } }]);
    });
  });

  describe("in the newest revision", () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: LATEST });
    });

    test.each([
      ["no base64", "hello!", "must be base64, or a data URI"],
      ["no base64 in a data URI", "data:text/plain;base64,hello!", "must be base64, or a data URI"],
      ["base64 of the wrong length", "aGVsbG8", "must be base64, or a data URI"],
      ["a data URI without data", "data:text/plain", "must have a comma before the data of its data URI"],
      ["a data URI with spaces", "data:,a b", "must have percent-encoded data in its data URI"],
      ["a data URI with half a percent code", "data:,%4", "must have percent-encoded data in its data URI"],
      ["a URL", "https://example.com/a.txt", "must be base64, or a data URI"],
      ["a number", 5, "must be a string"],
    ])("a file is rejected: %s", async (_case, file, problem) => {
      expect(await call(client, "read", { file })).toContain(`\`file\` ${problem}`);
    });

    test.each([
      ["percent-encoded data", "data:text/plain,caf%C3%A9%2C", { text: "café,", size: 6 }],
      ["no type", "data:,a", { type: "", text: "a" }],
      ["an empty file", "data:text/plain;base64,", { size: 0 }],
      ["no content at all", "", { size: 0, type: "" }],
      ["capital letters", `DATA:Text/PLAIN;BASE64,${HELLO}`, { type: "text/plain", text: "hello" }],
      ["a path as its name", "data:;name=..%2F..%2Fetc%2Fpasswd,a", { name: "passwd" }],
      ["a Windows path as its name", "data:;name=C%3A%5Ca.txt,a", { name: "a.txt" }],
      ["dots as its name", "data:;name=..,a", { name: "file" }],
      ["control characters in its name", "data:;name=a%00%0Ab%E2%80%AE.txt,a", { name: "ab.txt" }],
      ["half a percent code in its name", "data:;name=100%,a", { name: "100%" }],
    ])("a file is accepted with %s", async (_case, file, facts) => {
      expect(await call(client, "read", { file })).toMatchObject(facts);
    });

    test("a file is a `Blob` where the type is one, and `null` stays `null`", async () => {
      expect(await call(client, "readBlob", { blob: "data:a/b,x", spare: null })).toMatchObject([
        { type: "a/b", text: "x" },
      ]);
      expect(await call(client, "readBlob", { blob: HELLO, spare: HELLO })).toHaveLength(2);
    });

    test("base64 without a type receives the only accepted type", async () => {
      expect(await call(client, "readPicture", { picture: HELLO })).toBe("image/png");
      expect(await call(client, "readPicture", { picture: "data:image/jpeg,x" })).toContain(
        '`picture` must be a file of type image/png, but has the type "image/jpeg"',
      );
    });

    test("base64 is rejected if several types are accepted", async () => {
      expect(await call(client, "readNotes", { notes: [HELLO] })).toContain(
        '`notes[0]` must be a file of type text/plain or text/csv; specify its type in a data URI, such as "data:text/plain;base64,…"',
      );
    });

    test("the schema rejects a file that is far too large, with its size", async () => {
      expect(await call(client, "readNotes", { notes: ["a".repeat(4000)] })).toContain(
        "`notes[0]` must be a file of at most 10 bytes (got ",
      );
    });

    test("several megabytes arrive whole, and as a stream", async () => {
      const file = Buffer.alloc(2_000_000, 7).toString("base64");
      expect(await call(client, "stream", { file })).toBe(2_000_000);
    });
  });
});

test("only a server with files contains the code that reads them", () => {
  expect(createFileServer().features).toContain(filesFeature);
  expect(allFeatures).toContain(filesFeature);
});
