/** A name as long as the protocol allows. */
export const LONG_NAME = "a".repeat(128);

/** The source of a server with many tools, long text, and large data. */
export const HEAVY_SERVER = `import { Prompt, Resource, Tool, type Content, type PromptResult, type ToolResult } from "@tenon/runtime";

export class Heavy {
  static wiped = 0;

  /** A megabyte of text, with a line at its end. */
  @Tool({ readOnly: true })
  megabyte(): string {
    return \`# Much\\n\${"0123456789abcde\\n".repeat(65536)}the end\`;
  }

  /** Rows, and a string of a megabyte. */
  @Tool({ readOnly: true })
  wide(): { note: string; rows: { id: number }[] } {
    return { note: "x".repeat(1048576), rows: Array.from({ length: 2000 }, (_, id) => ({ id })) };
  }

  /** A picture of 5 MB. */
  @Tool({ readOnly: true })
  photo(): Content {
    const side = 1300;
    const bytes = Buffer.alloc(54 + side * side * 3, 120);
    bytes.write("BM");
    bytes.fill(0, 2, 54);
    bytes.writeUInt32LE(bytes.length, 2);
    bytes.writeUInt32LE(54, 10);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(side, 18);
    bytes.writeInt32LE(side, 22);
    bytes.writeUInt16LE(1, 26);
    bytes.writeUInt16LE(24, 28);
    return { type: "image", mimeType: "image/bmp", data: bytes.toString("base64") };
  }

  /** من اليمين إلى اليسار */
  @Tool({ readOnly: true })
  arabic(text: string): string {
    return text;
  }

  /** Says where it comes from. */
  @Tool({ readOnly: true })
  traced(): ToolResult {
    return {
      content: [{ type: "resource", resource: { uri: "mem://inside", mimeType: "text/plain", text: "from within" } }],
      _meta: { "example.com/trace": "4bf92f" },
    };
  }

  /** Removes everything. */
  @Tool({ destructive: true })
  wipe(): number {
    return (Heavy.wiped += 1);
  }

  /** Has a long name. */
  @Tool({ readOnly: true })
  ${LONG_NAME}(): string {
    return "long";
  }

  /** @mimeType text/plain */
  @Resource("mem://inside")
  inside(): string {
    return "read again";
  }

  /** @mimeType text/plain */
  @Resource("room://{floor}/{door}", {
    complete: { door: (typed, { floor }) => ["a", "b"].map((door) => \`\${floor ?? "?"}\${door}\`) },
  })
  room(floor: string, door: string): string {
    return \`Room \${door} of floor \${floor}\`;
  }

  /** Shows a picture. */
  @Prompt()
  look(): PromptResult {
    const data = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI2NCIgaGVpZ2h0PSI2NCIvPg==";
    return {
      messages: [{ role: "user", content: { type: "image", mimeType: "image/svg+xml", data } }],
    };
  }
}

export class Many {
${Array.from(
  { length: 500 },
  (_, index) => `  /** Tool number ${index}. */
  @Tool({ readOnly: true }) tool${index}(): number { return ${index}; }`,
).join("\n")}
}
`;
