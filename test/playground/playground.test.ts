import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Page } from "../third-party/playwright.js";
import { speak } from "./everything.js";
import { setStage, type Stage } from "./opened-page.js";
import { TRIP_PLANNER } from "./trip-planner.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage();
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

test("an unknown name in the address is reported", async () => {
  const page = await open("#tool/no_such_tool");
  await expect.poll(() => page.getByRole("alert").textContent()).toContain("Not found: tool no_such_tool.");
});

test("a server that cannot start is reported with its error", async () => {
  await using alone = await setStage([], {
    "src/trips.ts": TRIP_PLANNER,
    "src/server.ts": `throw new Error("There is no database.");\nexport default {};\n`,
  });
  const page = await alone.open();
  const alert = page.getByRole("alert");
  await expect
    .poll(() => alert.textContent())
    .toMatch(/^The server is not available\.[^]*There is no database\./);
  await page.context().close();
});

test("check boxes show the defaults that the server uses", async () => {
  await using alone = await setStage([], {
    "src/trips.ts": `import { Tool } from "@tenon/runtime";
      export class Trips {
        @Tool({ readOnly: true }) plan(bike = true, /** @uniqueItems */ on: ("sat" | "sun")[] = ["sun"]): string {
          return JSON.stringify([bike, on]);
        }
      }`,
  });
  const page = await alone.open("#tool/plan");
  const boxes = page.getByRole("checkbox");
  const call = async (expected: string): Promise<void> => {
    await page.getByRole("button", { name: "Call plan" }).click();
    await expect.poll(() => page.getByRole("region", { name: "Result" }).textContent()).toContain(expected);
  };
  await expect.poll(() => boxes.count()).toBe(3);
  expect(await Promise.all([0, 1, 2].map((index) => boxes.nth(index).isChecked()))).toEqual([
    true,
    false,
    true,
  ]);
  await call('[true,["sun"]]');
  await boxes.nth(0).uncheck();
  await boxes.nth(2).uncheck();
  await call("[false,[]]");
  await page.context().close();
});

describe("the list", () => {
  test("contains everything the server declares, with the source line", async () => {
    const page = await open();
    const list = page.getByRole("navigation", { name: "Server contents" });
    await list.getByRole("link", { name: /^plan/ }).waitFor();
    await expect
      .poll(() => list.getByRole("link").allTextContents())
      .toEqual([
        expect.stringMatching(/^belltrips\.ts:\d+$/),
        expect.stringMatching(/^booktrips\.ts:\d+$/),
        expect.stringMatching(/^folderstrips\.ts:\d+$/),
        expect.stringMatching(/^mottotrips\.ts:\d+$/),
        expect.stringMatching(/^plantrips\.ts:\d+$/),
        expect.stringMatching(/^whoamitrips\.ts:\d+$/),
        expect.stringMatching(/^writetrips\.ts:\d+$/),
        expect.stringMatching(/^advisetrips\.ts:\d+$/),
        expect.stringMatching(/^guidetrips\.ts:\d+$/),
      ]);
    await page.keyboard.press("/");
    await page.keyboard.type("motto");
    await expect.poll(() => list.getByRole("link").count()).toBe(1);
  });

  test("is updated after an edit, and keeps the input", async () => {
    const page = await open("#tool/plan");
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    const added = `/** Count the fish. */\n  @Tool({ readOnly: true })\n  fish(): number { return 7; }\n\n  /** Returns the caller. */`;
    stage.project.write({ "src/trips.ts": TRIP_PLANNER.replace("/** Returns the caller. */", added) });
    onTestFinished(() => stage.project.write({ "src/trips.ts": TRIP_PLANNER }));
    await page.getByRole("link", { name: /^fish new/ }).click();
    await page.getByRole("button", { name: "Call fish" }).click();
    await expect.poll(() => page.locator(".outcome").textContent()).toBe("7");
    await page.getByRole("link", { name: /^plan/ }).click();
    expect(await page.getByLabel("to", { exact: true }).inputValue()).toBe("Bergen");
  });

  test("reports the errors of an edit, and serves the rest", async () => {
    const page = await open("#tool/whoami");
    await page.getByRole("button", { name: "Call whoami" }).waitFor();
    const wrong = TRIP_PLANNER.replace("return user ?", "return usr ?");
    stage.project.write({ "src/trips.ts": wrong });
    onTestFinished(() => stage.project.write({ "src/trips.ts": TRIP_PLANNER }));
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Cannot find name 'usr'");
    await page.getByRole("link", { name: /^whoami error/ }).waitFor();
    await page.getByRole("button", { name: "Call whoami" }).click();
    await expect.poll(() => page.locator(".failure").textContent()).toContain("Cannot find name 'usr'");
    await page.getByRole("link", { name: /^plan/ }).click();
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByLabel("carriage").selectOption("first");
    await page.getByRole("button", { name: "Call plan" }).click();
    await page.getByRole("cell", { name: "Bergen" }).waitFor();
    stage.project.write({ "src/trips.ts": "export class {" });
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toContain("The last edit was not applied.");
    stage.project.write({ "src/trips.ts": TRIP_PLANNER });
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });
});

