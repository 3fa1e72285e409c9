import { quoteWord } from "../../create/quote-word.js";
import { filesOf } from "./accompanying-files.js";
import { leftBehindNotes } from "./left-behind-notes.js";
import { imageOf } from "./container-image.js";
import { type Installer, installerOf } from "./docker-installer.js";
import type { MadeForm, ServerParts } from "./package-form.js";
import { repositoryOf } from "../settings/repository.js";

const NODE = "24";
const PORT = "3000";

/** `--docker`: a Dockerfile of two stages, the second of which has nothing but Node and what runs. */
export async function makeDocker(parts: ServerParts): Promise<MadeForm> {
  const { root, settings, manifest, environment, built } = parts;
  const server = await built();
  const { needed } = server;
  const installer = installerOf(root, settings);
  const accompanying = filesOf(root, settings.files ?? []);
  const image = imageOf(settings);
  const variables = environment.filter(({ optional }) => !optional).map(({ name }) => ` -e ${name}`);
  return {
    files: new Map(),
    kept: new Map([
      ["Dockerfile", dockerfile(parts, installer, needed.length > 0, accompanying.entries)],
      [".dockerignore", DOCKERIGNORE],
    ]),
    notes: [
      ...(needed.length > 0
        ? [`The image has ${needed.map(({ name }) => name).join(", ")} in its node_modules.`]
        : []),
      ...installer.notes,
      ...accompanying.notes,
      ...leftBehindNotes(server, accompanying, root),
      ...(manifest.auth === undefined
        ? [
            "Nobody is asked who they are: publish the port on 127.0.0.1 alone, or say who may call, by `auth` in src/server.ts.",
          ]
        : []),
      "Behind a public name, give the container --http --allow-host and that name.",
    ],
    next: [
      [`docker build -t ${quoteWord(image)} .`, "builds the image"],
      [
        `docker run --rm -p 127.0.0.1:${PORT}:${PORT}${variables.join("")} ${quoteWord(image)}`,
        `serves at http://127.0.0.1:${PORT}/mcp`,
      ],
      [
        `docker run --rm -i${variables.join("")} --entrypoint node ${quoteWord(image)} dist/server.js`,
        "serves over stdio",
      ],
      ...(image.startsWith("ghcr.io/") ? [[`docker push ${image}`, "publishes it"] as const] : []),
    ],
  };
}

function dockerfile(
  { settings, registryName }: ServerParts,
  { manifests, install, prune }: Installer,
  needsPackages: boolean,
  data: readonly string[],
): string {
  // Packages with native code come ready for the C library of Debian more often than for that of Alpine.
  const base = `node:${NODE}-${needsPackages ? "slim" : "alpine"}`;
  const labels = labelsOf(settings, registryName);
  return `FROM ${base} AS build
WORKDIR /app
${manifests.map((each) => copyOf(each)).join("\n")}
RUN ${install}
COPY . .
RUN npx tenon build
${needsPackages ? `RUN ${prune}\n` : ""}
FROM ${base}
${labels}ENV NODE_ENV=production HOST=0.0.0.0 PORT=${PORT}
WORKDIR /app
${needsPackages ? "COPY --from=build /app/node_modules ./node_modules" : "# All that the server needs is in dist/: no node_modules."}
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
${data.map((path) => `COPY --from=build /app/${path} ./${path}\n`).join("")}USER node
EXPOSE ${PORT}
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}/healthz\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/server.js"]
CMD ["--http"]
`;
}

/** A folder goes where it is; a file beside package.json. */
function copyOf({ path, isFolder }: Installer["manifests"][number]): string {
  return isFolder ? `COPY ${path} ./${path}` : `COPY ${path} ./`;
}

/** What image registries and the MCP registry look for. */
function labelsOf(settings: ServerParts["settings"], registryName: string | undefined): string {
  const labels = {
    "org.opencontainers.image.source": repositoryOf(settings)?.url,
    "org.opencontainers.image.description": settings.description,
    "org.opencontainers.image.licenses": settings.license,
    "io.modelcontextprotocol.server.name": registryName,
  };
  return Object.entries(labels)
    .flatMap(([name, value]) =>
      value === undefined ? [] : `LABEL ${name}=${JSON.stringify(value).replaceAll("$", "\\$")}\n`,
    )
    .join("");
}

const DOCKERIGNORE = `node_modules
dist
package
.git
.github
.tenon
.env
.env.*
*.log
Dockerfile
.dockerignore
`;
