import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
// Internal: single steps of `create`, which installs nothing here.
import { CancelledError } from "../../packages/cli/src/create/cancelled-error.js";
import type { CreateContext, Progress, Prompts } from "../../packages/cli/src/create/context.js";
import { toManagerCommand } from "../../packages/cli/src/create/package-manager.js";
import { toPackageName } from "../../packages/cli/src/create/package-name.js";
import {
  buildServer,
  chooseFolder,
  chooseInstall,
  choosePackageName,
  chooseTemplate,
  copyProject,
  installPackages,
  makeFirstCall,
  showNextSteps,
  STEPS,
} from "../../packages/cli/src/create/steps.js";
import { findTemplate, findTemplates } from "../../packages/cli/src/create/templates.js";
import { Failure } from "../../packages/cli/src/terminal/failure.js";

/** A signal that is never aborted. */
const { signal } = new AbortController();

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "tenon-create-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** Returns prompts with these answers, in order. Further questions are an error. */
function createPrompts(...answers: unknown[]): Prompts & { asked: string[] } {
  const asked: string[] = [];
  const next = <T>({ message }: { message: string }): Promise<T> => {
    asked.push(message);
    if (answers.length === 0) throw new Error(`Unexpected question: ${message}`);
    return Promise.resolve(answers.shift() as T);
  };
  return { asked, text: next, select: next, confirm: next };
}

function createProgress(): Progress & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    intro: (text) => lines.push(text),
    note: (text) => lines.push(text),
    async task(label, work, done) {
      const result = await work();
      lines.push(`${label}: ${done(result)}`);
      return result;
    },
    block: (title, block) => lines.push(title, ...block),
    outro: (text) => lines.push(text),
  };
}

const templates = [
  {
    name: "one",
    folder: "/templates/one",
    order: 1,
    description: "the first",
    firstCall: { tool: "greet", arguments: [] },
  },
  {
    name: "two",
    folder: "/templates/two",
    order: 2,
    description: "the second",
    firstCall: { tool: "add", arguments: [] },
  },
];

describe("the folder", () => {
  const context = (more: Partial<CreateContext>): Parameters<typeof chooseFolder>[0] => ({
    cwd,
    yes: false,
    prompts: createPrompts(),
    progress: createProgress(),
    ...more,
  });

  it("is prompted for", async () => {
    const it = context({ prompts: createPrompts("here") });
    await chooseFolder(it);
    expect(it).toMatchObject({ folder: join(cwd, "here"), shownFolder: "here" });
  });

  it("is displayed with its relative or absolute path, whichever is shorter", async () => {
    const outside = context({ folder: join(cwd, "../elsewhere-and-new") });
    await chooseFolder(outside);
    expect(outside.shownFolder).toBe(join("..", "elsewhere-and-new"));
    const far = context({
      cwd: join(cwd, "a/b/c/d/e/f/g/h/i/j/k/l/m"),
      folder: join(parse(cwd).root, "new-one"),
    });
    await chooseFolder(far);
    expect(far.shownFolder).toBe(join(parse(cwd).root, "new-one"));
  });

  it("is not prompted for if it is given", async () => {
    const it = context({ folder: join(cwd, "named") });
    await chooseFolder(it);
    expect(it.shownFolder).toBe("named");
  });

  it("is reported if no prompt is possible", async () => {
    const progress = createProgress();
    const it = context({ yes: true, progress });
    await chooseFolder(it);
    expect(it.folder).toBe(join(cwd, "my-mcp-server"));
    expect(progress.lines).toEqual(["No folder was given. Using my-mcp-server."]);
  });

  it("is rejected if it contains files, which are listed", async () => {
    mkdirSync(join(cwd, "full"));
    for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"]) writeFileSync(join(cwd, "full", name), "");
    const act = chooseFolder(context({ folder: join(cwd, "full") }));
    await expect(act).rejects.toThrow(/full is not empty: it contains a\.txt, b\.txt, c\.txt, and 1 more\.$/);
    await expect(act).rejects.toBeInstanceOf(Failure);
  });

  it("is rejected if there is a file with its name", async () => {
    writeFileSync(join(cwd, "file"), "");
    await expect(chooseFolder(context({ folder: join(cwd, "file") }))).rejects.toThrow(/file is a file\.$/);
  });

  it("is accepted if it contains only a repository", async () => {
    mkdirSync(join(cwd, "fresh", ".git"), { recursive: true });
    await expect(chooseFolder(context({ folder: join(cwd, "fresh") }))).resolves.toBeUndefined();
  });

  it("stays untouched if the user cancels", async () => {
    await expect(chooseFolder(context({ prompts: createPrompts(undefined) }))).rejects.toBeInstanceOf(
      CancelledError,
    );
  });
});

