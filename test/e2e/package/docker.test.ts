import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.js";
import { projectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { validate } from "../../third-party/dockerfiles.js";
import { run as runProgram, upstreamEnvironment } from "../local-registry.js";
import { followDockerfile } from "./dockerfile-steps.js";
import { INSTALLED, NATIVE, WEATHER } from "./sources.js";
import { callText, ERAS, fetchClient, startClient } from "./started-server.js";

/** It installs twice, from a registry that may be slow. */
const INSTALL_MS = 900_000;

let scratch: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "tenon-docker-")));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

/** Returns the problems that the rules of editors find in a Dockerfile. */
const problems = (text: string): string[] => validate(text).map(({ message }) => String(message));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

describe("tenon package --docker", () => {
  it("does not admit anonymous callers if `http.principal` identifies callers", async () => {
    const project = projectFolder({
      ...WEATHER,
      "src/server.ts": `import { defineServer } from "@tenon/runtime";
export default defineServer({ http: { principal: ({ header }) => header("x-verified-user") } });
`,
    });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--docker", "--worker"], terminal)).toBe(0);
    expect(read(project.root, "Dockerfile")).not.toContain("TENON_ALLOW_ANONYMOUS");
    expect(terminal.stdout()).not.toContain("no authentication");
    project.remove();
  });

  it("reports packages of a workspace, which the image cannot install, and names a valid tag", async () => {
    const project = projectFolder({
      "shared/package.json": '{ "name": "@ws/shared", "version": "1.0.0" }',
      "server/package.json": JSON.stringify({
        name: "server",
        version: "1.0.0+build.7",
        type: "module",
        dependencies: { "@ws/shared": "^1.0.0", "@ws/copied": "file:../copied" },
      }),
      "server/src/weather.ts": WEATHER["src/weather.ts"],
    });
    const root = join(project.root, "server");
    mkdirSync(join(root, "node_modules/@ws"), { recursive: true });
    symlinkSync("../../../shared", join(root, "node_modules/@ws/shared"));
    const terminal = recordingTerminal(root);
    expect(await run(["package", "--docker"], terminal)).toBe(0);
    const out = terminal.stdout().replaceAll(/\s+/g, " ");
    expect(out).toContain("the image also needs @ws/shared and @ws/copied from other folders.");
    expect(out).not.toContain("lock file");
    expect(out).toContain("docker build -t server:1.0.0-build.7 .");
    project.remove();
  });

  it(
    "creates an image of a new project that serves and reports its health",
    async () => {
      const env = upstreamEnvironment();
      const root = join(scratch, "made");
      const terminal = recordingTerminal(scratch);
      expect(
        await run(["create", "made", "--template", "minimal", "--yes", "--no-install", "--no-git"], terminal),
      ).toBe(0);
      writeFileSync(join(root, ".env"), "SECRET=1");
      await runProgram("npm", ["install", "--no-audit", "--no-fund"], root, env);
      const packaging = recordingTerminal(root);
      expect(await run(["package", "--docker"], packaging)).toBe(0);
      const shown = packaging
        .stdout()
        .replaceAll(/in \d+\.\d s/g, "in 0.0 s")
        .replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");
      expect(shown).toMatchInlineSnapshot(`
      "✓ made 0.1.0: 1 tool, 1 prompt, and 1 resource in 0.0 s

      --docker
        Dockerfile  0.0 kB
        .dockerignore  0.0 kB
        The server has no authentication, so the Dockerfile sets TENON_ALLOW_ANONYMOUS: publish the port
          only on 127.0.0.1, or set \`auth\` in src/server.ts and remove that variable.
        To serve under a public name, start the container with --http --allow-host and that name.

        docker build -t made:0.1.0 .
          builds the image
        docker run --rm -p 127.0.0.1:3000:3000 made:0.1.0
          serves at http://127.0.0.1:3000/mcp
        docker run --rm -i --entrypoint node made:0.1.0 dist/server.js
          serves over stdio
      "
    `);
      const text = read(root, "Dockerfile");
      expect(text).toMatchInlineSnapshot(`
        "FROM node:24-alpine AS build
        WORKDIR /app
        COPY package.json ./
        COPY package-lock.json ./
        COPY vendor ./vendor
        RUN npm ci --no-audit --no-fund
        COPY . .
        RUN npx tenon build

        FROM node:24-alpine
        ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
        # The server has no authentication: anyone who can reach the port can call it. Remove this when you set \`auth\`.
        ENV TENON_ALLOW_ANONYMOUS=true
        WORKDIR /app
        # dist/ contains everything that the server needs; it has no node_modules.
        COPY --from=build /app/package.json ./
        COPY --from=build /app/dist ./dist
        USER node
        EXPOSE 3000
        HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}/healthz\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
        ENTRYPOINT ["node", "dist/server.js"]
        CMD ["--http"]
        "
      `);
      expect(problems(text)).toEqual([]);

      const image = await followDockerfile(root, join(scratch, "stages"), env);
      const app = join(image.root, image.workdir);
      expect(readdirSync(app).sort()).toEqual(["dist", "package.json"]);
      expect(existsSync(join(scratch, "stages/build/app/.env"))).toBe(false);
      expect(image).toMatchObject({
        user: "node",
        env: { NODE_ENV: "production", HOST: "0.0.0.0", PORT: "3000", TENON_ALLOW_ANONYMOUS: "true" },
      });

      const port = String(await freePort());
      const container = { ...env, ...image.env, PORT: port, HOST: "127.0.0.1" };
      const isHealthy = (): boolean =>
        spawnSync(image.health[0] ?? "", image.health.slice(1), { cwd: app, env: container }).status === 0;
      expect(isHealthy()).toBe(false);
      const [program = "", ...args] = image.command;
      const server = spawn(program, args, { cwd: app, env: container, stdio: "ignore" });
      const ended = once(server, "exit");
      try {
        await eventually(() => expect(isHealthy()).toBe(true));
        for (const era of ERAS) {
          const client = await fetchClient(`http://127.0.0.1:${port}/mcp`, fetch, era);
          expect(await callText(client, "greet", { name: "Ada" })).toContain("Ada");
          await client.close();
        }
      } finally {
        server.kill("SIGTERM");
      }
      expect((await ended)[0]).toBe(0);
      const client = await startClient({ command: "node", args: ["dist/server.js"], cwd: app });
      expect(await callText(client, "greet", { name: "Ada" })).toContain("Ada");
      await client.close();
    },
    INSTALL_MS,
  );

  it("leaves an existing Dockerfile unchanged", async () => {
    const project = projectFolder({ ...WEATHER, Dockerfile: "FROM scratch\n" });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--docker"], terminal)).toBe(0);
    expect(terminal.stdout()).toContain("  Dockerfile was not changed. Replace it with --force.\n");
    expect(read(project.root, "Dockerfile")).toBe("FROM scratch\n");
    expect(await run(["package", "--docker", "--force"], terminal)).toBe(0);
    expect(read(project.root, "Dockerfile")).toContain("FROM node:");
    project.remove();
  });

  it.each([
    [
      "package-lock.json",
      {},
      "RUN npm ci --no-audit --no-fund",
      "RUN npm prune --omit=dev --no-audit --no-fund",
    ],
    [
      "pnpm-lock.yaml",
      { packageManager: "pnpm@10.2.0+sha512.abc" },
      "RUN npm install --global pnpm@10.2.0 && pnpm install --frozen-lockfile",
      "RUN pnpm prune --prod",
    ],
    [
      "yarn.lock",
      {},
      "RUN npm install --global --force yarn@1 && yarn install --frozen-lockfile",
      "RUN yarn install --production --ignore-scripts --prefer-offline",
    ],
    [
      "yarn.lock",
      { packageManager: "yarn@4.18.1" },
      "RUN npm install --global --force @yarnpkg/cli-dist@4.18.1 && yarn install --immutable",
      "RUN yarn workspaces focus --production",
    ],
    [
      "bun.lock",
      {},
      "RUN npm install --global bun@latest && bun install --frozen-lockfile",
      "RUN rm -rf node_modules && bun install --production --frozen-lockfile",
    ],
  ])("installs with %s %j, including native packages", async (lockFile, settings, install, prune) => {
    const project = projectFolder(
      {
        ...NATIVE,
        [lockFile]: "",
        "data/a.txt": "a",
        "vendor/x.tgz": "",
        "package.json": JSON.stringify({
          name: "sample",
          version: "1.0.0",
          type: "module",
          description: 'Costs "$5"',
          files: ["data"],
          dependencies: { "native-thing": "file:vendor/x.tgz" },
          ...settings,
        }),
      },
      INSTALLED,
    );
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--docker"], terminal)).toBe(0);
    expect(terminal.stdout()).toContain("The image contains native-thing in node_modules.\n");
    expect(terminal.stdout()).not.toContain("Not included");
    const text = read(project.root, "Dockerfile");
    expect(problems(text)).toEqual([]);
    const lines = text.split("\n");
    expect(lines.slice(0, 9)).toEqual([
      "FROM node:24-slim AS build",
      "WORKDIR /app",
      "COPY package.json ./",
      `COPY ${lockFile} ./`,
      "COPY vendor ./vendor",
      install,
      "COPY . .",
      "RUN npx tenon build",
      prune,
    ]);
    expect(lines).toContain("COPY --from=build /app/node_modules ./node_modules");
    expect(lines).toContain("COPY --from=build /app/data ./data");
    expect(lines).toContain('LABEL org.opencontainers.image.description="Costs \\"\\$5\\""');
    project.remove();
  });
});
