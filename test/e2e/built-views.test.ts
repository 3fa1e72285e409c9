/** Views of a built server on the wire: in every revision, over every transport, and for clients with and without views. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProject, run } from "@tenon/cli";
import { listen } from "@tenon/runtime/node";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { REVISIONS } from "../support/describe-transports.js";
import { tsconfig } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { WireClient } from "../support/wire-client.js";
import { httpWire, memoryWire, stdioWire } from "../support/wires.js";

const EXTENSION = "io.modelcontextprotocol/ui";
const SHOWS_VIEWS = { extensions: { [EXTENSION]: { mimeTypes: ["text/html;profile=mcp-app"] } } };

const SOURCES = {
  "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
  "src/weather.ts": `
    import { Resource, Tool } from "@tenon/runtime";
    export interface Forecast { city: string; celsius: number }
    const chart = {
      file: "./chart.html",
      csp: { connectDomains: ["https://api.example.com"] },
      permissions: ["geolocation" as const],
      prefersBorder: true,
    };
    export class Weather {
      /** The forecast of a city. */
      @Tool({ readOnly: true, view: "./forecast.view.tsx", meta: { "example.com/rank": 1 } })
      forecast(city: string): Forecast { return { city, celsius: city.length }; }
      /** A chart. */
      @Tool({ view: chart }) chart(): number[] { return [1, 2]; }
      /** For the view alone. */
      @Tool({ readOnly: true, visibility: ["app"] }) refresh(city: string): number { return city.length; }
      /** Notes. */
      @Resource("note://{id}") note(id: string): string { return id; }
      /** A fixed note. */
      @Resource("note://first") first(): string { return "first"; }
    }`,
  "src/forecast.view.tsx": `
    import type { ViewProps } from "@tenon/runtime/view";
    import type { Weather } from "./weather.js";
    export default function Forecast({ result }: ViewProps<Weather, "forecast">) {
      return <p>{result ? result.celsius : "…"} {"</script>"}</p>;
    }`,
  "src/chart.html": "<!doctype html><title>Chart</title>",
};

/** The keys of a caller with all scopes, and of one without. */
const KEYS = { all: "adaadaadaadaadaadaadaada", none: "gracegracegracegracegrace" };

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer(SOURCES);
});
afterAll(() => built.remove());

interface Listed {
  name: string;
  uri?: string;
  _meta?: { ui?: { resourceUri?: string; visibility?: string[] }; [key: string]: unknown };
}

const WIRES = {
  memory: async () => ({ wire: memoryWire(await built.load("memory")), stop: async () => {} }),
  stdio: async () => ({ wire: stdioWire(built.program), stop: async () => {} }),
  http: async () => {
    const listener = await listen(await built.load("http"), { port: 0 });
    return { wire: httpWire(listener.url, fetch), stop: () => listener.close() };
  },
};

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("a server with views, over %s", (transport) => {
  const withClient = async (
    revision: string,
    capabilities: Record<string, unknown>,
    run: (client: WireClient) => Promise<void>,
  ): Promise<void> => {
    const { wire, stop } = await WIRES[transport]();
    const client = new WireClient(wire, { revision, capabilities });
    await client.open();
    await run(client);
    await client.close();
    await stop();
  };
  const list = async (client: WireClient, kind: "tools" | "resources"): Promise<Listed[]> =>
    (await client.result(`${kind}/list`))[kind] as Listed[];

  describe.each(REVISIONS.filter((each) => each >= "2025-06-18"))("in %s", (revision) => {
    test("declares the extension", () =>
      withClient(revision, {}, async ({ opened }) => {
        expect(opened["capabilities"]).toMatchObject({ extensions: { [EXTENSION]: {} } });
      }));

    test("refers to views with both keys, and lists them, for clients that show views", () =>
      withClient(revision, SHOWS_VIEWS, async (client) => {
        const tools = await list(client, "tools");
        const forecast = tools.find(({ name }) => name === "forecast");
        const uri = forecast?._meta?.ui?.resourceUri ?? "";
        expect(uri).toMatch(/^ui:\/\/sample\/forecast\.[\da-f]{8}\.html$/);
        expect(forecast?._meta).toEqual({
          ui: { resourceUri: uri },
          "ui/resourceUri": uri,
          "example.com/rank": 1,
        });
        expect(tools.find(({ name }) => name === "refresh")?._meta?.ui).toEqual({ visibility: ["app"] });
        const resources = await list(client, "resources");
        expect(resources.map((each) => each.name).sort()).toEqual(["chart", "first", "forecast"]);
        const chart = resources.find(({ name }) => name === "chart");
        const ui = {
          csp: { connectDomains: ["https://api.example.com"] },
          permissions: { geolocation: {} },
          prefersBorder: true,
        };
        expect(chart).toMatchObject({ mimeType: "text/html;profile=mcp-app", _meta: { ui } });
        const read = await client.result("resources/read", { uri: chart?.uri });
        expect(read["contents"]).toEqual([
          {
            uri: chart?.uri,
            mimeType: "text/html;profile=mcp-app",
            text: SOURCES["src/chart.html"],
            _meta: { ui },
          },
        ]);
        expect(await client.call("refresh", { city: "Oslo" })).toMatchObject({
          content: [{ type: "text" }],
        });
      }));
  });

  test.each([
    ...REVISIONS.map((revision) => ["no extension", revision, {}] as const),
    ["another MIME type", "2026-07-28", { extensions: { [EXTENSION]: { mimeTypes: ["text/plain"] } } }],
    ...REVISIONS.filter((each) => each < "2025-06-18").map(
      (revision) => ["no metadata in definitions", revision, SHOWS_VIEWS] as const,
    ),
  ] as const)(
    "shows no view to a client with %s in %s, and still returns its results",
    (_name, revision, capabilities) =>
      withClient(revision, capabilities, async (client) => {
        const tools = await list(client, "tools");
        expect(tools.map(({ name }) => name)).toEqual(["chart", "forecast"]);
        expect(JSON.stringify(tools)).not.toContain("ui://");
        expect((await list(client, "resources")).map(({ name }) => name)).toEqual(["first"]);
        const { content } = await client.call("forecast", { city: "Oslo" });
        expect(content).toEqual([{ type: "text", text: '{"city":"Oslo","celsius":4}' }]);
        expect(
          await client.error("tools/call", { name: "refresh", arguments: { city: "Oslo" } }),
        ).toMatchObject({
          message: expect.stringContaining('Unknown tool "refresh"') as string,
        });
      }),
  );

  test("serves the current view for the URI of an earlier build, and no other view", () =>
    withClient("2026-07-28", {}, async (client) => {
      const uri = "ui://sample/forecast.0123abcd.html";
      const { contents } = await client.result("resources/read", { uri });
      expect(contents).toMatchObject([{ uri, text: expect.stringContaining("<!doctype html>") as string }]);
      for (const unknown of [
        "ui://sample/other.0123abcd.html",
        "ui://other/forecast.0123abcd.html",
        "ui://sample/forecast.html",
      ])
        expect((await client.error("resources/read", { uri: unknown })).message).toContain("No resource");
    }));
});

test("the author can call a tool that is only for views", async () => {
  const terminal = recordingTerminal(built.root);
  expect(await run(["call", "refresh", "city=Oslo"], terminal)).toBe(0);
  expect(terminal.stdout()).toBe("4\n");
});

describe.each(REVISIONS.filter((each) => each >= "2025-06-18"))(
  "a tool that is only for views, in %s",
  (revision) => {
    let server: BuiltServer;
    let listener: Awaited<ReturnType<typeof listen>>;
    beforeAll(async () => {
      server = await buildServer({
        ...SOURCES,
        "src/weather.ts": SOURCES["src/weather.ts"].replace(
          `visibility: ["app"]`,
          `visibility: ["app"], scopes: ["refresh"], rateLimit: { calls: 1, windowMs: 60_000 }`,
        ),
        "src/server.ts": `
        import { defineServer } from "@tenon/runtime";
        import { apiKeys } from "@tenon/runtime/auth";
        const scopes = ["refresh"];
        export default defineServer({ auth: apiKeys({ ${KEYS.all}: { subject: "ada", scopes }, ${KEYS.none}: "grace" }) });`,
      });
      listener = await listen(await server.load(revision), { port: 0 });
    });
    afterAll(async () => {
      await listener.close();
      server.remove();
    });
    const open = async (key: string): Promise<WireClient> => {
      const fetchAsCaller: typeof fetch = (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set("authorization", `Bearer ${key}`);
        return fetch(url, { ...init, headers });
      };
      const wire = httpWire(listener.url, fetchAsCaller);
      const client = new WireClient(wire, { revision, capabilities: SHOWS_VIEWS });
      await client.open();
      return client;
    };

    const CALL = { name: "refresh", arguments: { city: "Oslo" } };

    test("needs its scopes", async () => {
      const client = await open(KEYS.none);
      expect(await client.error("tools/call", CALL)).toMatchObject({
        code: -32_600,
        message: expect.stringContaining("scope") as string,
      });
      await client.close();
    });

    test("obeys its rate limit", async () => {
      const client = await open(KEYS.all);
      expect(await client.result("tools/call", CALL)).toMatchObject({ content: [{ type: "text" }] });
      expect(await client.error("tools/call", CALL)).toMatchObject({ code: 429 });
      await client.close();
    });
  },
);

describe("a view of tools that a caller does not see", () => {
  let server: BuiltServer;
  beforeAll(async () => {
    server = await buildServer({
      ...SOURCES,
      "src/weather.ts": SOURCES["src/weather.ts"]
        .replace(
          `view: "./forecast.view.tsx"`,
          `view: "./forecast.view.tsx", enabled: ({ principal }) => principal?.subject === "ada"`,
        )
        .replace(
          "{ view: chart }",
          `{ view: chart, authorize: (user) => { if (user?.subject === "eve") throw new Error("Who?"); return user?.subject === "ada"; } }`,
        ),
      "src/server.ts": `
        import { defineServer } from "@tenon/runtime";
        export default defineServer({ log: "off" });`,
    });
  });
  afterAll(() => server.remove());

  test.each(["ada", "grace", "eve"])(
    "can be listed and read only by callers that see one of the tools: %s",
    async (subject) => {
      const client = new WireClient(memoryWire(await server.load(subject), subject), {
        revision: "2026-07-28",
        capabilities: SHOWS_VIEWS,
      });
      await client.open();
      const { resources } = (await client.result("resources/list")) as { resources: Listed[] };
      const isAda = subject === "ada";
      expect(resources.map(({ name }) => name).sort()).toEqual(
        isAda ? ["chart", "first", "forecast"] : ["first"],
      );
      for (const name of ["chart", "forecast"]) {
        const uri = `ui://sample/${name}.0123abcd.html`;
        if (isAda)
          expect(await client.result("resources/read", { uri })).toMatchObject({
            cacheScope: "private",
            contents: [{ uri }],
          });
        else expect((await client.error("resources/read", { uri })).message).toContain("No resource");
      }
      await client.close();
    },
  );
});