describe("the package name", () => {
  it.each([
    ["My Server!", "my-server"],
    ["Café Zürich", "cafe-zurich"],
    ["weather", "weather"],
    ["_private", "private"],
    ["日本", "mcp-server"],
    ["http", "mcp-server"],
  ])("is made valid: %s becomes %s", (text, name) => {
    expect(toPackageName(text)).toBe(name);
  });

  it("defaults to the name of the folder", async () => {
    const it: { folder: string; name?: string } = { folder: join(cwd, "My Server") };
    await choosePackageName(it);
    expect(it.name).toBe("my-server");
  });

  it("is rejected if npm would reject it", async () => {
    const act = choosePackageName({ folder: cwd, name: "Not A Name" });
    await expect(act).rejects.toThrow(
      "npm rejects the package name `Not A Name`: name can only contain URL-friendly characters.",
    );
    await expect(act).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe("the template", () => {
  it("is prompted for, with a description of each choice", async () => {
    const it: Parameters<typeof chooseTemplate>[0] = { yes: false, prompts: createPrompts("two"), templates };
    await chooseTemplate(it);
    expect(it.template).toBe(templates[1]);
  });

  it("defaults to the first if no prompt is possible", async () => {
    const it: Parameters<typeof chooseTemplate>[0] = { yes: true, prompts: createPrompts(), templates };
    await chooseTemplate(it);
    expect(it.template).toBe(templates[0]);
  });

  it("is rejected with the nearest name if it is unknown", () => {
    expect(() => findTemplate(templates, "tow")).toThrow("Unknown template `tow`. Did you mean `two`?");
  });
});

describe("installing", () => {
  it.each([
    { given: true, yes: false, answers: [], install: true },
    { given: false, yes: true, answers: [], install: false },
    { given: undefined, yes: true, answers: [], install: true },
    { given: undefined, yes: false, answers: [false], install: false },
  ])(
    "depends on the option, --yes, and the user (option: $given, --yes: $yes, installs: $install)",
    async ({ given, yes, answers, install }) => {
      const it: Parameters<typeof chooseInstall>[0] = {
        yes,
        prompts: createPrompts(...answers),
        packageManager: "npm",
      };
      if (given !== undefined) it.install = given;
      await chooseInstall(it);
      expect(it.install).toBe(install);
    },
  );

  it("with an npm that cannot unpack packages is rejected before anything is written", async () => {
    const context = (manager: "npm" | "pnpm", install: boolean): Parameters<typeof chooseInstall>[0] => ({
      yes: true,
      prompts: createPrompts(),
      packageManager: manager,
      install,
    });
    vi.stubEnv("npm_config_user_agent", "npm/7.24.2 node/v20.20.2 linux x64 workspaces/false");
    await expect(chooseInstall(context("npm", true))).rejects.toThrow("npm 7.24.2 cannot unpack packages");
    await chooseInstall(context("npm", false));
    await chooseInstall(context("pnpm", true));
    vi.stubEnv("npm_config_user_agent", "npm/10.8.2 node/v20.20.2 linux x64 workspaces/false");
    await chooseInstall(context("npm", true));
    vi.unstubAllEnvs();
  });

  it.each([
    ["npm", "npm run dev", "npx tenon call"],
    ["pnpm", "pnpm run dev", "pnpm exec tenon call"],
    ["yarn", "yarn run dev", "yarn tenon call"],
    ["bun", "bun run dev", "bun x tenon call"],
  ] as const)("names the commands of %s", (manager, script, program) => {
    expect(toManagerCommand(manager, "run", ["dev"])).toBe(script);
    expect(toManagerCommand(manager, "execute-local", ["tenon", "call"])).toBe(program);
  });
});

describe.each(findTemplates())("writing the template $name", (template) => {
  const write = async (tenon: CreateContext["tenon"]): Promise<string> => {
    const folder = join(cwd, "made");
    await copyProject({
      packageManager: "npm",
      signal,
      folder,
      shownFolder: "made",
      name: "made-here",
      template,
      tenon,
      progress: createProgress(),
    });
    return folder;
  };
  const readPackage = (folder: string): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, Record<string, string>>;

  it("fills in the project's name and the published versions", async () => {
    const folder = await write({ version: "9.8.7" });
    const { name, dependencies, devDependencies } = readPackage(folder);
    expect(name).toBe("made-here");
    expect(dependencies).toMatchObject({ "@tenon/runtime": "^9.8.7" });
    expect(devDependencies).toMatchObject({ "@tenon/cli": "^9.8.7" });
    expect(devDependencies).not.toHaveProperty("@tenon/compiler");
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(/^# made-here\n/);
  });

  it("leaves no files if it cannot be completed", async () => {
    const provide = (folder: string): Promise<never> => {
      writeFileSync(join(folder, "half"), "");
      return Promise.reject(new Failure("cannot be packed"));
    };
    await expect(write({ version: "9.8.7", provide })).rejects.toThrow("cannot be packed");
    expect(existsSync(join(cwd, "made"))).toBe(false);
    mkdirSync(join(cwd, "made/.git"), { recursive: true });
    await expect(write({ version: "9.8.7", provide })).rejects.toThrow("cannot be packed");
    expect(readdirSync(join(cwd, "made"))).toEqual([".git"]);
  });

  it("records the path of every package if the packages do not come from the registry", async () => {
    const packages = {
      "@tenon/runtime": "file:vendor/runtime.tgz",
      "@tenon/compiler": "file:vendor/compiler.tgz",
      "@tenon/cli": "file:vendor/cli.tgz",
    };
    const { dependencies, devDependencies } = readPackage(
      await write({ version: "9.8.7", provide: () => Promise.resolve(packages) }),
    );
    expect({ ...dependencies, ...devDependencies }).toMatchObject(packages);
  });

  it("includes everything a project needs, and nothing that describes the template", async () => {
    const folder = await write({ version: "9.8.7" });
    for (const file of [".gitignore", "tsconfig.json", "src", "test"]) {
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
    for (const file of ["_gitignore", "_template.json", "node_modules", "dist"]) {
      expect(existsSync(join(folder, file)), file).toBe(false);
    }
  });
});

describe("the first run", () => {
  const ran: string[] = [];
  beforeEach(() => ran.splice(0));
  const context = (
    exitCode: number,
    output: string,
  ): Parameters<typeof makeFirstCall>[0] & CreateContext => ({
    cwd,
    yes: true,
    prompts: createPrompts(),
    progress: createProgress(),
    templates,
    packageManager: "npm",
    tenon: { version: "1.0.0" },
    folder: join(cwd, "made"),
    shownFolder: "made",
    name: "made",
    install: true,
    signal,
    template: {
      name: "one",
      folder: "/templates/one",
      order: 1,
      description: "",
      firstCall: { tool: "greet", arguments: ["name=Ada Lovelace"] },
    },
    run: (program, args) => {
      ran.push([program === process.execPath ? "node" : program, ...args].join(" "));
      return Promise.resolve({ exitCode, output });
    },
  });

  it("ends with the result of a real call", async () => {
    const it = context(0, "Hello, Ada!\n");
    for (const step of [installPackages, buildServer, makeFirstCall, showNextSteps]) await step(it);
    const tenon = join(cwd, "made", "node_modules/@tenon/cli/bin/tenon.js");
    expect(ran).toEqual([
      "npm install --no-audit --no-fund --loglevel=error",
      `node ${tenon} build`,
      `node ${tenon} call greet name=Ada Lovelace`,
    ]);
    const { lines } = it.progress as ReturnType<typeof createProgress>;
    expect(lines.slice(3)).toEqual([
      "A first call",
      "$ npx tenon call greet 'name=Ada Lovelace'",
      "Hello, Ada!",
      "Commands",
      expect.stringMatching(/^npm run dev /) as string,
      expect.stringMatching(/^npm run inspect /) as string,
      expect.stringMatching(/^npm run test /) as string,
      expect.stringMatching(/^npm run build /) as string,
      "Connect a client",
      "npx tenon install claude-code",
      expect.stringMatching(/^Other clients: /) as string,
      expect.stringMatching(/README.md explains how to$/) as string,
      expect.stringMatching(/environment variables\.$/) as string,
      "made is ready. Next: `cd made`, then `npm run dev`",
    ]);
  });

  it("is skipped without an installation, with the command to install", async () => {
    const it = context(0, "");
    it.install = false;
    for (const step of [installPackages, buildServer, makeFirstCall, showNextSteps]) await step(it);
    expect(ran).toEqual([]);
    expect((it.progress as ReturnType<typeof createProgress>).lines.at(-1)).toBe(
      "made is ready. Next: `cd made`, then `npm install`",
    );
  });

  it("reports packages in locations where their types cannot be read", async () => {
    mkdirSync(join(cwd, "made"));
    writeFileSync(join(cwd, "made/.pnp.cjs"), "");
    const act = buildServer(context(1, "Qualified path resolution failed"));
    await expect(act).rejects.toThrow("Tenon reads types from node_modules");
  });

  it.each([
    ["npm error ERESOLVE", "`npm install` failed:\n\nnpm error ERESOLVE"],
    [
      "npm error code ECONNREFUSED\nnpm error FetchError: request to http://127.0.0.1:9/vitest failed",
      "`npm install` cannot reach 127.0.0.1:9 (ECONNREFUSED).",
    ],
    [
      "npm error request to https://registry.npmjs.org/vitest failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org",
      "`npm install` cannot reach registry.npmjs.org (EAI_AGAIN).",
    ],
    [
      "error: ConnectionRefused downloading package manifest vitest",
      "`npm install` cannot reach the package registry (ConnectionRefused).",
    ],
    [
      "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.npmjs.org/vitest failed",
      "`npm install` does not trust the certificate of registry.npmjs.org (SELF_SIGNED_CERT_IN_CHAIN).",
    ],
    [
      "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write",
      "`npm install` cannot write all packages, because the disk is full (ENOSPC).",
    ],
    [
      "npm ERR! code Z_DATA_ERROR\nnpm ERR! zlib: invalid stored block lengths",
      "`npm install` cannot unpack packages (Z_DATA_ERROR).",
    ],
  ])("explains why the installation failed: %s", async (output, message) => {
    const failure = (await installPackages(context(1, output)).catch((error: unknown) => error)) as Failure;
    expect(failure.message).toBe(message);
    expect(failure.hint).toMatch(
      /^The files have been written\. .+, and run `npm install` in the project\.$/,
    );
  });

  it("shows why the call failed", async () => {
    await expect(makeFirstCall(context(1, "no such tool"))).rejects.toThrow(/no such tool$/);
  });
});

it("creating a project asks at most four questions, all before it writes anything", async () => {
  const prompts = createPrompts("made", "one", false, true);
  const context = {
    run: () => Promise.resolve({ exitCode: 128, output: "" }),
    cwd,
    yes: false,
    prompts,
    progress: createProgress(),
    templates,
    packageManager: "npm",
  } as unknown;
  for (const step of STEPS.slice(0, STEPS.indexOf(copyProject))) await step(context as CreateContext);
  expect(prompts.asked).toEqual([
    "Which folder?",
    "Which template?",
    "Install with npm, build, and call a tool?",
    "Create a Git repository?",
  ]);
});