describe("a form", () => {
  test("contains a union and a tuple, and its result becomes a table", async () => {
    const page = await open("#tool/plan");
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByLabel("Type of how").selectOption({ label: "plane" });
    await page.getByLabel("bags").fill("2");
    await page.getByRole("button", { name: "Add window" }).click();
    await page.getByRole("textbox", { name: "1", exact: true }).fill("8");
    await page.getByRole("textbox", { name: "2", exact: true }).fill("12");
    await page.getByRole("button", { name: "Call plan" }).click();
    const table = page.getByRole("region", { name: "Table" });
    await expect
      .poll(() => table.getByRole("row").allTextContents())
      .toEqual(["fromtominutes", "OsloCopenhagen65.5", "CopenhagenBergen60.5"]);
  });

  test("sends invalid input, and shows the server's explanation", async () => {
    const page = await open("#tool/plan");
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByLabel("carriage").selectOption("second");
    await page.getByLabel("days").fill("40");
    await page.getByRole("button", { name: "Call plan" }).click();
    await expect.poll(() => page.locator(".failure").textContent()).toMatch(/days.*14.*40/s);
    const days = page.getByLabel("days");
    await expect.poll(() => days.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".field", { has: days }).locator(".problem").textContent()).toBe(
      "`days` must be at most 14 (got 40).",
    );
    await days.fill("4");
    await expect.poll(() => days.getAttribute("aria-invalid")).toBe("false");
  });

  test("is a JSON editor for types that forms cannot express", async () => {
    const page = await open("#tool/plan");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page
      .getByLabel("arguments")
      .fill('{ "to": "Bergen", "how": { "by": "train", "carriage": "first" } }');
    await page.getByRole("button", { name: "Call plan" }).click();
    await page.getByRole("cell", { name: "Göteborg" }).first().waitFor();
    await page.getByRole("button", { name: "Edit as form" }).click();
    expect(await page.getByLabel("Type of how").locator("option:checked").textContent()).toBe("train");
  });
});

describe.each(["2026-07-28", "2025-06-18"])("a server's question in revision %s", (revision) => {
  test("is answered by hand", async () => {
    const page = await open("#tool/book");
    await page.getByRole("button", { name: /^20\d\d-/ }).click();
    await page.getByLabel("Protocol revision").selectOption(revision);
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByRole("button", { name: "Call book" }).click();
    const dialog = page.getByRole("dialog", { name: "The server requests input" });
    expect(await dialog.textContent()).toContain("Who travels to Bergen?");
    await dialog.getByLabel("name").fill("Ada");
    await dialog.getByLabel("seat").selectOption("window");
    await dialog.getByLabel("travelers").fill("3");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect
      .poll(() => page.locator(".outcome").textContent())
      .toBe("Booked for Ada and 2 others, window.");
    expect(await page.getByRole("region", { name: "Log" }).textContent()).toContain("A seat was found.");
  });
});

