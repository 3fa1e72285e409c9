import { connect, renderView } from "@tenon/cli/testing";
import { describe, expect, it } from "vitest";
import { Polls } from "../src/polls.js";

const QUESTION = { question: "Where to?", choices: ["Oslo", "Bergen"] };
const project = new URL("..", import.meta.url);

describe("a poll", () => {
  it("starts without votes", async () => {
    const server = await connect(project, { provide: [new Polls()] });
    expect(await server.tools.ask(QUESTION)).toEqual({
      question: "Where to?",
      choices: [
        { text: "Oslo", votes: 0 },
        { text: "Bergen", votes: 0 },
      ],
    });
    await server.close();
  });

  it("needs at least two choices", async () => {
    const server = await connect(project, { provide: [new Polls()] });
    await expect(server.tools.ask({ ...QUESTION, choices: ["Oslo"] })).rejects.toThrow("choices");
    await expect(server.tools.get_votes()).rejects.toThrow("There is no poll yet.");
    await server.close();
  });
});

// happy-dom starts at once. For a real browser, install playwright-core and leave out `browser`.
describe("its view", () => {
  it("votes, and tells the model", async () => {
    const view = await renderView(Polls, "ask", {
      project,
      input: QUESTION,
      provide: [new Polls()],
      browser: "happy-dom",
    });
    await expect.poll(() => view.text("h1")).toBe("Where to?");
    await view.click("button");
    await expect.poll(() => view.text("button")).toBe("Oslo1");
    expect(await view.server.tools.get_votes()).toMatchObject({ choices: [{ votes: 1 }, { votes: 0 }] });
    const sent = view.messages.find(({ message }) => message.method === "ui/message");
    expect(sent?.message.params).toMatchObject({ content: [{ text: 'I choose "Oslo".' }] });
    await view.close();
  });

  it("shows the error of a client that cannot call tools", async () => {
    const view = await renderView(Polls, "ask", {
      project,
      input: QUESTION,
      host: { capabilities: {} },
      browser: "happy-dom",
    });
    await view.click("button");
    await expect.poll(() => view.text("[role=alert]")).toContain("serverTools");
    await view.close();
  });
});
