/**
 * The whole path in one transcript: builds the weather example, starts it over stdio and over HTTP, and
 * drives it with the official clients. Each message of the server is checked against the specification's schema.
 */
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

/** One line per exchange, long answers cut. @param {string} request @param {unknown} answer */
function show(request, answer) {
  const text = JSON.stringify(answer);
  say(`  → ${request}\n  ← ${text.length > 160 ? `${text.slice(0, 157)}…` : text}`);
}

/** The same conversation for every client and transport. @param {Client | ModernClient} client */
async function converse(client) {
  const { tools } = await client.listTools();
  show(
    "tools/list",
    tools.map((tool) => tool.name),
  );
  const call = { name: "current", arguments: { city: "Oslo", units: "imperial" } };
  show(
    `tools/call current ${JSON.stringify(call.arguments)}`,
    (await client.callTool(call)).structuredContent,
  );
  const mistaken = await client.callTool({ name: "current", arguments: { citty: "Oslo" } });
  show('tools/call current {"citty":"Oslo"}', mistaken.content);
  show(
    "resources/list",
    (await client.listResources()).resources.map((each) => each.uri),
  );
  const { contents } = await client.readResource({ uri: "climate://Oslo/2024" });
  show("resources/read climate://Oslo/2024", contents);
  const prompt = await client.getPrompt({
    name: "plan",
    arguments: { city: "Lisbon", mood: "calm", days: "2" },
  });
  show('prompts/get plan {"city":"Lisbon","mood":"calm","days":"2"}', prompt.messages);
  await client.close();
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

const { written } = await buildProject({ root: example });
say(`Built examples/weather: ${written.length} files in dist/.`);

say("\nstdio, official SDK 1.x (2025-11-25)");
const stdio = new Client(info);
await stdio.connect(new StdioClientTransport({ command: process.execPath, args: [entry], env }));
await converse(stdio);

say("\nstdio, official client 2.x (2026-07-28)");
const modern = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
await modern.connect(new ModernStdio({ command: process.execPath, args: [entry], env }));
await converse(modern);

const http = await startHttp();
say(`\nStreamable HTTP at ${http.url}, official SDK 1.x (2025-11-25)`);
const session = new Client(info);
await session.connect(new StreamableHTTPClientTransport(http.url));
await converse(session);

say(`\nStreamable HTTP at ${http.url}, official client 2.x (2026-07-28)`);
const stateless = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
await stateless.connect(new ModernHttp(http.url));
await converse(stateless);
await http.stop();
const check = new WireCheck(folder);
const problems = check.problems();
rmSync(folder, { recursive: true });
if (problems.length > 0) throw new Error(problems.join("\n\n"));
say(`\n${describeCounts(check.counts)}.`);
say("\nEvery request was answered. The server left cleanly.");
