/**
 * The whole path in one transcript, for a person: builds the weather example, starts it over stdio and over HTTP, and
 * drives it with the official clients. The responses to the first client are shown in full, and the other clients must
 * receive the same. Each message of the server is checked against the specification's schema.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { buildProject } from "@tenon/cli";
import { WireCheck } from "../wire/check.mjs";
import { recordingEnvironment } from "../wire/recorder.mjs";
import { describeCounts } from "../wire/run-folder.mjs";

const example = join(import.meta.dirname, "../../examples/weather");
const entry = join(example, "dist/server.js");
const info = { name: "demo", version: "1.0.0" };
const folder = mkdtempSync(join(tmpdir(), "tenon-wire-"));
const env = recordingEnvironment(folder);

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Requests that every client sends, in order.
 *
 * @type {{ title: string, ask: (client: Client | ModernClient) => Promise<unknown> }[]}
 */
const QUESTIONS = [
  {
    title: "Which tools are there?",
    ask: async (client) =>
      (await client.listTools()).tools.map(({ name, description }) => `${name}: ${description}`),
  },
  {
    title: 'Call the tool `current` with city "Oslo" and units "imperial".',
    ask: async (client) =>
      (await client.callTool({ name: "current", arguments: { city: "Oslo", units: "imperial" } }))
        .structuredContent,
  },
  {
    title: "Call it with a mistake: `citty`. The answer tells a model what to correct.",
    ask: async (client) => {
      const { content } = await client.callTool({ name: "current", arguments: { citty: "Oslo" } });
      return /** @type {{ text: string }[]} */ (content).map(({ text }) => text);
    },
  },
  {
    title: "Which resources are there?",
    ask: async (client) => (await client.listResources()).resources.map(({ uri }) => uri),
  },
  {
    title: "Read the resource climate://Oslo/2024.",
    ask: async (client) =>
      (await client.readResource({ uri: "climate://Oslo/2024" })).contents.map(
        (contents) => /** @type {{ text: string }} */ (contents).text,
      ),
  },
  {
    title: "Get the prompt `plan` for two calm days in Lisbon.",
    ask: async (client) => {
      const args = { city: "Lisbon", mood: "calm", days: "2" };
      const { messages } = await client.getPrompt({ name: "plan", arguments: args });
      return messages.map(
        ({ role, content }) => `${role}: ${/** @type {{ text: string }} */ (content).text}`,
      );
    },
  },
];

/** Returns texts as they are, and data as indented JSON. @param {unknown} answer */
function show(answer) {
  const isTexts = Array.isArray(answer) && answer.every((each) => typeof each === "string");
  const text = isTexts ? answer.join("\n") : JSON.stringify(answer, null, 2);
  say(text.trimEnd().replaceAll(/^(?=.)/gm, "      "));
}

/** @type {unknown[]} The responses to the first client. */
const expected = [];

/**
 * Sends all requests, and shows the responses, or that they equal those to the first client.
 *
 * @param {Client | ModernClient} client
 */
async function converse(client) {
  const isFirst = expected.length === 0;
  for (const [index, { title, ask }] of QUESTIONS.entries()) {
    const answer = await ask(client);
    if (isFirst) {
      expected.push(answer);
      say(`\n   ${title}\n`);
      show(answer);
    } else assert.deepEqual(answer, expected[index], title);
  }
  await client.close();
  if (!isFirst) say(`   The same ${QUESTIONS.length} questions, the same ${QUESTIONS.length} answers.`);
}

/** Starts the server over HTTP on a free port. @returns {Promise<{ url: URL, stop: () => Promise<void> }>} */
async function startHttp() {
  const server = spawn(process.execPath, [entry, "--http", "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env,
  });
  const url = await new Promise((resolve, reject) => {
    let output = "";
    server.stderr.on("data", (chunk) => {
      output += chunk;
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(new URL(found[0]));
    });
    server.once("exit", () => reject(new Error(`The server did not start:\n${output}`)));
  });
  const exited = new Promise((resolve) => {
    server.once("exit", resolve);
  });
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await exited;
    },
  };
}

say("This demo builds a server from one class, and lets the official MCP clients use it in four ways.\n");
const { files = new Map() } = await buildProject({ root: example });
say("1. Build: examples/weather/src/weather.ts");
say(`   became examples/weather/dist/server.js, with ${files.size - 1} other files.`);

say("\n2. A client starts it and talks to it over stdio. SDK 1.x, protocol 2025-11-25:");
const stdio = new Client(info);
await stdio.connect(new StdioClientTransport({ command: process.execPath, args: [entry], env }));
await converse(stdio);

say("\n3. The same over stdio with client 2.x, protocol 2026-07-28:");
const modern = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
await modern.connect(new ModernStdio({ command: process.execPath, args: [entry], env }));
await converse(modern);

const http = await startHttp();
say(`\n4. Over HTTP, at ${http.url}, with SDK 1.x:`);
const session = new Client(info);
await session.connect(new StreamableHTTPClientTransport(http.url));
await converse(session);

say("\n5. Over HTTP with client 2.x:");
const stateless = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
await stateless.connect(new ModernHttp(http.url));
await converse(stateless);
await http.stop();
const check = new WireCheck(folder);
const problems = check.problems();
rmSync(folder, { recursive: true });
if (problems.length > 0) throw new Error(problems.join("\n\n"));
say(`\nEvery message of the server keeps to the specification: ${describeCounts(check.counts)}.`);
say(`
Next:
  examples/weather/src/weather.ts                 read the class
  npx tenon inspect examples/weather              see what a client sees
  npx tenon dev examples/weather                  serve it and follow your edits
  node packages/create-mcp-server/bin/create-mcp-server.js ../my-server
                                                  make your own server`);
