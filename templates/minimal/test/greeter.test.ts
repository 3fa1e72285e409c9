import { connect } from "@tenon/cli/testing";
import { expect, it } from "vitest";

const server = await connect(new URL("..", import.meta.url));

it("greets in the requested language", async () => {
  expect(await server.tools.greet({ name: "Ada", language: "fr" })).toBe("Bonjour, Ada!");
});

it("greets in English by default", async () => {
  expect(await server.tools.greet({ name: "Ada" })).toBe("Hello, Ada!");
});

it("rejects an unknown language and names the argument", async () => {
  // @ts-expect-error The tool has the types of the method.
  await expect(server.tools.greet({ name: "Ada", language: "xx" })).rejects.toThrow("language");
});

it("provides its greetings as a resource", async () => {
  const [contents] = (await server.client.readResource("greetings://all")).contents;
  expect(contents).toMatchObject({ text: expect.stringContaining("Bonjour") });
});

it("provides a prompt", async () => {
  const messages = await server.prompts.welcome({ name: "Ada" });
  expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("Ada") } }]);
});
