/** The views of the project in this folder, as its built server serves them. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildProject, type BuiltProject } from "@tenon/cli";
import type { Server } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { thirdParty } from "../third-party/installed.js";

const EXTENSION = "io.modelcontextprotocol/ui";

/** Capabilities of a client that shows views. */
export const SHOWS_VIEWS = { extensions: { [EXTENSION]: { mimeTypes: ["text/html;profile=mcp-app"] } } };

export interface BuiltViews {
  root: string;
  built: BuiltProject;
  server: Server;
  client: TestClient;
  /** Returns the HTML of a tool's view. */
  read(tool: string): Promise<string>;
  remove(): Promise<void>;
}

/** Copies the project, with the packages that it needs. Returns its folder. */
export function copyProject(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-views-")));
  cpSync(join(import.meta.dirname, "project"), root, { recursive: true });
  const packages = join(root, "node_modules");
  mkdirSync(join(packages, "@types"), { recursive: true });
  const workspace = join(import.meta.dirname, "../../node_modules");
  for (const name of ["@tenon", "preact", "vitest", "happy-dom", "@types/node"])
    symlinkSync(join(workspace, name), join(packages, name));
  for (const name of ["react", "react-dom", "@types/react", "@types/react-dom", "playwright-core"])
    symlinkSync(thirdParty(name), join(packages, name));
  return root;
}

/** Builds the project and connects to it as a client that shows views. */
export async function buildViews(): Promise<BuiltViews> {
  const root = copyProject();
  const built = await buildProject({ root });
  const { server } = (await import(pathToFileURL(join(root, "dist/app.js")).href)) as { server: Server };
  const client = await connect(server, { capabilities: SHOWS_VIEWS });
  return {
    root,
    built,
    server,
    client,
    async read(tool) {
      const tools = await client.listTools();
      const ui = tools.find(({ name }) => name === tool)?._meta?.["ui"] as { resourceUri: string };
      const { contents } = await client.readResource(ui.resourceUri);
      const [content] = contents;
      return content && "text" in content ? content.text : "";
    },
    async remove() {
      await client.close();
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
