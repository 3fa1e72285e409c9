import { afterAll, expect, test } from "vitest";
import { INVALID_DECORATOR_OPTIONS, INVALID_SERVER_OPTIONS, toSource } from "../support/invalid-options.js";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("options");
afterAll(() => project.remove());

/** Returns the lines (from 1) with errors, and the codes on each. */
function errorsByLine(file: string, text: string): Map<number, string[]> {
  const others: Record<string, string> =
    file === "src/server.ts" ? { "src/tools.ts": TOOLS } : { "src/server.ts": "export {};" };
  const { diagnostics } = project.compile({ ...others, [file]: text });
  const found = new Map<number, string[]>();
  for (const { code, severity, span } of diagnostics) {
    if (severity !== "error" || span?.file !== file) continue;
    found.set(span.start.line, [...(found.get(span.start.line) ?? []), code]);
  }
  return found;
}

const TOOLS = `
  import { Tool } from "@tenon/runtime";
  export class Tools {
    /** Adds. */
    @Tool() add(a: number): number { return a; }
  }`;

const getParent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));
const paths = Object.entries(INVALID_SERVER_OPTIONS);

/** The options by the option that contains them. The path of `defineServer` itself is empty. */
const BY_PARENT = new Map(
  paths.map(([path]) => [getParent(path), paths.filter(([other]) => getParent(other) === getParent(path))]),
);

test.each([
  ["alone", ""],
  ["behind a cast", " as never"],
])("a build reports each invalid literal in defineServer, %s", (_name, cast) => {
  const missed: string[] = [];
  for (const [parent, options] of BY_PARENT) {
    const variants = Math.max(...options.map(([, values]) => values.length));
    for (let variant = 0; variant < variants; variant++) {
      const lines = options
        .filter(([, values]) => variant < values.length)
        .map(([path, values]) => `${path.split(".").at(-1)}: ${toSource(values[variant])}${cast},`);
      const outer = parent === "" ? [] : parent.split(".");
      const [open, close] = [outer.map((each) => `${each}: {`).join(""), "}".repeat(outer.length)];
      const text = `import { defineServer } from "@tenon/runtime"; export default defineServer({${open}\n${lines.join("\n")}\n${close}});`;
      const errors = errorsByLine("src/server.ts", text);
      for (const [index, line] of lines.entries())
        if (!errors.has(index + 2)) missed.push(`${parent} ${line}`);
    }
  }
  expect(missed).toEqual([]);
});

const DECLARATIONS = {
  Tool: (options: string, index: number) =>
    `@Tool(${options}) method${index}(id: string): string { return id; }`,
  Prompt: (options: string, index: number) =>
    `@Prompt(${options}) method${index}(id: string): string { return id; }`,
  Resource: (options: string, index: number) =>
    `@Resource("x${index}://{id}", ${options}) method${index}(id: string): string { return id; }`,
};

test.each(Object.keys(DECLARATIONS) as (keyof typeof DECLARATIONS)[])(
  "a build reports each invalid literal in @%s",
  (decorator) => {
    const options = Object.entries(INVALID_DECORATOR_OPTIONS[decorator]);
    const tried = options.flatMap(([name, values]) =>
      values.flatMap((value) => ["", " as never"].map((cast) => `{ ${name}: ${toSource(value)}${cast} }`)),
    );
    const lines = tried.map((each, index) => DECLARATIONS[decorator](each, index));
    const text = `import { ${decorator} } from "@tenon/runtime"; export class Tools {\n${lines.join("\n")}\n}`;
    const errors = errorsByLine("src/tools.ts", text);
    expect(tried.filter((_, index) => !errors.has(index + 2))).toEqual([]);
  },
);

test("with exactOptionalPropertyTypes, every option may be undefined", () => {
  const exact = createScratchProject("exact-options", { exactOptionalPropertyTypes: true });
  const { diagnostics } = exact.compile({
    "src/exact.ts": `
      import type * as tenon from "@tenon/runtime";
      import type { OAuthOptions, JwtOptions, IntrospectionOptions } from "@tenon/runtime/auth";
      import type { RedisOptions } from "@tenon/runtime/redis";
      import type { BullmqOptions } from "@tenon/runtime/bullmq";
      import type { ConnectOptions } from "@tenon/runtime/testing";
      type Inexact<Options> = {
        [Name in keyof Options]-?: {} extends Pick<Options, Name>
          ? { [_ in Name]: undefined } extends Pick<Options, Name> ? never : Name
          : never;
      }[keyof Options];
      type None<Names extends never> = Names;
      export type All = [
        None<Inexact<tenon.ServerConfig>>,
        None<Inexact<NonNullable<tenon.ServerConfig["limits"]>>>,
        None<Inexact<tenon.HttpConfig>>,
        None<Inexact<tenon.HealthConfig>>,
        None<Inexact<tenon.StdioConfig>>,
        None<Inexact<Exclude<tenon.PrincipalInput, string>>>,
        None<Inexact<tenon.CacheOptions>>,
        None<Inexact<tenon.ToolOptions>>,
        None<Inexact<tenon.PromptOptions>>,
        None<Inexact<tenon.ResourceOptions>>,
        None<Inexact<tenon.ElicitOptions>>,
        None<Inexact<tenon.ElicitUrlOptions>>,
        None<Inexact<OAuthOptions>>,
        None<Inexact<JwtOptions>>,
        None<Inexact<IntrospectionOptions>>,
        None<Inexact<RedisOptions>>,
        None<Inexact<BullmqOptions>>,
        None<Inexact<ConnectOptions>>,
      ];`,
  });
  exact.remove();
  expect(diagnostics.filter(({ code }) => code !== "server-empty")).toEqual([]);
});
