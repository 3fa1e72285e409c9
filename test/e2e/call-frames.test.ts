/**
 * The frames of Tenon that an author sees below a method, at a breakpoint or in a trace: of a server as it is built, over
 * real transports, from the socket up. Frames after an `await` count as well.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { WireClient } from "../support/wire-client.js";
import { httpWire, stdioWire } from "../support/wires.js";

const MAX_FRAMES = 10;

const SOURCE = `
  import { Tool } from "@tenon/runtime";
  Error.stackTraceLimit = 100;
  export class Probe {
    /** The stack at a method that returns at once. */
    @Tool()
    now(depth: number): string {
      return \`\${new Error().stack} \${depth}\`;
    }

    /** The stack at a method that returns a promise. */
    @Tool()
    async soon(depth: number): Promise<string> {
      return \`\${new Error().stack} \${depth}\`;
    }
  }
`;

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({ "src/probe.ts": SOURCE });
});
afterAll(() => built.remove());

/**
 * Returns the names of the frames of the built server below the method, without those of Node. The name of an anonymous
 * one is empty.
 */
function framesBelow(stack: string): string[] {
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  return frames
    .slice(1)
    .filter((line) => line.includes(`${basename(built.root)}/`))
    .map((line) => /^ {4}at (?:async )?(?:[\w.]+\.)?(#?\w+) \(/.exec(line)?.[1] ?? "");
}

async function expectFewFrames(client: WireClient, tool: string): Promise<void> {
  const { content } = (await client.call(tool, { depth: 1 })) as { content: { text: string }[] };
  const frames = framesBelow(content[0]?.text ?? "");
  expect(frames[0]).toBe("invokeMethod");
  expect(frames.length, frames.join(", ")).toBeLessThanOrEqual(MAX_FRAMES);
  expect(frames).not.toContain("");
  expect(frames).not.toContain("anonymous");
}

describe.each(["2025-11-25", "2026-07-28"])(
  "a method of a plain tool at %s has few stack frames below it",
  (revision) => {
    test.each(["now", "soon"])("over stdio: %s", async (tool) => {
      const wire = stdioWire(built.program);
      const client = new WireClient(wire, { revision });
      await client.open();
      await expectFewFrames(client, tool);
      // The first call may have loaded what the others find.
      await expectFewFrames(client, tool);
      await wire.close();
    });

    test.each(["now", "soon"])("over HTTP: %s", async (tool) => {
      const child = spawn(process.execPath, [built.program, "--http", "--port", "0"]);
      const [announced] = (await once(child.stderr, "data")) as [Buffer];
      const [url = ""] = /http:\S+/.exec(announced.toString()) ?? [];
      const client = new WireClient(httpWire(url, fetch), { revision });
      await client.open();
      await expectFewFrames(client, tool);
      // The first call may have loaded what the others find.
      await expectFewFrames(client, tool);
      child.kill("SIGTERM");
      await once(child, "exit");
    });
  },
);
