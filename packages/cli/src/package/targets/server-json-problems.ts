import type { PackageSettings, SettingProblem } from "../settings/package-settings.js";
import type { RegistryPackage, ServerJson } from "./server-json.js";

/** The only member of `_meta` that publishers may set, and its limit as JSON. */
const PUBLISHER_KEY = "io.modelcontextprotocol.registry/publisher-provided";
const MAX_PUBLISHER_BYTES = 4096;

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const REMOTE_TYPES: ReadonlySet<unknown> = new Set(["streamable-http", "sse"]);

/**
 * Finds everything that the MCP registry rejects in a server.json.
 *
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
export function findServerJsonProblems(
  serverJson: ServerJson,
  { mcpName, version }: PackageSettings,
): SettingProblem[] {
  const { name, packages = [], remotes = [] } = serverJson;
  const own = Object.keys(Object(serverJson["_meta"])).filter((each) => each !== PUBLISHER_KEY);
  const published = Buffer.byteLength(JSON.stringify(Object(serverJson["_meta"])[PUBLISHER_KEY]) ?? "");
  return [
    ...(mcpName === undefined || name === mcpName
      ? []
      : [
          createProblem(
            `server.json has the name \`${name}\`, but package.json has \`${mcpName}\` (mcpName).`,
            "Write the same name in both, since it proves that the package is yours.",
          ),
        ]),
    ...(EXACT_VERSION.test(serverJson.version)
      ? []
      : [
          createProblem(
            `The version \`${serverJson.version}\` in server.json is not exact.`,
            `Write three numbers, such as "version": "${version !== undefined && EXACT_VERSION.test(version) ? version : "1.0.0"}".`,
          ),
        ]),
    ...packages.flatMap(findPackageProblems),
    ...(packages.length + remotes.length > 0
      ? []
      : [
          createProblem(
            "server.json names no package and no URL.",
            "Run `tenon package --npx --registry`, or `tenon package --registry --url` with the address of the server.",
          ),
        ]),
    ...remotes.flatMap((each) => findRemoteProblems(each as { type?: unknown; url?: unknown })),
    ...own.map((each) =>
      createProblem(
        `\`_meta\` in server.json contains \`${each}\`, which the MCP registry removes.`,
        `Put it under \`${PUBLISHER_KEY}\`.`,
      ),
    ),
    ...(published <= MAX_PUBLISHER_BYTES
      ? []
      : [
          createProblem(
            `\`_meta\` in server.json has ${published} bytes; the MCP registry accepts at most ${MAX_PUBLISHER_BYTES}.`,
            "Shorten it.",
          ),
        ]),
  ];
}

function findPackageProblems({ identifier, version, transport }: RegistryPackage): SettingProblem[] {
  return [
    ...(version === undefined || EXACT_VERSION.test(version)
      ? []
      : [
          createProblem(
            `The version \`${version}\` of the package \`${identifier}\` in server.json is not exact.`,
            "Write the version that is published, not a range or `latest`.",
          ),
        ]),
    ...(Object(transport).type === undefined
      ? [
          createProblem(
            `The package \`${identifier}\` in server.json has no \`transport\`.`,
            'Add "transport": { "type": "stdio" }, or run `tenon package --registry`.',
          ),
        ]
      : []),
  ];
}

function findRemoteProblems({ type, url }: { type?: unknown; url?: unknown }): SettingProblem[] {
  const isValid = REMOTE_TYPES.has(type) && typeof url === "string" && URL.canParse(url);
  return isValid
    ? []
    : [
        createProblem(
          `A remote in server.json is invalid: ${JSON.stringify({ type, url })}.`,
          'Write "type": "streamable-http" and the "url" of the server.',
        ),
      ];
}

function createProblem(message: string, hint: string): SettingProblem {
  return { message, hint };
}
