import pc from "picocolors";
import { describe, expect, it } from "vitest";
// Internal: results of any kind as text, without a tool for each.
import { formatToolResult } from "../../packages/cli/src/call/result-text.js";

describe("the text of a result", () => {
  const paint = pc.createColors(false);
  const data = Buffer.alloc(2048).toString("base64");

  it.each([
    [
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [{ content: [] }, "(no content)"],
    [{ content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } }, '{\n  "a": 1\n}'],
    [
      { content: [{ type: "text", text: '{"a":"1\\r\\n2"}' }], structuredContent: { a: "1\n2" } },
      '{\n  "a": "1\\n2"\n}',
    ],
    [{ content: [{ type: "text", text: "said" }], structuredContent: { a: 1 } }, 'said\n{\n  "a": 1\n}'],
    [{ content: [{ type: "text", text: "said" }], structuredContent: { content: "said" } }, "said"],
    [
      { content: [{ type: "text", text: "1" }], structuredContent: { a: "1", b: "1" } },
      '1\n{\n  "a": "1",\n  "b": "1"\n}',
    ],
    [{ content: [], structuredContent: { content: "" } }, '{\n  "content": ""\n}'],
    [{ content: [{ type: "image", mimeType: "image/png", data }] }, "[image image/png, 2.0 kB]"],
    [{ content: [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }] }, "[audio audio/wav, 3 bytes]"],
    [{ content: [{ type: "resource_link", uri: "a://b", name: "b", title: "B" }] }, "B [link a://b]"],
    [
      { content: [{ type: "resource", resource: { uri: "a://b", mimeType: "text/plain", text: "t" } }] },
      "[resource a://b text/plain]\nt",
    ],
    [
      { content: [{ type: "resource", resource: { uri: "a://b", blob: "AAAA" } }] },
      "[resource a://b, 3 bytes]",
    ],
  ] as const)("is printed for %j", (result, text) => {
    expect(formatToolResult(result as unknown as Parameters<typeof formatToolResult>[0], paint)).toBe(text);
  });
});
