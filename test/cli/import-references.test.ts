/** Documents in several files. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { FOREIGN } from "../wire/recorder.mjs";

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({ "src/.keep": "" });
});
afterAll(() => project.remove());

/** Imports a document, and returns the report. */
async function runImport(target: string, folder: string, ...args: string[]): Promise<string> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["import", target, "--out", `src/${folder}`, ...args], terminal);
  expect({ code, err: terminal.stderr() }).toEqual({ code: 0, err: "" });
  return terminal.stdout().replaceAll(/\s+/g, " ");
}

const readSource = (name: string): string => readFileSync(join(project.root, "src", name), "utf8");

const PARTS: Readonly<Record<string, string>> = {
  "/api/openapi.yaml":
    "openapi: 3.1.0\ninfo: { title: Parts }\npaths:\n  /pets/{id}: { $ref: paths/pet.yaml }\n" +
    "components: { schemas: { Pet: { $ref: 'schemas.json#/Pet' } } }\n",
  "/api/paths/pet.yaml":
    "get:\n  operationId: getPet\n  parameters: [{ $ref: '../parameters.yaml#/id' }]\n" +
    "  responses: { default: { $ref: ../responses/pet.yaml } }\n",
  "/api/parameters.yaml": "id: { name: id, in: path, required: true, schema: { type: integer } }\n",
  "/api/responses/pet.yaml":
    "description: A pet\ncontent:\n  application/json: { schema: { $ref: '../openapi.yaml#/components/schemas/Pet' } }\n",
  "/api/schemas.json": JSON.stringify({
    Pet: {
      type: "object",
      properties: { example: { $ref: "#/Owner" }, parent: { $ref: "#/Pet" } },
    },
    Owner: { type: "object", properties: { name: { type: "string" } } },
  }),
};

describe("references", () => {
  test("are followed to files of the same origin, with the same headers", async () => {
    const tokens = new Set<string | undefined>();
    const server = Object.assign(
      createServer((request, response) => {
        tokens.add(request.headers["x-token"] as string | undefined);
        const text = PARTS[request.url ?? ""];
        response.writeHead(text === undefined ? 404 : 200).end(text);
      }),
      { [FOREIGN]: true },
    );
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await runImport(`${origin}/api/openapi.yaml`, "fetched", "--header", "X-Token: t");
    expect(tokens).toEqual(new Set(["t"]));
    const text = readSource("fetched/parts.ts");
    // A member may be called like a keyword whose contents are data.
    expect(text).toContain("export interface Pet {\n  example?: Owner;\n  parent?: Pet;\n}");
    expect(text).toContain("async getPet({ id }: GetPetArguments, signal: AbortSignal): Promise<Pet>");
    expect(readSource("fetched/api-client.ts")).toContain(`process.env["PARTS_URL"] || "${origin}"`);
  });

  test("are fetched with the user and password of the URL, which neither the output nor the source contains", async () => {
    const authorizations = new Set<string | undefined>();
    const server = Object.assign(
      createServer((request, response) => {
        authorizations.add(request.headers.authorization);
        const text = PARTS[(request.url ?? "").replace(/\?.*/, "")];
        const servers = "servers: [{ url: 'http://ada:hunter2@api.example.com/v1' }]\npaths:\n";
        response.writeHead(text === undefined ? 404 : 200).end(text?.replace("paths:\n", servers));
      }),
      { [FOREIGN]: true },
    );
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await runImport(`http://ada:hunter2@${host}/api/openapi.yaml`, "password");
    expect(authorizations).toEqual(new Set([`Basic ${btoa("ada:hunter2")}`]));
    expect(readSource("password/parts.ts")).not.toContain("hunter2");
    expect(readSource("password/api-client.ts")).toContain('|| "http://api.example.com/v1"');
    const terminal = recordingTerminal(project.root);
    await run(["import", `http://ada:hunter2@${host}/api/none.yaml?key=swordfish`], terminal);
    expect(terminal.stderr()).toContain(`http://${host}/api/none.yaml?key=(secret) returned 404`);
    expect(terminal.stderr()).not.toMatch(/hunter2|swordfish/);
  });

  test.each([
    [["import", "--openapi", "https://ada:hunter2@h:99999/x.json"], "is not a URL"],
    [["import", "https://ada:hunter2@h:99999/mcp"], "is not a URL"],
    [["inspect", "https://ada:hunter2@h:99999/mcp"], "is not a URL"],
    [["import", "--openapi", "http://ada%zz:hunter2@localhost:1/x.json"], "encodes no character"],
  ])("are rejected without the password if their URL is invalid: %j", async (args, problem) => {
    const terminal = recordingTerminal(project.root);
    expect(await run(args, terminal)).toBe(2);
    expect(terminal.stderr()).toContain(problem);
    expect(terminal.stderr()).not.toContain("hunter2");
  });

  test("exclude the password of a base URL, even if its scheme is a variable", async () => {
    const url = "'{scheme}://ada:hunter2@api.example.com', variables: { scheme: { default: https } }";
    const text = PARTS["/api/openapi.yaml"]?.replace("paths:\n", `servers: [{ url: ${url} }]\npaths:\n`);
    project.write(Object.fromEntries(Object.entries(PARTS).map(([path, part]) => [path.slice(1), part])));
    project.write({ "api/openapi.yaml": text ?? "" });
    await runImport("api/openapi.yaml", "scheme");
    expect(readSource("scheme/api-client.ts")).not.toContain("hunter2");
  });

  test("are followed to files next to the document", async () => {
    project.write(Object.fromEntries(Object.entries(PARTS).map(([path, text]) => [path.slice(1), text])));
    await runImport("api/openapi.yaml", "files");
    expect(readSource("files/parts.ts")).toContain("parent?: Pet;");
  });

  test("are reported once if they have no target", async () => {
    project.write({
      "broken.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Broken" },
        paths: {
          "/a": {
            get: {
              parameters: [{ name: "q", in: "query", schema: { $ref: "#/components/schemas/Gone" } }],
              responses: { 200: { $ref: "#/components/responses/Gone" } },
            },
          },
        },
      }),
    });
    const report = await runImport("broken.json", "broken");
    expect(report).toContain("read as if they were empty: #/components/responses/Gone.");
    expect(report).toContain("`$ref` to nothing (#/components/schemas/Gone).");
  });

  test("are followed through hundreds of files", async () => {
    const count = 400;
    const schemas = Array.from({ length: count }, (_, index) => [
      `large/schemas/S${index}.json`,
      JSON.stringify({
        type: "object",
        properties: {
          id: { type: "integer" },
          next: { $ref: `S${index % 20 === 19 ? index - 19 : index + 1}.json` },
        },
      }),
    ]);
    const paths = Array.from({ length: 20 }, (_, index) => {
      const schema = { $ref: `schemas/S${index * 20}.json` };
      const responses = { "200": { description: "", content: { "application/json": { schema } } } };
      return [`/items${index}`, { get: { operationId: `read${index}`, responses } }];
    });
    const document = {
      openapi: "3.1.0",
      info: { title: "Large" },
      paths: Object.fromEntries(paths) as object,
    };
    project.write({ ...Object.fromEntries(schemas), "large/openapi.json": JSON.stringify(document) });
    await runImport("large/openapi.json", "large");
    expect(readSource("large/large.ts").match(/@Tool/g)).toHaveLength(20);
    expect(readSource("large/large.ts").match(/^(?:export )?interface S\d+ /gm)).toHaveLength(count);
  });
});
