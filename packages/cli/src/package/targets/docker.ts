import { quoteWord } from "../../terminal/quote-word.js";
import { formatPathArgument } from "../../terminal/path-argument.js";
import { getImageName } from "./container-image.js";
import { type Installer, findInstaller } from "./docker-installer.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";
import { getRepository } from "../settings/repository.js";

const NODE = "24";
const PORT = "3000";

/** Creates the target `--docker`: a Dockerfile with two stages. The second contains only Node and the built server. */
export async function createDocker(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, settings, version, manifest, identifiesCallers, environment, buildOnce } = parts;
  const { needed, accompanying } = await buildOnce();
  const installer = findInstaller(root, settings);
  const image = getImageName(settings, version);
  const variables = environment.filter(({ optional }) => !optional).map(({ name }) => ` -e ${name}`);
  return {
    files: new Map(),
    authorFiles: new Map([
      ["Dockerfile", createDockerfile(parts, installer, needed.length > 0, accompanying.entries)],
      [".dockerignore", DOCKERIGNORE],
    ]),
    notes: [
      ...(needed.length > 0
        ? [`The image contains ${needed.map(({ name }) => name).join(", ")} in node_modules.`]
        : []),
      ...installer.notes,
      ...accompanying.notes,
      ...(identifiesCallers ? [] : [OPEN_TO_ALL]),
      ...(manifest.auth?.conditional ? [CONDITIONAL_AUTH] : []),
      "To serve under a public name, start the container with --http --allow-host and that name.",
    ],
    next: [
      [`docker build -t ${quoteWord(image)} ${formatPathArgument(root, cwd)}`, "builds the image"],
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

const OPEN_TO_ALL =
  "The server has no authentication, so the Dockerfile sets TENON_ALLOW_ANONYMOUS: publish the port only on 127.0.0.1, or " +
  "set `auth` in src/server.ts and remove that variable.";
const CONDITIONAL_AUTH =
  "src/server.ts sets `auth` conditionally. Where it is undefined, the container does not start, unless TENON_ALLOW_ANONYMOUS " +
  "is true.";

/** The lines of a Dockerfile that let a server without authentication accept calls from other machines. */
const ALLOW_ANONYMOUS = `# The server has no authentication: anyone who can reach the port can call it. Remove this when you set \`auth\`.
ENV TENON_ALLOW_ANONYMOUS=true
`;

function createDockerfile(
  { settings, registryName, identifiesCallers }: ServerParts,
  { manifests, install, prune }: Installer,
  needsPackages: boolean,
  dataPaths: readonly string[],
): string {
  // Binaries of packages with native code are more often available for Debian's C library than for Alpine's.
  const base = `node:${NODE}-${needsPackages ? "slim" : "alpine"}`;
  const labels = formatLabels(settings, registryName);
  return `FROM ${base} AS build
WORKDIR /app
${manifests.map((each) => formatCopy(each)).join("\n")}
RUN ${install}
COPY . .
RUN npx tenon build
${needsPackages ? `RUN ${prune}\n` : ""}
FROM ${base}
${labels}ENV NODE_ENV=production HOST=0.0.0.0 PORT=${PORT}
${identifiesCallers ? "" : ALLOW_ANONYMOUS}WORKDIR /app
${needsPackages ? "COPY --from=build /app/node_modules ./node_modules" : "# dist/ contains everything that the server needs; it has no node_modules."}
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
${dataPaths.map((path) => `COPY --from=build /app/${path} ./${path}\n`).join("")}USER node
EXPOSE ${PORT}
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}/healthz\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/server.js"]
CMD ["--http"]
`;
}

/** Returns the line that copies a folder to its own path, or a file next to package.json. */
function formatCopy({ path, isFolder }: Installer["manifests"][number]): string {
  return isFolder ? `COPY ${path} ./${path}` : `COPY ${path} ./`;
}

/** Returns the labels that image registries and the MCP registry read. */
function formatLabels(settings: ServerParts["settings"], registryName: string | undefined): string {
  const labels = {
    "org.opencontainers.image.source": getRepository(settings)?.url,
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
