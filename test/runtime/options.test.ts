import { Prompt, Resource, type ServerConfig, Tool } from "@tenon/runtime";
import { type Application, createServer } from "@tenon/runtime/server";
import { introspection, jwt, oauth, tokenExchange } from "@tenon/runtime/auth";
import { bullmq } from "@tenon/runtime/bullmq";
import { allFeatures } from "@tenon/runtime/features";
import { fileLinks } from "@tenon/runtime/files";
import { audit, jsonLog } from "@tenon/runtime/log";
import { metrics } from "@tenon/runtime/metrics";
import { redis } from "@tenon/runtime/redis";
import { serverCard } from "@tenon/runtime/server-card";
import { telemetry } from "@tenon/runtime/telemetry";
import { expect, test } from "vitest";
import {
  INVALID_DECORATOR_OPTIONS,
  INVALID_SERVER_OPTIONS,
  nest,
  toSource,
} from "../support/invalid-options.js";

type Kind = keyof typeof INVALID_DECORATOR_OPTIONS;

/** Creates an application with one declaration, whose decorator records these options. */
function createApplication(kind: Kind, options: object, config?: ServerConfig): Application {
  class Served {
    run(id: string): string {
      return id;
    }
  }
  const decorate = {
    Tool: () => Tool(options),
    Prompt: () => Prompt(options),
    Resource: () => Resource("note://{id}", options),
  };
  decorate[kind]()(Served.prototype, "run", {});
  const handler = { module: "src/served.ts", export: "Served", method: "run", parameters: [] };
  const schema = { type: "object" as const, properties: { id: { type: "string" as const } } };
  const validator = { input: () => true };
  return {
    manifest: {
      manifestVersion: 1,
      server: { name: "served", version: "1.0.0" },
      tools:
        kind === "Tool"
          ? [
              {
                definition: { name: "run", inputSchema: schema },
                handler,
                input: {},
                output: { kind: "text" },
              },
            ]
          : [],
      prompts:
        kind === "Prompt"
          ? [{ definition: { name: "run", arguments: [{ name: "id" }] }, handler, input: { schema } }]
          : [],
      resources: [],
      resourceTemplates:
        kind === "Resource"
          ? [{ definition: { name: "run", uriTemplate: "note://{id}" }, handler, input: { schema } }]
          : [],
    },
    classes: { "src/served.ts": { Served } },
    validators: {
      tools: { run: validator },
      prompts: { run: validator },
      resourceTemplates: { "note://{id}": validator },
    },
    features: allFeatures,
    ...(config && { config }),
  };
}

/** Returns the message with which a server does not start; undefined if it starts. */
function startFailure(application: Application): string | undefined {
  try {
    createServer(application);
    return undefined;
  } catch (error) {
    return error instanceof TypeError ? error.message : `not a TypeError: ${String(error)}`;
  }
}

/** Options that only the compiler reads. It requires literals and checks them, so a server does not contain the rules. */
const COMPILED: ReadonlySet<string> = new Set([
  "view",
  "visibility",
  "openai",
  "maxResultChars",
  "profile",
  "dialects",
]);

test.each(Object.entries(INVALID_SERVER_OPTIONS).filter(([path]) => !COMPILED.has(path)))(
  "a server does not start with an invalid %s, and names the option and its value",
  (path, values) => {
    for (const value of values) {
      const message = startFailure(createApplication("Tool", {}, nest(path, value) as ServerConfig));
      expect(message, toSource(value)).toMatch(
        / must be .* \(got .+\)$| is not an option\. Remove it, or use one of: /,
      );
      expect(message?.startsWith(path), `${message} for ${path}: ${toSource(value)}`).toBe(true);
    }
  },
);

const decoratorOptions = Object.entries(INVALID_DECORATOR_OPTIONS).flatMap(([kind, options]) =>
  Object.entries(options).flatMap(([name, values]) =>
    COMPILED.has(name) ? [] : [[kind as Kind, name, values] as const],
  ),
);

test.each(decoratorOptions)("a server does not start with an invalid @%s option %s", (kind, name, values) => {
  for (const value of values) {
    const message = startFailure(createApplication(kind, { [name]: value }));
    expect(message, toSource(value)).toMatch(
      / must be .* \(got .+\)$| is not an option\. Remove it, or use one of: | is never called, since /,
    );
    expect(message?.startsWith(name), `${message} for ${name}: ${toSource(value)}`).toBe(true);
    expect(message).toContain(
      kind === "Resource" ? 'of resource "note://{id}"' : `of ${kind.toLowerCase()} "run"`,
    );
  }
});

const issuer = "https://login.example.com";
const resource = "https://mcp.example.com/mcp";
const client = { clientId: "a", clientSecret: "b" };

/** Functions that create values of `defineServer`, with options that they accept. */
const CREATORS: Record<string, (more: object) => unknown> = {
  audit: (more) => audit({ arguments: true, log: () => {}, ...more }),
  bullmq: (more) => bullmq("redis://h", { attempts: 3, prefix: "p", ...more }),
  fileLinks: (more) => fileLinks({ url: "https://h/files", folder: "f", lifetimeMs: 1, ...more }),
  introspection: (more) => introspection({ url: issuer, ...client, concurrency: 1, ...more }),
  jsonLog: (more) => jsonLog({ level: "warn", fields: {}, write: () => {}, ...more }),
  jwt: (more) => jwt({ jwksUri: issuer, algorithms: ["ES256"], types: ["jwt"], ...more }),
  metrics: (more) => metrics({ port: 1, host: "h", ...more }),
  oauth: (more) => oauth({ issuer, resource, audience: "a", scopes: {}, dpopNonces: false, ...more }),
  redis: (more) => redis("redis://h", { prefix: "p", timeoutMs: 1, waitReplicas: 0, client: {}, ...more }),
  serverCard: (more) => serverCard({ name: "com.example/a", description: "d", url: resource, ...more }),
  telemetry: (more) => telemetry({ remoteParent: true, arguments: true, results: true, ...more }),
  tokenExchange: (more) => tokenExchange({ ...client, issuer, timeoutMs: 1, ...more }),
};

test.each(Object.entries(CREATORS))("%s rejects options that it does not know", (name, create) => {
  create({});
  expect(() => create({ other: 1 })).toThrow(
    new RegExp(`^${name}: \`other\` is not an option\\. Remove it, or use one of: \\w+(, \\w+)+\\.$`),
  );
});

test("options that are undefined are the same as missing", () => {
  const createUndefined = (names: readonly string[]): object =>
    Object.fromEntries(names.map((name) => [name, undefined]));
  for (const path of Object.keys(INVALID_SERVER_OPTIONS)) {
    expect(
      startFailure(createApplication("Tool", {}, nest(path, undefined) as ServerConfig)),
    ).toBeUndefined();
  }
  for (const [kind, options] of Object.entries(INVALID_DECORATOR_OPTIONS)) {
    expect(
      startFailure(createApplication(kind as Kind, createUndefined(Object.keys(options)))),
    ).toBeUndefined();
  }
});
