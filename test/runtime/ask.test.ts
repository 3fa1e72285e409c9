import { describe, expect, test } from "vitest";
import { describeTransports } from "../support/describe-transports.js";
import { asking } from "./asking/subject.js";

const text = (value: string): object[] => [{ type: "text", text: value }];
const ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"];
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const accept = (content: object): object => ({ action: "accept", content });

describeTransports(asking, (open, transport) => {
  // What no transport has a part in is looked at where conversations open fast.
  const inDetail = transport === "memory" || transport === "web";
  describe.each(ERAS)("at %s", (revision) => {
    const isModern = revision >= "2026-07-28";
    const hasUrls = revision >= "2025-11-25";
    const withAnswers = (answer: (method: string, params: Record<string, unknown>) => unknown) =>
      open({ revision, capabilities: EVERYTHING, answer });

    test("asks with the form, and goes on with the answer", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      expect((await client.callThrough("greet"))["content"]).toEqual(text("Hello, Ada!"));
      const requestedSchema = {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      };
      expect(client.asked).toEqual([
        {
          method: "elicitation/create",
          params: { message: "What is your name?", requestedSchema },
          ...(isModern && { key: "user_name" }),
        },
      ]);
    });

    test.each(["decline", "cancel"])("tells the handler of a %s", async (action) => {
      const client = await withAnswers(() => ({ action }));
      expect(await client.callThrough("greet")).toMatchObject({
        isError: true,
        content: text(`The user chose to ${action}.`),
      });
    });

    test("asks for consent with a form without fields", async () => {
      const client = await withAnswers(() => ({ action: "accept", content: {} }));
      expect((await client.callThrough("confirm"))["content"]).toEqual(text("accept"));
      expect(client.asked[0]?.params).toMatchObject({ requestedSchema: { type: "object", properties: {} } });
    });

    if (hasUrls) {
      test("converts answers to the declared values, with defaults and coercions", async () => {
        const client = await withAnswers(() =>
          accept({
            name: "Ada",
            born: "1815-12-10",
            seats: "2",
            meal: "vegan",
            extras: ["wifi", "lounge"],
            own: 1,
          }),
        );
        const result = await client.callThrough("book", { city: "Oslo" });
        expect(result["content"]).toEqual(text("Oslo Ada 1815 3 vegan wifi+lounge"));
      });

      test("takes empty fields for absent ones", async () => {
        const client = await withAnswers(() => accept({ name: "Ada", seats: 1, born: "", meal: "" }));
        const result = await client.callThrough("book", { city: "Oslo" });
        expect(result["content"]).toEqual(text("Oslo Ada  2  "));
      });
    } else {
      test("says which field the revision has no form for", async () => {
        const client = await withAnswers(() => accept({}));
        expect(await client.callThrough("book", { city: "Oslo" })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('The field "extras" is a list of choices') as string }],
        });
        expect(client.asked).toEqual([]);
      });
    }

    test("asks one question after the other", async () => {
      const names = ["Ada", "Lovelace"];
      const client = await withAnswers(() => accept({ name: names.shift() }));
      expect((await client.callThrough("sequence"))["content"]).toEqual(text("Ada Lovelace"));
      expect(client.asked.map(({ params }) => params["message"])).toEqual(["First name?", "Last name, Ada?"]);
    });

    test("asks the same question in a loop", async () => {
      let guess = 0;
      const client = await withAnswers(() => accept({ guess: ++guess }));
      expect((await client.callThrough("guess", { secret: 4 }))["content"]).toEqual(text("Right after 4."));
      expect(client.asked).toHaveLength(4);
      if (isModern)
        expect(client.asked.map(({ key }) => key)).toEqual(["elicit-1", "elicit-2", "elicit-3", "elicit-4"]);
    });

    test("asks side by side, and matches answers whatever their order", async () => {
      const sampled = { role: "assistant", content: { type: "text", text: "Welcome!" }, model: "m" };
      const asked = new Set<unknown>();
      const client = await withAnswers((method, { message }) => {
        if (method === "roots/list") return { roots: [{ uri: "file:///home", name: "Home" }] };
        if (method === "sampling/createMessage") return sampled;
        // One of the two is answered a round later than it could be.
        if (isModern && message === "One: first?" && !asked.has(message)) {
          asked.add(message);
          return undefined;
        }
        return accept({ name: String(message).replace(/\W/g, "") });
      });
      expect((await client.callThrough("parallel"))["content"]).toEqual(
        text("Onefirst Onelast, Otherfirst Otherlast, Welcome!, file:///home"),
      );
      expect(client.asked.filter(({ method }) => method === "roots/list")).toHaveLength(1);
    });

    test("performs an effect once, however often the handler runs", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      const result = await client.callThrough("charge");
      const [, number = "0", effects = "0"] =
        /Receipt (\d+) undefined for Ada, (\d+) effects/.exec(JSON.stringify(result)) ?? [];
      // The receipt, nothing and the print: one effect each.
      expect(Number(effects) - Number(number)).toBe(2);
    });

    test("completes an effect in progress before it asks", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      expect((await client.callThrough("slowEffect"))["content"]).toEqual(text("Ada true"));
    });

    test("samples, with tools where the client has them", async () => {
      const client = await withAnswers((_method, { tools }) => ({
        role: "assistant",
        model: "m",
        content:
          tools === undefined
            ? { type: "text", text: "Paris" }
            : { type: "tool_use", id: "1", name: "atlas", input: {} },
        stopReason: tools === undefined ? "endTurn" : "toolUse",
      }));
      expect((await client.callThrough("capital", { withTools: false }))["content"]).toEqual(text("Paris"));
      expect(client.asked[0]).toMatchObject({
        method: "sampling/createMessage",
        params: {
          messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
          maxTokens: 100,
          systemPrompt: "Be brief.",
        },
      });
      const result = await client.callThrough("capital", { withTools: true });
      expect(JSON.stringify(result["content"])).toContain("tool_use");
      expect(client.asked[1]?.params).toMatchObject({
        tools: [{ name: "atlas" }],
        toolChoice: { mode: "auto" },
      });
    });

    test("asks for roots", async () => {
      const client = await withAnswers(() => ({ roots: [{ uri: "file:///home", name: "Home" }] }));
      expect((await client.callThrough("where"))["content"]).toEqual(text("Home=file:///home"));
      expect(client.asked).toEqual([
        { method: "roots/list", params: {}, ...(isModern && { key: "client_roots" }) },
      ]);
    });

    test("takes a form that the author wrote", async () => {
      const client = await withAnswers(() => accept({ color: "green" }));
      expect((await client.callThrough("raw"))["content"]).toEqual(text("green"));
      expect(client.asked[0]?.params["requestedSchema"]).toMatchObject({
        properties: { color: { enumNames: ["Red", "Green"] } },
      });
    });

    test("asks from prompts and from resources", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      const prompt = await client.through("prompts/get", { name: "plan", arguments: { city: "Oslo" } });
      expect(prompt.result?.["messages"]).toEqual([
        { role: "user", content: { type: "text", text: "Plan a trip to Oslo for Ada." } },
      ]);
      const read = await client.through("resources/read", { uri: "diary://eve" });
      expect(read.result?.["contents"]).toMatchObject([{ text: "eve: Ada" }]);
      // The author's hint is for everyone; what depends on an answer is not.
      if (isModern) expect(read.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    });

    // Where an error of the protocol has a status too, HTTP has a part in it.
    if (inDetail || transport === "http") {
      describe("of a client that declares less", () => {
        const CASES: [string, object, Record<string, unknown>, object, string][] = [
          ["greet", {}, {}, { elicitation: { form: {} } }, '"elicitation.form"'],
          ["greet", {}, { elicitation: { url: {} } }, { elicitation: { form: {} } }, '"elicitation.form"'],
          ["connect", {}, { elicitation: {} }, { elicitation: { url: {} } }, '"elicitation.url"'],
          ["calendar", {}, { elicitation: {} }, { elicitation: { url: {} } }, '"elicitation.url"'],
          ["capital", { withTools: false }, { roots: {} }, { sampling: {} }, '"sampling"'],
          ["capital", { withTools: true }, { sampling: {} }, { sampling: { tools: {} } }, '"sampling.tools"'],
          ["where", {}, { sampling: {} }, { roots: {} }, '"roots"'],
        ];

        test.each(CASES)("refuses %s %j to %j", async (name, args, capabilities, needed, words) => {
          const client = await open({ revision, capabilities });
          const message = await client.request("tools/call", { name, arguments: args });
          expect(client.asked).toEqual([]);
          if (isModern) {
            expect(message.error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } });
          } else {
            expect(message.result).toMatchObject({
              isError: true,
              content: [
                { text: expect.stringContaining(`does not declare the capability ${words}`) as string },
              ],
            });
          }
        });

        test("takes an empty `elicitation` for forms", async () => {
          const client = await open({
            revision,
            capabilities: { elicitation: {} },
            answer: () => accept({ name: "Ada" }),
          });
          expect((await client.callThrough("greet"))["content"]).toEqual(text("Hello, Ada!"));
        });

        test("lets the handler do without", async () => {
          const client = await open({ revision });
          expect((await client.callThrough("stubborn"))["content"]).toEqual(text("Stranger"));
        });
      });
    }

    if (inDetail) {
      describe("malformed answers", () => {
        const NONSENSE: [string, string, object, unknown][] = [
          ["a number", "greet", {}, 12345],
          ["null", "greet", {}, null],
          ["an unknown action", "greet", {}, { action: "maybe" }],
          ["no content", "greet", {}, { action: "accept" }],
          ["content of another type", "greet", {}, accept([])],
          ["a field of another type", "greet", {}, accept({ name: { first: "Ada" } })],
          ["no message", "capital", { withTools: false }, { role: "assistant", model: "m" }],
          [
            "unknown content",
            "capital",
            { withTools: false },
            { role: "assistant", model: "m", content: { type: "x" } },
          ],
          ["no roots", "where", {}, { roots: "file:///" }],
          ["a root without URI", "where", {}, { roots: [{ name: "x" }] }],
          ["a colour that is no choice", "raw", {}, accept({ color: "blue" })],
        ];

        test.each(NONSENSE)("does not complete: %s", async (_, name, args, answer) => {
          const client = await withAnswers(() => answer);
          const message = await client.through("tools/call", { name, arguments: args });
          if (isModern) expect(message.error?.code).toBe(-32602);
          else expect(message.result).toMatchObject({ isError: true });
          expect(JSON.stringify(message)).toContain("not valid");
        });

        test("says what is wrong with the content of a form", async () => {
          const client = await withAnswers(() => accept({ nam: "Ada" }));
          const message = await client.through("tools/call", { name: "greet" });
          expect(JSON.stringify(message)).toContain("missing field `name` (a string)");
        });
      });
    }

    test("needs a form, derived or given", async () => {
      const client = await withAnswers(() => accept({}));
      expect(await client.callThrough("formless")).toMatchObject({ isError: true });
      expect(client.asked).toEqual([]);
    });

    if (hasUrls) {
      test("sends a user to a URL", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        expect((await client.callThrough("connect"))["content"]).toEqual(text("accept"));
        const params: Record<string, unknown> = client.asked[0]?.params ?? {};
        expect(params).toMatchObject({
          mode: "url",
          message: "Connect your calendar.",
          url: "https://example.com/connect",
        });
        expect(typeof params["elicitationId"]).toBe(isModern ? "undefined" : "string");
      });

      test("refuses to send a user to what no browser opens", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        for (const name of ["visit", "visitFirst"]) {
          for (const url of ["example.com/connect", "/connect", "", "javascript:alert(1)", "file:///etc"]) {
            expect((await client.callThrough(name, { url }))["content"]).toEqual(
              text(
                `TypeError: A user can only be sent to a whole URL of the web, such as "https://example.com/connect" (got ${JSON.stringify(url)}).`,
              ),
            );
          }
        }
        expect(client.asked).toEqual([]);
      });

      test("says that a URL has to be visited first, in the way of the revision", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        const message = await client.through("tools/call", { name: "calendar" });
        if (isModern) {
          expect(client.asked).toMatchObject([{ key: "url-required-1", params: { mode: "url" } }]);
          expect(message.result).toMatchObject({
            isError: true,
            content: text("The user is not done at the URL yet. Try again later."),
          });
        } else {
          expect(message.error).toMatchObject({
            code: -32042,
            data: {
              elicitations: [
                {
                  mode: "url",
                  message: "Connect your calendar.",
                  url: "https://example.com/connect",
                  elicitationId: "calendar",
                },
              ],
            },
          });
        }
      });
    }
  });

  describe("of revisions without forms", () => {
    test.each(["2024-11-05", "2025-03-26"])(
      "at %s, samples and asks for roots, but shows no forms",
      async (revision) => {
        const client = await open({
          revision,
          capabilities: EVERYTHING,
          answer: (method) =>
            method === "roots/list"
              ? { roots: [{ uri: "file:///home", name: "Home" }] }
              : { role: "assistant", model: "m", content: { type: "text", text: "Paris" } },
        });
        expect((await client.callThrough("where"))["content"]).toEqual(text("Home=file:///home"));
        expect((await client.callThrough("capital", { withTools: false }))["content"]).toEqual(text("Paris"));
        expect(await client.callThrough("greet")).toMatchObject({ isError: true });
        expect(client.asked).toHaveLength(2);
      },
    );
  });
});
