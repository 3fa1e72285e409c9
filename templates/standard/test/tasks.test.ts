import { connect } from "@tenon/cli/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { TaskPages } from "../src/task-pages.js";
import { TaskStore } from "../src/task-store.js";
import { TaskTools } from "../src/task-tools.js";

let store: TaskStore;
let server: Awaited<ReturnType<typeof connect>>;

// Each test has its own list instead of the one in src/server.ts.
beforeEach(async () => {
  store = new TaskStore();
  server = await connect(new URL("..", import.meta.url), {
    provide: [new TaskTools(store), new TaskPages(store)],
  });
});

describe("the task list", () => {
  it("starts empty", async () => {
    expect(await server.tools.list_tasks()).toEqual([]);
  });

  it("adds tasks and lists the urgent ones first", async () => {
    const added = await server.tools.add_task({ title: "Water the plants" });
    expect(added).toEqual({ id: 1, title: "Water the plants", priority: "normal", done: false });
    await server.tools.add_task({ title: "Pay the rent", priority: "high" });

    const titles = (await server.tools.list_tasks()).map(({ title }) => title);
    expect(titles).toEqual(["Pay the rent", "Water the plants"]);
  });

  it("completes a task", async () => {
    store.add("Water the plants", "normal");
    expect(await server.tools.complete_task({ id: 1 })).toMatchObject({ id: 1, done: true });
    expect(await server.tools.list_tasks()).toEqual([]);
    expect(await server.tools.list_tasks({ includeDone: true })).toMatchObject([{ id: 1 }]);
  });

  it("rejects invalid arguments without changing the list", async () => {
    await expect(server.tools.complete_task({ id: 99 })).rejects.toThrow("no task 99");
    await expect(server.tools.add_task({ title: "" })).rejects.toThrow("title");
    expect(store.all()).toEqual([]);
  });
});

it("provides a task as a page", async () => {
  store.add("Water the plants", "normal");
  expect(await server.resources.task({ id: 1 })).toContain("# Water the plants");
});

it("rejects the page of an unknown task", async () => {
  await expect(server.resources.task({ id: 99 })).rejects.toThrow("There is no task 99.");
});

it("provides a prompt", async () => {
  const messages = await server.prompts.plan_day({ hours: 4 });
  expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("4 hours") } }]);
});
