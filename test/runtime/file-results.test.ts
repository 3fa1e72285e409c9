/**
 * Files in results, over each transport and in each revision.
 */
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, LATEST, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFileServer } from "./files/application.js";

const attachment = (name: string): unknown =>
  expect.stringMatching(new RegExp(`^attachment:///[\\w-]{16}/${name}$`)) as unknown;

describeTransports(createFileServer, (open) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision });
    });

    test("a file of text is an embedded resource with its text", async () => {
      const { content } = await client.call("file", { type: "text/csv", text: "a,b" });
      expect(content).toEqual([
        {
          type: "resource",
          resource: { uri: attachment("a%20b.txt"), mimeType: "text/csv", text: "a,b" },
        },
      ]);
    });

    test("a file of bytes is an embedded resource with a blob", async () => {
      const { content } = await client.call("bytes", { type: "application/pdf" });
      expect(content).toEqual([
        {
          type: "resource",
          resource: { uri: attachment("file"), mimeType: "application/pdf", blob: "//4A" },
        },
      ]);
    });

    test("an image is an image, between the other content", async () => {
      const { content } = await client.call("picture");
      expect(content).toEqual([
        { type: "text", text: "A pixel:" },
        { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) as unknown },
        { type: "text", text: "That was it." },
      ]);
    });

    test("audio is sent as audio if the revision supports it", async () => {
      const { content } = await client.call("bytes", { type: "audio/wav" });
      const audio = { type: "audio", mimeType: "audio/wav", data: "//4A" };
      expect(content).toEqual([
        revision === "2024-11-05" ? (expect.objectContaining({ type: "text" }) as unknown) : audio,
      ]);
    });

    test("a resource and a prompt have files, too", async () => {
      const { contents } = await client.result("resources/read", { uri: "files://logo" });
      expect(contents).toEqual([
        {
          uri: "files://logo",
          mimeType: "image/png",
          blob: expect.stringMatching(/^iVBORw0KGgo/) as unknown,
        },
      ]);
      const note = await client.result("resources/read", { uri: "files://notes/7" });
      expect(note["contents"]).toEqual([
        { uri: "files://notes/7", mimeType: "text/markdown", text: "Note 7" },
      ]);
      const csv = {
        type: "resource",
        resource: { uri: attachment("a.csv"), mimeType: "text/csv", text: "a,b" },
      };
      const list = await client.result("prompts/get", { name: "show" });
      expect(list["messages"]).toEqual([
        { role: "user", content: { type: "text", text: "Look:" } },
        { role: "user", content: csv },
      ]);
      const whole = await client.result("prompts/get", { name: "show", arguments: { whole: "true" } });
      expect(whole["messages"]).toEqual([{ role: "user", content: csv }]);
    });
  });

  describe("in the newest revision", () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: LATEST });
    });

    test.each([
      ["application/json", "{}", { text: "{}" }],
      ["image/svg+xml", "<svg/>", { text: "<svg/>" }],
      ["application/atom+xml; charset=utf-8", "<a/>", { text: "<a/>" }],
      ["application/octet-stream", "hi", { blob: "aGk=" }],
      ["", "hi", { blob: "aGk=", mimeType: "application/octet-stream" }],
    ])("the type %j decides between text and bytes", async (type, text, resource) => {
      expect(await client.call("file", { type, text })).toMatchObject({
        content: [{ type: "resource", resource }],
      });
    });

    test("bytes that are not UTF-8 stay bytes, whatever their type", async () => {
      expect(await client.call("bytes", { type: "text/plain" })).toMatchObject({
        content: [{ resource: { blob: "//4A", mimeType: "text/plain" } }],
      });
    });

    test("a path in a file name stays out of the URI", async () => {
      expect(await client.call("file", { type: "text/plain", text: "", name: "../../a?b#c" })).toMatchObject({
        content: [{ resource: { uri: attachment("a%3Fb%23c") } }],
      });
    });

    test("a tool may return a file or text", async () => {
      expect(await client.call("perhaps", { has: true })).toMatchObject({ content: [{ type: "resource" }] });
      expect(await client.call("perhaps", { has: false })).toMatchObject({ content: [{ text: "nothing" }] });
    });

    test("a file that is too large is an error with its size", async () => {
      expect(await client.call("large", { size: 1024 * 1024 })).not.toHaveProperty("isError");
      expect(await client.call("large", { size: 3_000_000 })).toMatchObject({
        isError: true,
        content: [
          {
            text: 'The file "large.bin" is 3 MB in size, but a result may contain files of at most 1 MiB.',
          },
        ],
      });
      expect(await client.call("large", { size: 1024 * 1024 + 1 })).toMatchObject({
        content: [
          {
            text: 'The file "large.bin" is 1,048,577 bytes in size, but a result may contain files of at most 1 MiB.',
          },
        ],
      });
    });

    test("a file that cannot be read fails only its call, even next to one that is too large", async () => {
      for (const size of [1, 3_000_000])
        expect(await client.call("lostAndLarge", { size })).toMatchObject({ isError: true });
      expect(await client.call("perhaps", { has: false })).toMatchObject({ content: [{ text: "nothing" }] });
    });
  });
});

test("`limits.maxEmbeddedFileBytes` changes the limit", async () => {
  const server = createServer(createFileServer({ limits: { maxEmbeddedFileBytes: 10 } }));
  const client = await connect(server);
  expect(await client.callTool("large", { size: 10 })).not.toHaveProperty("isError");
  expect(await client.callTool("large", { size: 11 })).toMatchObject({ isError: true });
  client.close();
  await server.close();
});
