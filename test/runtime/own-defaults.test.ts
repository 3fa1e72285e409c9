import { createServer, type Application } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { expect, test } from "vitest";

class Log {
  since({ from, to }: { from?: string; to?: string } = { from: "the start" }): string {
    return `from ${from} to ${to}`;
  }
}

const text = { type: "string" } as const;
const application: Application = {
  manifest: {
    manifestVersion: 1,
    server: { name: "log", version: "1.0.0" },
    tools: [
      {
        definition: {
          name: "since",
          inputSchema: {
            type: "object",
            properties: { from: text, to: text },
          },
        },
        handler: {
          module: "src/log.ts",
          export: "Log",
          method: "since",
          parameters: [{ from: "arguments", omitEmpty: true }],
        },
        input: {},
        output: { kind: "text" },
      },
    ],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
  classes: { "src/log.ts": { Log } },
  validators: { tools: { since: { input: () => true } }, prompts: {}, resourceTemplates: {} },
  config: { log: "off" },
};

test.each([
  ["no arguments", {}, "from the start to undefined"],
  ["null for an argument", { to: null }, "from undefined to null"],
  ["an argument", { to: "today" }, "from undefined to today"],
])(
  "the default of the parameter for all arguments applies as in JavaScript: with %s",
  async (_, args, expected) => {
    const client = await connect(createServer(application));
    expect(await client.callTool("since", args)).toMatchObject({ content: [{ text: expected }] });
    await client.close();
  },
);
