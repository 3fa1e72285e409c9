import { describe, expect, test } from "vitest";
import { describeTransports } from "../support/describe-transports.js";
import { createAskingFixture } from "./asking/application.js";

const text = (value: string): object[] => [{ type: "text", text: value }];
const ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"];
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const accept = (content: object): object => ({ action: "accept", content });

describeTransports(createAskingFixture, (open, transport) => {
  // Behavior that no transport affects is tested over two of them.
  const inDetail = transport === "memory" || transport === "web";
  describe.each(ERAS)("at %s", (revision) => {
    const isModern = revision >= "2026-07-28";
    const hasUrls = revision >= "2025-11-25";
    const withAnswers = (answer: (method: string, params: Record<string, unknown>) => unknown) =>
      open({ revision, capabilities: EVERYTHING, answer });

    test("elicitation sends the form, and continues with the answer", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      expect((await client.callAndAnswer("greet"))["content"]).toEqual(text("Hello, Ada!"));
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

    test("`ask` returns the content", async () => {
      const client = await withAnswers((_, { message }) =>
        accept(message === "Who is it?" ? { name: "Ada" } : {}),
      );
      expect((await client.callAndAnswer("welcome"))["content"]).toEqual(text("Welcome, Ada!"));
      expect(client.asked.map(({ params }) => params["message"])).toEqual(["Who is it?", "Let Ada in?"]);
    });

    test.each([
      ["decline", "The user declined this question, so the call ended: Who is it?"],
      ["cancel", "The user dismissed this question, so the call ended: Who is it?"],
    ])("`ask` ends the call if the action of the user is %s", async (action, message) => {
      const client = await withAnswers(() => ({ action }));
      expect(await client.callAndAnswer("welcome")).toMatchObject({ isError: true, content: text(message) });
      expect(client.asked).toHaveLength(1);
    });

    test("`ask` ends the call with the author's message", async () => {
      const client = await withAnswers((_, { message }) =>
        message === "Who is it?" ? accept({ name: "Ada" }) : { action: "decline" },
      );
      expect(await client.callAndAnswer("welcome")).toMatchObject({
        isError: true,
        content: text("Ada stays outside."),
      });
    });

    test.each(["decline", "cancel"])("the handler receives the action %s", async (action) => {
      const client = await withAnswers(() => ({ action }));
      expect(await client.callAndAnswer("greet")).toMatchObject({
        isError: true,
        content: text(`The user chose to ${action}.`),
      });
    });

    test("consent is elicited with a form without fields", async () => {
      const client = await withAnswers(() => ({ action: "accept", content: {} }));
      expect((await client.callAndAnswer("confirm"))["content"]).toEqual(text("accept"));
      expect(client.asked[0]?.params).toMatchObject({ requestedSchema: { type: "object", properties: {} } });
    });

    if (hasUrls) {
      test("answers are converted to the declared values, with defaults and coercions", async () => {
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
        const result = await client.callAndAnswer("book", { city: "Oslo" });
        expect(result["content"]).toEqual(text("Oslo Ada 1815 3 vegan wifi+lounge"));
      });

      test("empty fields count as absent", async () => {
        const client = await withAnswers(() => accept({ name: "Ada", seats: 1, born: "", meal: "" }));
        const result = await client.callAndAnswer("book", { city: "Oslo" });
        expect(result["content"]).toEqual(text("Oslo Ada  2  "));
      });
    } else {
      test("a field that the revision's forms cannot express is named in the error", async () => {
        const client = await withAnswers(() => accept({}));
        expect(await client.callAndAnswer("book", { city: "Oslo" })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('The field "extras" is a list of choices') as string }],
        });
        expect(client.asked).toEqual([]);
      });
    }

    test("questions can follow one another", async () => {
      const names = ["Ada", "Lovelace"];
      const client = await withAnswers(() => accept({ name: names.shift() }));
      expect((await client.callAndAnswer("sequence"))["content"]).toEqual(text("Ada Lovelace"));
      expect(client.asked.map(({ params }) => params["message"])).toEqual(["First name?", "Last name, Ada?"]);
    });

    test("the same question can be asked in a loop", async () => {
      let guess = 0;
      const client = await withAnswers(() => accept({ guess: ++guess }));
      expect((await client.callAndAnswer("guess", { secret: 4 }))["content"]).toEqual(text("Right after 4."));
      expect(client.asked).toHaveLength(4);
      if (isModern)
        expect(client.asked.map(({ key }) => key)).toEqual(["elicit-1", "elicit-2", "elicit-3", "elicit-4"]);
    });

    test("concurrent questions are matched to answers in any order", async () => {
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
      expect((await client.callAndAnswer("parallel"))["content"]).toEqual(
        text("Onefirst Onelast, Otherfirst Otherlast, Welcome!, file:///home"),
      );
      expect(client.asked.filter(({ method }) => method === "roots/list")).toHaveLength(1);
    });

    test("an effect happens once, however often the handler runs", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      const result = await client.callAndAnswer("charge");
      const [, number = "0", effects = "0"] =
        /Receipt (\d+) undefined for Ada, (\d+) effects/.exec(JSON.stringify(result)) ?? [];
      // Between the receipt and the count, two effects happen: one that returns nothing, and the print.
      expect(Number(effects) - Number(number)).toBe(2);
    });

    test("an effect in progress completes before a question is sent", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      expect((await client.callAndAnswer("slowEffect"))["content"]).toEqual(text("Ada true"));
    });

    test("an effect cannot ask the client, which would never be asked", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      expect((await client.callAndAnswer("askInStep"))["content"]).toEqual(
        text(
          'The step "inner" cannot ask the client: the handler runs again with the answer, but only after the step has ' +
            "ended. Ask before the step, or after it.\nAda",
        ),
      );
      expect(client.asked).toHaveLength(1);
    });

    test("sampling works, with tools if the client supports them", async () => {
      const client = await withAnswers((_method, { tools }) => ({
        role: "assistant",
        model: "m",
        content:
          tools === undefined
            ? { type: "text", text: "Paris" }
            : { type: "tool_use", id: "1", name: "atlas", input: {} },
        stopReason: tools === undefined ? "endTurn" : "toolUse",
      }));
      expect((await client.callAndAnswer("capital", { withTools: false }))["content"]).toEqual(text("Paris"));
      expect(client.asked[0]).toMatchObject({
        method: "sampling/createMessage",
        params: {
          messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
          maxTokens: 100,
          systemPrompt: "Be brief.",
        },
      });
      const result = await client.callAndAnswer("capital", { withTools: true });
      expect(JSON.stringify(result["content"])).toContain("tool_use");
      expect(client.asked[1]?.params).toMatchObject({
        tools: [{ name: "atlas" }],
        toolChoice: { mode: "auto" },
      });
    });

    test("roots can be requested", async () => {
      const client = await withAnswers(() => ({ roots: [{ uri: "file:///home", name: "Home" }] }));
      expect((await client.callAndAnswer("where"))["content"]).toEqual(text("Home=file:///home"));
      expect(client.asked).toEqual([
        { method: "roots/list", params: {}, ...(isModern && { key: "client_roots" }) },
      ]);
    });

    test("the author's own form is sent verbatim", async () => {
      const client = await withAnswers(() => accept({ color: "green" }));
      expect((await client.callAndAnswer("raw"))["content"]).toEqual(text("green"));
      expect(client.asked[0]?.params["requestedSchema"]).toMatchObject({
        properties: { color: { enumNames: ["Red", "Green"] } },
      });
    });

    test("prompts and resources can ask questions", async () => {
      const client = await withAnswers(() => accept({ name: "Ada" }));
      const prompt = await client.requestAndAnswer("prompts/get", {
        name: "plan",
        arguments: { city: "Oslo" },
      });
      expect(prompt.result?.["messages"]).toEqual([
        { role: "user", content: { type: "text", text: "Plan a trip to Oslo for Ada." } },
      ]);
      const read = await client.requestAndAnswer("resources/read", { uri: "diary://eve" });
      expect(read.result?.["contents"]).toMatchObject([{ text: "eve: Ada" }]);
      // The author's hint allows public caching, but a result that depends on an answer is private.
      if (isModern) expect(read.result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    });

    // Over HTTP, protocol errors also have a status.
    if (inDetail || transport === "http") {
      describe("with a client that declares less", () => {
        const CASES: [string, object, Record<string, unknown>, object, string][] = [
          ["greet", {}, {}, { elicitation: { form: {} } }, '"elicitation.form"'],
          ["greet", {}, { elicitation: { url: {} } }, { elicitation: { form: {} } }, '"elicitation.form"'],
          ["connect", {}, { elicitation: {} }, { elicitation: { url: {} } }, '"elicitation.url"'],
          ["calendar", {}, { elicitation: {} }, { elicitation: { url: {} } }, '"elicitation.url"'],
          ["capital", { withTools: false }, { roots: {} }, { sampling: {} }, '"sampling"'],
          ["capital", { withTools: true }, { sampling: {} }, { sampling: { tools: {} } }, '"sampling.tools"'],
          ["where", {}, { sampling: {} }, { roots: {} }, '"roots"'],
        ];

        test.each(CASES)("%s %j rejects %j", async (name, args, capabilities, needed, words) => {
          const client = await open({ revision, capabilities });
          const message = await client.request("tools/call", { name, arguments: args });
          expect(client.asked).toEqual([]);
          if (isModern) {
            expect(message.error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } });
          } else {
            const text =
              revision === "2025-06-18" && words === '"elicitation.url"'
                ? `the capability ${words}, which the protocol revision 2025-06-18 does not have`
                : `does not declare the capability ${words}`;
            expect(message.result).toMatchObject({
              isError: true,
              content: [{ text: expect.stringContaining(text) as string }],
            });
          }
        });

        test("an empty `elicitation` capability allows forms", async () => {
          const client = await open({
            revision,
            capabilities: { elicitation: {} },
            answer: () => accept({ name: "Ada" }),
          });
          expect((await client.callAndAnswer("greet"))["content"]).toEqual(text("Hello, Ada!"));
        });

        test("the handler can continue without an answer", async () => {
          const client = await open({ revision });
          expect((await client.callAndAnswer("stubborn"))["content"]).toEqual(text("Stranger"));
        });
      });
    }

    if (inDetail) {
      describe("a malformed answer", () => {
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
          [
            "a stop reason of another type",
            "capital",
            { withTools: false },
            { role: "assistant", model: "m", content: { type: "text", text: "Oslo" }, stopReason: 5 },
          ],
          ["no roots", "where", {}, { roots: "file:///" }],
          ["a root without URI", "where", {}, { roots: [{ name: "x" }] }],
          ["a color that is not a choice", "raw", {}, accept({ color: "blue" })],
        ];

        test.each(NONSENSE)("does not complete the question: %s", async (_, name, args, answer) => {
          const client = await withAnswers(() => answer);
          const message = await client.requestAndAnswer("tools/call", { name, arguments: args });
          if (isModern) expect(message.error?.code).toBe(-32602);
          else expect(message.result).toMatchObject({ isError: true });
          expect(JSON.stringify(message)).toContain("not valid");
        });

        test("to a form is reported with the problem", async () => {
          const client = await withAnswers(() => accept({ nam: "Ada" }));
          const message = await client.requestAndAnswer("tools/call", { name: "greet" });
          expect(JSON.stringify(message)).toContain("missing field `name` (a string)");
        });
      });
    }

    test("elicitation requires a form, derived or given", async () => {
      const client = await withAnswers(() => accept({}));
      expect(await client.callAndAnswer("formless")).toMatchObject({ isError: true });
      expect(client.asked).toEqual([]);
    });

    if (hasUrls) {
      test("URL elicitation sends the user to a URL", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        expect((await client.callAndAnswer("connect"))["content"]).toEqual(text("accept"));
        const params: Record<string, unknown> = client.asked[0]?.params ?? {};
        expect(params).toMatchObject({
          mode: "url",
          message: "Connect your calendar.",
          url: "https://example.com/connect",
        });
        expect(typeof params["elicitationId"]).toBe(isModern ? "undefined" : "string");
      });

      test("URL elicitation rejects addresses that browsers do not open", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        for (const name of ["visit", "visitFirst"]) {
          for (const url of ["example.com/connect", "/connect", "", "javascript:alert(1)", "file:///etc"]) {
            expect((await client.callAndAnswer(name, { url }))["content"]).toEqual(
              text(
                `TypeError: The URL for a user must be an absolute HTTP URL, such as "https://example.com/connect" (got ${JSON.stringify(url)}).`,
              ),
            );
          }
        }
        expect(client.asked).toEqual([]);
      });

      test("a required URL is reported in the format of the revision", async () => {
        const client = await withAnswers(() => ({ action: "accept" }));
        const message = await client.requestAndAnswer("tools/call", { name: "calendar" });
        if (isModern) {
          expect(client.asked).toMatchObject([{ key: "url-required-1", params: { mode: "url" } }]);
          expect(message.result).toMatchObject({
            isError: true,
            content: text("The user has not completed the interaction at the URL yet. Try again later."),
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

  describe("in revisions without forms", () => {
    test.each(["2024-11-05", "2025-03-26"])(
      "at %s, sampling and roots work, but forms are rejected",
      async (revision) => {
        const client = await open({
          revision,
          capabilities: EVERYTHING,
          answer: (method) =>
            method === "roots/list"
              ? { roots: [{ uri: "file:///home", name: "Home" }] }
              : { role: "assistant", model: "m", content: { type: "text", text: "Paris" } },
        });
        expect((await client.callAndAnswer("where"))["content"]).toEqual(text("Home=file:///home"));
        expect((await client.callAndAnswer("capital", { withTools: false }))["content"]).toEqual(
          text("Paris"),
        );
        expect(await client.callAndAnswer("greet")).toMatchObject({ isError: true });
        expect(client.asked).toHaveLength(2);
      },
    );
  });
});