describe("a question whose server has been replaced", () => {
  const edit = async (page: Page, ...changes: [from: string, to: string][]): Promise<void> => {
    let source = TRIP_PLANNER;
    for (const [from, to] of changes) {
      expect(source).toContain(from);
      source = source.replace(from, to);
    }
    const status = page.locator(".status");
    const before = await status.textContent();
    stage.project.write({ "src/trips.ts": source });
    await expect.poll(() => status.textContent()).not.toBe(before);
  };
  const ask = async (page: Page): Promise<void> => {
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByRole("button", { name: "Call book" }).click();
    await page.getByRole("dialog", { name: "The server requests input" }).waitFor();
  };

  test("is kept for the next server in a revision without sessions", async () => {
    const page = await open("#tool/book");
    await page.getByText("Version").first().waitFor();
    // The replaced server is still there when the question is answered.
    await edit(page, ["/** Plans trips, and", `${EXIT_SLOWLY}/** Plans trips, and`], LIST_MAY_CHANGE);
    await speak(page, "2026-07-28");
    const sent = page.locator(".message-row.sent .method");
    await expect.poll(() => sent.allTextContents()).toContain("subscriptions/listen");
    await ask(page);
    await page.getByRole("textbox", { name: "name" }).fill("Ada");
    await edit(page, ["Booked for", "Booked again for"]);
    await page.getByLabel("seat").selectOption("window");
    await page.getByRole("textbox", { name: "travelers" }).fill("2");
    await page.getByRole("button", { name: "Send" }).click();
    await expect
      .poll(() => page.getByRole("region", { name: "Result" }).textContent())
      .toContain("Booked again for Ada and 1 others, window.");
  });

  test("is withdrawn if the former server waited for the answer", async () => {
    const page = await open("#tool/book");
    await page.getByText("Version").first().waitFor();
    await edit(page, ["const answer = await", `${EXIT_ON_FILE}const answer = await`]);
    await speak(page, "2025-11-25");
    await ask(page);
    stage.project.write({ exit: "now" });
    await expect.poll(() => page.locator(".failure").textContent()).toContain("The server exited");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });
});

const EXIT_SLOWLY = `process.on("exit", () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
});

`;

/** Lets the page listen, as to any server whose lists may change. */
const LIST_MAY_CHANGE: [from: string, to: string] = [
  "@Tool({ destructive: false })",
  "@Tool({ destructive: false, enabled: () => true })",
];

const EXIT_ON_FILE = `const { existsSync } = await import("node:fs");
    setInterval(() => existsSync("exit") && process.exit(1), 20);
    `;

test("secrets are hidden in the form, and are neither stored nor copied", async () => {
  await using vault = await setStage([], {
    "src/vault.ts": `
      import { Tool } from "@tenon/runtime";
      interface Account { name: string; /** @secret */ key: string }
      export class Vault {
        /** Opens it. */
        @Tool() open(user: string, account: Account): string { return user + account.name + account.key.length; }
      }`,
  });
  const page = await vault.open("#tool/open", { permissions: ["clipboard-read", "clipboard-write"] });
  const filled = { user: "ada", name: "main", key: "hunter2" };
  for (const [name, value] of Object.entries(filled)) {
    const field = page.locator(`input[name=${name}]`);
    await field.fill(value);
    expect(await field.getAttribute("type")).toBe(value === "hunter2" ? "password" : "text");
  }
  await page.keyboard.press("Control+Enter");
  await page.getByText("adamain7").first().waitFor();
  const stored = await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })");
  expect(stored).toContain("main");
  expect(stored).not.toContain("hunter2");
  await page.getByRole("button", { name: "Save call" }).click();
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "mine", exact: true }).waitFor();
  const notes = (): string => readFileSync(join(vault.project.root, ".tenon/playground.json"), "utf8");
  await expect.poll(notes).toContain('"mine"');
  expect(notes()).toContain("main");
  expect(notes()).not.toContain("hunter2");
  await page.getByRole("button", { name: "Copy as test" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const test = await page.evaluate("navigator.clipboard.readText()");
  expect(test).toContain("// The secret arguments were not copied. Add them here.");
  expect(test).not.toContain("hunter2");
  await page.reload();
  await expect.poll(() => page.locator("input[name=user]").inputValue()).toBe("ada");
  expect(await page.locator("input[name=key]").inputValue()).toBe("");
  await page.context().close();
});
