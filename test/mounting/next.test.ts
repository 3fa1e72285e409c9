/** The recipe for Next.js: a server that `tenon build` has built, in an application that `next build` has built. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProject } from "@tenon/cli";
import { describeMounted, type Mounted } from "./mounted-server.js";
import { projectFolder } from "../support/project-folder.js";

const runtime = join(import.meta.dirname, "../../packages/runtime");

/** The versions with which the recipe is tried. */
const DEPENDENCIES = { next: "16.4.6", react: "19.2.0", "react-dom": "19.2.0" };

/** The tools of `server.ts`, as an author writes them. */
const TOOLS = `
  import { type Context, Tool } from "@tenon/runtime";

  export class Tools {
    #started = 0;
    #stopped = 0;

    /** Counts, and reports each step. */
    @Tool()
    async count(ctx: Context): Promise<string> {
      for (const step of [1, 2, 3]) {
        ctx.progress(step, 3);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return \`\${ctx.principal?.subject} at \${ctx.address}\`;
    }

    /** Waits until its caller disconnects. */
    @Tool()
    wait({ signal }: Context): Promise<string> {
      this.#started++;
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          this.#stopped++;
          reject(signal.reason);
        });
      });
    }

    /** The numbers of calls that have started to wait and that were cancelled. */
    @Tool()
    waits(): string {
      return JSON.stringify([this.#started, this.#stopped]);
    }
  }
`;

const CONFIGURATION = `
  import { defineServer } from "@tenon/runtime";
  import { InvalidTokenError, oauth } from "@tenon/runtime/auth";

  const [resource, issuer] = ["https://mcp.example.com/mcp", "https://login.example.com"];

  export default defineServer({
    limits: { maxBodyBytes: 10_000 },
    auth: oauth({
      resource,
      issuer,
      verify: async (token) => {
        if (token !== "a-token-of-ada") throw new InvalidTokenError("There is no such token.");
        return { sub: "ada", iss: issuer, aud: resource, exp: 4_000_000_000 };
      },
    }),
  });
`;

/** Environment without the recorder of messages, which cannot read the compressed responses of the application. */
const env = { ...process.env, NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

async function mount(): Promise<Mounted> {
  const project = projectFolder({ "src/tools.ts": TOOLS, "src/server.ts": CONFIGURATION });
  await buildProject({ root: project.root });
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "tenon-next-")));
  cpSync(join(project.root, "dist"), join(cwd, "dist"), { recursive: true });
  project.remove();
  cpSync(join(import.meta.dirname, "recipes/next"), cwd, { recursive: true });
  const manifest = { name: "app", private: true, type: "module", dependencies: DEPENDENCIES };
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], { cwd, env });
  for (const part of ["package.json", "dist"]) {
    cpSync(join(runtime, part), join(cwd, "node_modules/@tenon/runtime", part), { recursive: true });
  }
  const next = join(cwd, "node_modules/next/dist/bin/next");
  execFileSync(process.execPath, [next, "build"], { cwd, env, stdio: "ignore" });
  const child = spawn(process.execPath, [next, "start", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd,
    env,
  });
  return {
    origin: await findOrigin(child),
    close: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** Waits for the address that an application prints. */
async function findOrigin({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of stdout ?? []) {
    output += String(chunk);
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (origin !== undefined && output.includes("Ready")) return origin;
  }
  throw new Error(`Next.js did not start:\n${output}`);
}

describeMounted("Next.js", mount);
