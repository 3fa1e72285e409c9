import { connect } from "@tenon/cli/testing";
import { expect, it } from "vitest";

const server = await connect(new URL("..", import.meta.url));

it("greets in the language asked for", async () => {
  expect(await server.tools.greet({ name: "Ada", language: "fr" })).toBe("Bonjour, Ada!");
});

it("greets in English unless told otherwise", async () => {
  expect(await server.tools.greet({ name: "Ada" })).toBe("Hello, Ada!");
});

it("refuses a language it does not know, in words a model can act on", async () => {
  // @ts-expect-error The method's types are those of the tool.
  await expect(server.tools.greet({ name: "Ada", language: "xx" })).rejects.toThrow("language");
});

it("shows its greetings as a resource", async () => {
  const [contents] = (await server.client.readResource("greetings://all")).contents;
  expect(contents).toMatchObject({ text: expect.stringContaining("Bonjour") });
});

it("offers a prompt", async () => {
  const messages = await server.prompts.welcome({ name: "Ada" });
  expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("Ada") } }]);
});
