/**
 * The same class, served by Tenon and by the official SDK, receives the same generated requests over HTTP. Where
 * the responses differ, `intended.ts` lists the reason; any other difference fails.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Difference, findDifferences, exchange } from "./compare.js";
import { findExplanation, type Intended, intended } from "./intended.js";
import { generateRequests, LEGACY } from "./requests.js";
import { serveOfficial, serveTenon, type Subject } from "./servers.js";

const COUNT = 500;
const SEED = 20_260_728;

describe("compared with the official SDK", () => {
  let tenon: Subject;
  let official: Subject;
  const used = new Set<Intended>();
  beforeAll(async () => {
    [tenon, official] = await Promise.all([serveTenon(), serveOfficial()]);
  });
  afterAll(() => Promise.all([tenon.stop(), official.stop()]));

  test.each(["modern", "legacy"] as const)(
    "a server handles %s requests identically, or differs for a listed reason",
    async (era) => {
      // The official server keeps no sessions; Tenon's legacy clients have one.
      const session = era === "legacy" ? await openSession(tenon.url) : undefined;
      const unexplained: string[] = [];
      let alike = 0;
      for (const sent of generateRequests(era, COUNT, SEED)) {
        const [ours, theirs] = await Promise.all([
          exchange(tenon.url, sent, session),
          exchange(official.url, sent),
        ]);
        const found = findDifferences(sent, ours, theirs);
        if (found.length === 0) alike++;
        for (const difference of found) {
          const explanation = findExplanation(difference);
          if (explanation === undefined) unexplained.push(describeDifference(difference));
          else used.add(explanation);
        }
      }
      expect(unexplained).toEqual([]);
      expect(alike).toBeGreaterThan(COUNT / 3);
    },
  );

  test("every listed reason explains a difference of the server", () => {
    expect(intended.filter((entry) => !used.has(entry)).map((entry) => entry.why)).toEqual([]);
  });
});

async function openSession(url: string): Promise<string> {
  const params = {
    protocolVersion: LEGACY,
    capabilities: {},
    clientInfo: { name: "differential", version: "1.0.0" },
  };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
  });
  await response.text();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error("No session was opened.");
  return session;
}

function describeDifference({ sent, path, ours, theirs }: Difference): string {
  const request = `${sent.era} ${sent.verb} ${sent.body} (${sent.oddity === "" ? "valid" : sent.oddity})`;
  return `${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)} for ${request}`;
}
