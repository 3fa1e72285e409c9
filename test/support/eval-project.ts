import { rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { projectFolder, type ProjectFolder } from "./project-folder.js";
import { recordingTerminal } from "./recording-terminal.js";
import {
  SCRIPTED_KEY,
  startScriptedModel,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedResponse,
} from "./scripted-model.js";

const TRAVEL = `import { Tool } from "@tenon/runtime";
export const OSLO = "Oslo";
export class Travel {
  /** Current weather in a city. */
  @Tool({ readOnly: true }) weather(city: string, units: "metric" | "imperial" = "metric"): string { return city + units; }
  /** Books a trip. */
  @Tool() book(city: string, days: number, from?: Date): string { return city + days + from; }
  /** Shows the offers. */
  @Tool({ readOnly: true, view: "./offers.html" }) offers(): string { return "None."; }
  /** Turns a page of the view. */
  @Tool({ visibility: ["app"] }) turn(page: number): number { return page; }
}
`;

const SERVER = `import { defineServer } from "@tenon/runtime";
export default defineServer({ instructions: "Ask before you book." });
`;

/** The evals of the project. */
export const EVALS = `import { defineEvals } from "@tenon/cli/testing";
import { OSLO } from "../src/travel.js";
export default defineEvals({
  cases: [
    { prompt: "Weather in Oslo?", tool: "weather", arguments: { city: OSLO, units: "metric" } },
    { prompt: "Three days in Rome!", tool: "book", arguments: { city: /rome/i, days: (days) => days === 3 } },
    { prompt: "Tell me a joke.", tool: null },
    { prompt: "What about Oslo?", not: ["book"] },
  ],
});
`;

/** The outcome of `tenon eval`. */
export interface EvalRun {
  code: number;
  out: string;
  err: string;
}

/** A project with evals, and a scripted model that receives its tools. They exist while tests run. */
export interface EvalProject {
  readonly project: ProjectFolder;
  readonly model: ScriptedModel;
  /** The script of the model. Each test begins with `answerWell`. */
  respond(request: ScriptedRequest): ScriptedResponse | Promise<ScriptedResponse>;
  /** Runs `tenon eval` with these variables. Fails if the output contains the key. */
  evaluate(args: readonly string[], env?: Record<string, string>): Promise<EvalRun>;
}

/** Calls the right tool with the right arguments. */
export function answerWell({ prompt }: ScriptedRequest): ScriptedResponse {
  if (prompt.startsWith("Weather")) return { calls: [{ tool: "weather", arguments: { city: "Oslo" } }] };
  if (prompt.startsWith("Three")) return { calls: [{ tool: "book", arguments: { city: "ROME", days: 3 } }] };
  if (prompt.startsWith("What")) return { calls: [{ tool: "weather", arguments: { city: "Oslo" } }] };
  return { text: "Why did the chicken cross the road?" };
}

const VARIABLES = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"];

/** Creates the project and the model before the tests of a file, and removes both afterward. */
export function useEvalProject(): EvalProject {
  let project: ProjectFolder;
  let model: ScriptedModel;
  beforeAll(async () => {
    project = projectFolder({
      "src/travel.ts": TRAVEL,
      "src/server.ts": SERVER,
      "src/offers.html": "<!doctype html><title>Offers</title><p>None.</p>",
      "test/travel.evals.ts": EVALS,
    });
    model = await startScriptedModel((request) => evals.respond(request));
  });
  afterAll(async () => {
    await model.close();
    project.remove();
  });
  beforeEach(() => {
    for (const name of VARIABLES) vi.stubEnv(name, "");
    model.requests.length = 0;
    evals.respond = answerWell;
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(join(project.root, "tenon.evals.json"), { force: true });
  });
  const evals: EvalProject = {
    get project() {
      return project;
    },
    get model() {
      return model;
    },
    respond: answerWell,
    async evaluate(args, env = model.env.openai) {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const terminal = recordingTerminal(project.root);
      const code = await run(["eval", ...args], terminal);
      const [out, err] = [terminal.stdout(), terminal.stderr()];
      expect(out + err).not.toContain(SCRIPTED_KEY);
      return { code, out, err };
    },
  };
  return evals;
}