test("lists of a server with views may only be cached for one client", async () => {
  const client = new WireClient(memoryWire(await built.load("cache")), { revision: "2026-07-28" });
  await client.open();
  expect(await client.result("tools/list")).toMatchObject({ cacheScope: "private" });
  const uri = "ui://sample/forecast.0123abcd.html";
  expect(await client.result("resources/read", { uri })).toMatchObject({
    cacheScope: "public",
    ttlMs: 86_400_000,
  });
  await client.close();
});

test("a view is one HTML file without references to other files, and escapes closing tags", () => {
  const text = readFileSync(join(built.root, "dist/view-forecast.js"), "utf8");
  const html = JSON.parse(text.slice("export const html = ".length, -2)) as string;
  expect(html.match(/<\/script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=|\bimport\(|\beval\(|new Function/);
});

test("a hello-world view with Preact has at most 20 KB", () => {
  const text = readFileSync(join(built.root, "dist/view-forecast.js"), "utf8");
  const html = JSON.parse(text.slice("export const html = ".length, -2)) as string;
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(20_480);
});

test("the same sources produce the same hash", async () => {
  const again = await buildServer(SOURCES);
  const read = ({ root }: BuiltServer): string =>
    readFileSync(join(root, "dist/tenon.manifest.json"), "utf8");
  expect(read(again)).toBe(read(built));
  again.remove();
});

test.each(["startView", "mountView"])("the client of a view has at most 4 KB: %s", async (name) => {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name}, readData } from "@tenon/runtime/view";`, resolveDir: built.root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const [file] = outputFiles;
  expect(file?.contents.length).toBeLessThanOrEqual(4096);
  expect(file?.contents.length).toBeGreaterThan(2000);
});

test("a view contains the variables of the theme that it uses", async () => {
  const view = (style: string): string => `
    import type { ViewProps } from "@tenon/runtime/view";
    import type { Notes } from "./notes.js";
    export default function View({ result }: ViewProps<Notes, "list">) {
      return <p style={{ color: ${style} }}>{result}</p>;
    }`;
  const server = await buildServer({
    ...SOURCES,
    "src/notes.ts": `
      import { Tool } from "@tenon/runtime";
      export class Notes { /** Notes. */ @Tool({ view: "./notes.view.tsx" }) list(): string { return "info"; } }`,
    "src/notes.view.tsx": view(`"var(--color-text-info)"`),
  });
  const read = (): string => readFileSync(join(server.root, "dist/view-notes.js"), "utf8");
  expect(read()).toContain("--color-text-info:");
  expect(read()).not.toContain("--color-text-danger:");
  writeFileSync(join(server.root, "src/notes.view.tsx"), view("`var(--color-text-${result})`"));
  await buildProject({ root: server.root });
  expect(read()).toContain("--color-text-danger:");
  expect(read()).not.toContain("--color-ring-danger:");
  server.remove();
});

test("a view contains the styles and images that it imports", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  const server = await buildServer({
    ...SOURCES,
    "src/forecast.view.tsx": `import picture from "./picture.svg";
      import "./forecast.css";
      ${SOURCES["src/forecast.view.tsx"].replace("<p>", '<p class="forecast"><img src={picture} />')}`,
    "src/forecast.css": `@import url("https://fonts.example.com/a.css");
      .forecast { border: 3px dotted var(--color-border-info) }`,
    "src/picture.svg": svg,
  });
  const text = readFileSync(join(server.root, "dist/view-forecast.js"), "utf8");
  expect(text).toContain("3px dotted");
  expect(text).toContain("--color-border-info:#");
  expect(text).toContain("data:image/svg+xml,");
  // Browsers ignore an `@import` after other rules.
  expect(text).toContain('<style>@import\\"https://fonts.example.com/a.css\\";');
  server.remove();
});

test("the classes of a CSS module have local names", async () => {
  const server = await buildServer({
    ...SOURCES,
    "src/forecast.view.tsx": `import styles from "./forecast.module.css";
      ${SOURCES["src/forecast.view.tsx"].replace("<p>", "<p class={styles['day']}>")}`,
    "src/forecast.module.css": ".day { border: 3px dotted red }",
    ".tenon/view-assets.d.ts": "",
  });
  const text = readFileSync(join(server.root, "dist/view-forecast.js"), "utf8");
  const [, name = ""] = /\.(\w+)\{border:3px dotted red\}/.exec(text) ?? [];
  expect(text).toContain(`{day:\\"${name}\\"}`);
  expect(readFileSync(join(server.root, ".tenon/view-assets.d.ts"), "utf8")).toContain('"*.module.css"');
  server.remove();
});

test("a view cannot have rules that browsers ignore", async () => {
  const buildWith = (css: string) =>
    buildServer({
      ...SOURCES,
      "src/forecast.view.tsx": `import "./forecast.css"; import "old/old.css"; ${SOURCES["src/forecast.view.tsx"]}`,
      "src/forecast.css": css,
      "node_modules/old/package.json": `{"name":"old","exports":{"./old.css":"./old.css"}}`,
      "node_modules/old/old.css": ".old { *zoom: 1; }",
    });
  await expect(buildWith("p { color: red")).rejects.toThrow(
    /The view src\/forecast\.view\.tsx cannot be bundled\.[^]*Expected "}" to go with "{"[^]*src\/forecast\.css:1/,
  );
  await expect(buildWith("// A comment\np { color: red }")).rejects.toThrow(
    'Comments in CSS use "/* ... */"',
  );
  await expect(buildWith('p { color: red }\n@import "other";')).rejects.toThrow("must come first");
  (await buildWith("@scope (.a) { p { colr: if(style(--x): red) } }")).remove();
});

test("a view cannot import a module from a URL", async () => {
  const view = `// @ts-ignore\nimport "https://esm.example.com/a.js";${SOURCES["src/forecast.view.tsx"]}`;
  await expect(buildServer({ ...SOURCES, "src/forecast.view.tsx": view })).rejects.toThrow(
    'A view cannot import a module from a URL: "https://esm.example.com/a.js". Install its package instead.',
  );
});

test("views in folders and with names in any language are distinct", async () => {
  const names = ["charts/map", "charts-map", "grüße", "größe"];
  const pages = names.map((name) => [`src/${name}.html`, `<!doctype html><title>${name}</title>`]);
  const tools = names.map(
    (name, index) => `/** Shows it. */ @Tool({ view: "./${name}.html" }) show${index}(): void {}`,
  );
  const server = await buildServer({
    ...(Object.fromEntries(pages) as Record<string, string>),
    "src/pages.ts": `import { Tool } from "@tenon/runtime"; export class Pages { ${tools.join("\n")} }`,
  });
  const client = new WireClient(memoryWire(await server.load()), {
    revision: "2026-07-28",
    capabilities: SHOWS_VIEWS,
  });
  await client.open();
  const { tools: listed } = (await client.result("tools/list")) as { tools: Listed[] };
  for (const [index, name] of names.entries()) {
    const uri = listed.find((each) => each.name === `show${index}`)?._meta?.ui?.resourceUri;
    const { contents } = await client.result("resources/read", { uri });
    expect(contents).toMatchObject([{ uri, text: `<!doctype html><title>${name}</title>` }]);
  }
  await client.close();
  server.remove();
});
