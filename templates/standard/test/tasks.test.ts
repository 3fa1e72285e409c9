import { connect } from "@tenon/runtime/testing";
import { describe, expect, it } from "vitest";
import { server } from "../dist/app.js";

const client = await connect(server);

describe("the task list", () => {
  it("starts empty", async () => {
    const { structuredContent } = await client.callTool("list_tasks");
    expect(structuredContent).toEqual([]);
  });

  it("adds tasks and lists the urgent ones first", async () => {
    const added = await client.callTool("add_task", { title: "Water the plants" });
    expect(added.structuredContent).toEqual({
      id: 1,
      title: "Water the plants",
      priority: "normal",
      done: false,
    });
    await client.callTool("add_task", { title: "Pay the rent", priority: "high" });

    const { structuredContent } = await client.callTool("list_tasks");
    expect(structuredContent).toMatchObject([{ title: "Pay the rent" }, { title: "Water the plants" }]);
  });

  it("completes a task once and for all", async () => {
    const { structuredContent } = await client.callTool("complete_task", { id: 2 });
    expect(structuredContent).toMatchObject({ id: 2, done: true });
    expect((await client.callTool("list_tasks")).structuredContent).toMatchObject([{ id: 1 }]);
    expect((await client.callTool("list_tasks", { includeDone: true })).structuredContent).toMatchObject([
      { id: 2 },
      { id: 1 },
    ]);
  });

  it("says what is wrong with a call, and changes nothing", async () => {
    const unknown = await client.callTool("complete_task", { id: 99 });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("no task 99") }],
    });
    const empty = await client.callTool("add_task", { title: "" });
    expect(empty).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("title") }] });
    expect((await client.callTool("list_tasks")).structuredContent).toMatchObject([{ id: 1 }]);
  });
});

it("shows a task as a page", async () => {
  const { contents } = await client.readResource("tasks://1");
  expect(contents).toEqual([
    { uri: "tasks://1", mimeType: "text/markdown", text: expect.stringContaining("# Water the plants") },
  ]);
});

it("has no page for a task that does not exist", async () => {
  await expect(client.readResource("tasks://99")).rejects.toMatchObject({
    message: "There is no task 99.",
    data: { uri: "tasks://99" },
  });
});

it("offers a prompt", async () => {
  const { messages } = await client.getPrompt("plan_day", { hours: "4" });
  expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("4 hours") } }]);
});
