import { connect } from "@tenon/runtime/testing";
import { expect, it } from "vitest";
import { server } from "../dist/app.js";

const client = await connect(server);

it("greets in the language asked for", async () => {
  const { content } = await client.callTool("greet", { name: "Ada", language: "fr" });
  expect(content).toEqual([{ type: "text", text: "Bonjour, Ada!" }]);
});

it("greets in English unless told otherwise", async () => {
  const { content } = await client.callTool("greet", { name: "Ada" });
  expect(content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
});

it("refuses a language it does not know, in words a model can act on", async () => {
  const { isError, content } = await client.callTool("greet", { name: "Ada", language: "xx" });
  expect(isError).toBe(true);
  expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("language") }]);
});

it("shows its greetings as a resource", async () => {
  const { contents } = await client.readResource("greetings://all");
  expect(contents).toMatchObject([{ text: expect.stringContaining("Bonjour") }]);
});

it("offers a prompt", async () => {
  const { messages } = await client.getPrompt("welcome", { name: "Ada" });
  expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("Ada") } }]);
});
