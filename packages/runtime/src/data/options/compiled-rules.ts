import { isObject } from "../../protocol/jsonrpc.js";
import type { ToolOptions } from "../../api/options.js";
import type { OptionRule } from "./option-rule.js";
import { list, object, oneOf, rule, BOOLEAN, SIZE, STRING } from "./rule-kinds.js";

/** An origin of a Content Security Policy. The first label may be a wildcard. */
const ORIGIN = rule(
  "an origin without a path, such as https://api.example.com or https://*.example.com",
  (value) =>
    typeof value === "string" &&
    /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i.test(value),
);
const ORIGINS = list("a list of origins", ORIGIN);

/** A string that ChatGPT shows. */
const STATUS = rule(
  "a string of at most 64 characters",
  (value) => typeof value === "string" && value !== "" && value.length <= 64,
);

/** The rules of options of tools that only the compiler reads. A running server does not contain them. */
export const COMPILER_TOOL_RULES: Readonly<
  Record<keyof Pick<ToolOptions, "view" | "visibility" | "openai" | "maxResultChars">, OptionRule>
> = {
  maxResultChars: SIZE,
  openai: object("an object with strings for ChatGPT", { invoking: STATUS, invoked: STATUS }),
  view: {
    ...object(
      "the path of a file, or an object with a file",
      {
        file: STRING,
        csp: object("an object with lists of origins", {
          connectDomains: ORIGINS,
          resourceDomains: ORIGINS,
          frameDomains: ORIGINS,
          baseUriDomains: ORIGINS,
        }),
        permissions: list(
          "a list of permissions",
          oneOf("camera", "microphone", "geolocation", "clipboardWrite"),
        ),
        prefersBorder: BOOLEAN,
        domain: STRING,
        displayModes: list("a list of display modes", oneOf("inline", "fullscreen", "pip")),
        autoSize: BOOLEAN,
        openai: object("an object with settings for ChatGPT", {
          description: STRING,
          domain: ORIGIN,
          redirectDomains: ORIGINS,
        }),
      },
      ["file"],
    ),
    accepts: (value) => STRING.accepts(value) || isObject(value),
  },
  visibility: {
    ...list('["model"], ["app"], or both', oneOf("model", "app")),
    accepts: (value) => Array.isArray(value) && value.length > 0,
  },
};
