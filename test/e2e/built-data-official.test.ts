import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildProject } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  combinations,
  runServer,
  type OfficialClient,
  type RunningServer,
} from "../interop/official-clients.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

/** Results of every form, which official clients hold against the schemas that were listed. */
const fixture = join(import.meta.dirname, "../compile/fixtures/manifests/data");
const sources = readdirSync(fixture).filter((file) => file.endsWith(".ts"));

let project: ProjectFolder;
let server: RunningServer;
beforeAll(async () => {
  project = projectFolder(
    Object.fromEntries(sources.map((file) => [`src/${file}`, readFileSync(join(fixture, file), "utf8")])),
  );
  const outDir = join(project.root, "dist");
  await buildProject({ root: project.root, outDir });
  server = runServer(join(outDir, "server.js"));
});
afterAll(async () => {
  await server.stop();
  project.remove();
});

describe.each(combinations)("$name", ({ connect, era }) => {
  let client: OfficialClient;
  beforeAll(async () => {
    client = await connect(server);
    // With the schemas at hand, clients refuse results that do not fit them.
    await client.listTools();
  });
  afterAll(() => client.close());

  it.each<[string, Record<string, unknown>, unknown]>([
    ["pair", {}, [1, "a"]],
    ["line", { from: [0, 0], to: [1, 2], label: ["up", 3] }, { from: [0, 0], to: [1, 2], label: "up 3" }],
    ["row", { cells: ["a", 1, 2] }, ["a", 1, 2]],
    ["days", {}, [[1, "1970-01-01T00:00:00.000Z"]]],
    ["maybe", {}, null],
    ["named", {}, { id: "a" }],
    ["user", {}, { name: "Ada", friends: [{ name: "Grace", friends: [] }] }],
    ["users", {}, { users: [{ name: "Ada", friends: [] }], total: 1 }],
    ["extended", {}, { id: "1", "x-a": "kept" }],
    ["all", {}, expect.objectContaining({ bytes: "AAEC", pairs: [[1, "1970-01-01T00:00:00.000Z"]] })],
  ])("takes the result of %s", async (name, args, expected) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    expect(isError).toBeFalsy();
    const { tools } = await client.listTools();
    const root = tools.find((tool) => tool.name === name)?.outputSchema;
    const isWrapped = era === "legacy" && root?.required?.includes("result") === true;
    expect(structuredContent).toEqual(isWrapped ? { result: expected } : expected);
  });
});
