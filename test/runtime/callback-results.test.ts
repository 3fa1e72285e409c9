/**
 * Values that callbacks return although their types do not allow them.
 */
import { Prompt, Resource, type ServerConfig, Tool } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test, vi } from "vitest";
import { createFixture } from "./fixture/application.js";
import { Prompts, Resources, Tools } from "./fixture/src/handlers.js";

const URI = "note://{id}";

/** Declares a method of a class again, with these options. */
function redeclare(decorate: (target: object, name: string) => void, owner: object, name: string): void {
  Object.defineProperty(owner, name, { value: Reflect.get(owner, name) as unknown, configurable: true });
  decorate(owner, name);
}

async function serveList(list: () => unknown, config: ServerConfig = {}): Promise<Served> {
  class Listing extends Resources {}
  redeclare(Resource(URI, { list: list as never }) as never, Listing.prototype, "note");
  return serve({ ...config, provide: [new Tools(), new Prompts(), new Listing()] });
}

async function serveCompletion(complete: () => unknown, config: ServerConfig = {}): Promise<Served> {
  class Completing extends Prompts {}
  redeclare(Prompt({ complete: { city: complete as never } }) as never, Completing.prototype, "plan");
  return serve({ ...config, provide: [new Tools(), new Completing(), new Resources()] });
}

interface Served {
  client: TestClient;
  errors: (string | undefined)[];
  messages: string[];
}

async function serve(config: ServerConfig): Promise<Served> {
  const errors: (string | undefined)[] = [];
  const messages: string[] = [];
  const log: ServerConfig["log"] = ({ err, msg }) => {
    errors.push(err?.message);
    messages.push(msg);
  };
  const server = createServer(createFixture({ ...config, log }));
  return { client: await connect(server, { showErrors: false }), errors, messages };
}

const complete = ({ client }: Served): ReturnType<TestClient["complete"]> =>
  client.complete({ type: "ref/prompt", name: "plan" }, { name: "city", value: "" });

describe("an invalid result of `list`", () => {
  test.each([
    [undefined, "`list` must be an array (got nothing)"],
    [[null], "`list[0]` must be an object (got null)"],
    [[{ uri: "note://1", name: "1" }, { uri: "note://2" }], "`list[1].name` must be a string (got nothing)"],
    [[{ uri: "notes://1", name: "1" }], '`list[0].uri` must match the template (got "notes://1")'],
  ])("is an internal error: %j", async (listed, problem) => {
    const served = await serveList(() => listed);
    await expect(served.client.listResources()).rejects.toThrow("The list of resources failed");
    expect(served.errors).toEqual([`The list of resource "note://{id}" is not valid: ${problem}.`]);
  });

  test('is sent if `outputValidation` is "log" or "off", and logged only if it is "log"', async () => {
    const listed = [{ uri: "notes://1", name: "1" }];
    const logging = await serveList(() => listed, { outputValidation: "log" });
    expect(await logging.client.listResources()).toContainEqual(expect.objectContaining(listed[0]));
    expect(logging.errors).toHaveLength(1);
    const silent = await serveList(() => listed, { outputValidation: "off" });
    expect(await silent.client.listResources()).toContainEqual(expect.objectContaining(listed[0]));
    expect(silent.errors).toEqual([]);
  });
});

describe("an invalid result of `complete`", () => {
  test.each([
    [undefined, "`city` must be an array (got nothing)"],
    ["Oslo", '`city` must be an array (got "Oslo")'],
    [["Oslo", null], "`city[1]` must be a string (got null)"],
  ])("is an internal error: %j", async (values, problem) => {
    const served = await serveCompletion(() => values);
    await expect(complete(served)).rejects.toThrow('The completion of "city" failed');
    expect(served.errors).toEqual([`The completion of prompt "plan" is not valid: ${problem}.`]);
  });
});

async function serveGuarded(options: object): Promise<Served> {
  class Guarded extends Resources {}
  redeclare(Resource("data://table", options) as never, Guarded.prototype, "table");
  return serve({ provide: [new Tools(), new Prompts(), new Guarded()] });
}

describe("a guard that throws", () => {
  test.each(["enabled", "authorize"])(
    "hides its entry and is logged, and others are listed: %s",
    async (guard) => {
      const throwError = (): never => {
        throw new Error("The directory is down.");
      };
      const { client, messages, errors } = await serveGuarded({ [guard]: throwError });
      const uris = (await client.listResources()).map(({ uri }) => uri);
      expect(uris).toContain("notes://today");
      expect(uris).not.toContain("data://table");
      expect(messages).toEqual(["The check whether Resources.table is enabled failed."]);
      expect(errors).toEqual(["The directory is down."]);
      await expect(client.readResource("data://table")).rejects.toThrow('No resource "data://table".');
    },
  );
});

describe("a guard that returns no boolean", () => {
  test.each([
    ["enabled", async () => true, "a promise"],
    ["enabled", () => "yes", '"yes"'],
    ["enabled", () => null, "null"],
    ["authorize", () => 1, "1"],
  ])("counts as false and is reported once: %s", async (guard, callback, returned) => {
    const { client, messages } = await serveGuarded({ [guard]: callback });
    const uris = (await client.listResources()).map(({ uri }) => uri);
    expect(uris).toContain("notes://today");
    expect(uris).not.toContain("data://table");
    await expect(client.readResource("data://table")).rejects.toThrow('No resource "data://table".');
    expect(messages).toEqual([
      `\`${guard}\` of Resources.table must return true or false, but returned ${returned}, which counts as false.`,
    ]);
  });
});

test.each(["enabled", "authorize"])(
  "`%s` of a caller without the claim that it returns hides the entry",
  async (guard) => {
    const { client, messages } = await serveGuarded({ [guard]: () => undefined });
    expect((await client.listResources()).map(({ uri }) => uri)).not.toContain("data://table");
    await expect(client.readResource("data://table")).rejects.toThrow('No resource "data://table".');
    expect(messages).toEqual([]);
  },
);

test("an `authorize` callback that changes an argument in place fails, so the handler never sees the change", async () => {
  class Checked extends Tools {}
  const authorize = (_caller: unknown, { numbers }: Record<string, unknown>): boolean =>
    (numbers as number[]).sort()[0] !== 0;
  redeclare(Tool({ authorize }) as never, Checked.prototype, "total");
  const { client, errors } = await serve({ provide: [new Checked(), new Prompts(), new Resources()] });
  const { isError } = await client.callTool("total", { label: "x", numbers: [3, 1, 2] });
  expect(isError).toBe(true);
  expect(errors).toEqual([expect.stringMatching(/^Cannot assign to read only property '0'/)]);
});

test("the log contains only the author's frames of an error in a callback", async () => {
  let text = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  class Listing extends Resources {}
  const list = (): never => {
    throw new Error("The disk is gone.");
  };
  redeclare(Resource(URI, { list }) as never, Listing.prototype, "note");
  const provide = [new Tools(), new Prompts(), new Listing()];
  const client = await connect(createServer(createFixture({ provide })), { showErrors: false });
  await expect(client.listResources()).rejects.toThrow();
  write.mockRestore();
  expect(text).toMatch(/The disk is gone\.\n +at .*callback-results/);
  expect(text).not.toMatch(/runtime[\\/](src|dist)[\\/]/);
});
