import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { connect } from "@tenon/runtime/testing";
import { expect, onTestFinished } from "vitest";
import { buildServer, type BuiltServer } from "../../support/built-server.js";
import { projectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { startRecordedApi, type RecordedApi } from "./recorded-api.js";

/** Imports a document and builds its server. */
export async function buildImported(document: object): Promise<BuiltServer & { report: string }> {
  const project = projectFolder({ "src/.keep": "", "api.json": JSON.stringify(document) });
  const terminal = recordingTerminal(project.root);
  const code = await run(["import", "api.json", "--class", "Service", "--all", "--deprecated"], terminal);
  expect({ code, err: terminal.stderr() }).toEqual({ code: 0, err: "" });
  const sources = ["src/service.ts", "src/api-client.ts"].map((path) => {
    return [path, readFileSync(join(project.root, path), "utf8")] as const;
  });
  project.remove();
  const built = await buildServer(Object.fromEntries(sources));
  return { ...built, report: terminal.stdout() };
}

/** A server that was imported from a document, and the API that it calls. */
export interface ImportedServer {
  readonly api: RecordedApi;
  /** The report of the import. */
  readonly report: string;
  /** Calls a tool, and returns the request that an API received, by default that of the document. */
  call(
    tool: string,
    args: Record<string, unknown>,
    receiver?: RecordedApi,
  ): Promise<RecordedApi["asked"][number]>;
  /** Calls a tool that sends no request, and returns the text of its error. */
  fail(tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/**
 * Imports operations, and serves them.
 *
 * @param createDocument receives the URL of the API
 * @param environment the environment variables while the server loads
 */
export async function serveImported(
  createDocument: (url: string) => object,
  environment: Readonly<Record<string, string>> = {},
): Promise<ImportedServer> {
  const api = await startRecordedApi();
  const built = await buildImported(createDocument(api.url));
  Object.assign(process.env, environment);
  const client = await connect(await built.load());
  for (const name of Object.keys(environment)) delete process.env[name];
  const callTool = async (tool: string, args: Record<string, unknown>): Promise<string | undefined> => {
    const { isError, content } = await client.callTool(tool, args);
    const text = content.map((each) => ("text" in each ? each.text : "")).join("");
    return isError === true ? text : undefined;
  };
  return {
    api,
    report: built.report,
    call: async (tool, args, receiver = api) => {
      const before = receiver.asked.length;
      expect(await callTool(tool, args)).toBeUndefined();
      const request = receiver.asked[before];
      if (request === undefined) throw new Error(`${tool} sent no request.`);
      return request;
    },
    fail: async (tool, args) => {
      const before = api.asked.length;
      const text = await callTool(tool, args);
      expect({ sent: api.asked.length - before, text: typeof text }).toEqual({ sent: 0, text: "string" });
      return String(text);
    },
    close: async () => {
      await client.close();
      api.close();
      built.remove();
    },
  };
}

/** Imports operations, and serves them until the end of the test. */
export async function serveForTest(
  createDocument: (url: string) => object,
  environment?: Readonly<Record<string, string>>,
): Promise<ImportedServer> {
  const server = await serveImported(createDocument, environment);
  onTestFinished(() => server.close());
  return server;
}

/** Returns a function that creates a document with these paths for the URL of an API. */
export function createApi(paths: object, more: object = {}): (url: string) => object {
  return (url) => ({ openapi: "3.1.0", info: { title: "API" }, servers: [{ url }], paths, ...more });
}

/** The responses of an operation that returns nothing. */
export const DONE = { responses: { "204": { description: "Done" } } };
