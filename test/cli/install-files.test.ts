/**
 * Configurations of every client and style: a server is added and removed again, and everything else stays.
 *
 * Each file in `install-files/` is one style, with `KEY` for the name of the list of servers.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { run } from "@tenon/cli";
import { parse as parseJson } from "jsonc-parser";
import * as fc from "fast-check";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
// Internal: configurations of clients that are not installed here.
import {
  getConfigEnvironment,
  INSTALLABLE_CLIENTS,
  type InstallableClient,
} from "../../packages/cli/src/install/client-config.js";
import { replaceConfig } from "../../packages/cli/src/install/config-file.js";
import { changeConfig } from "../../packages/cli/src/install/config-text.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const STYLES = readdirSync(resolve(import.meta.dirname, "install-files")).filter((name) =>
  /^[^.]+\.(?:json|toml|yaml)$/.test(name),
);
/** The styles whose list of servers is missing or empty. After a removal, it is an empty list. */
const WITHOUT_SERVERS = /section\.(?!toml)|no-section|empty|blank|only-comments/;

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder({ "dist/server.js": "", "home/.keep": "" });
  vi.stubEnv("HOME", join(project.root, "home"));
  for (const name of ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

async function install(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["install", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

function getFile(client: InstallableClient): string {
  const file = client.file("user", getConfigEnvironment(project.root)) ?? "";
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

function readSettings(format: InstallableClient["format"], text: string): Record<string, unknown> {
  const plain = text.replace(/^\uFEFF/, "");
  const settings: unknown =
    format === "json"
      ? parseJson(plain, [], { allowTrailingComma: true })
      : format === "toml"
        ? parseToml(plain)
        : parseYaml(plain);
  return { ...(settings as object | undefined) };
}

describe.each(INSTALLABLE_CLIENTS)("the configuration of $name", (client) => {
  const { name, format, key } = client;

  test.each(STYLES.filter((style) => style.endsWith(`.${format}`)))(
    "with %s changes only where the server is added and removed",
    async (style) => {
      const source = readFileSync(resolve(import.meta.dirname, "install-files", style), "utf8");
      const text = source.replaceAll("KEY", key);
      const file = getFile(client);
      writeFileSync(file, text);
      expect(await install(name, "--env", "MODE=a")).toMatchObject({ code: 0, err: "" });
      const added = readFileSync(file, "utf8");
      const settings = readSettings(format, text);
      const servers = { ...(settings[key] as object | null) };
      const { [key]: now, ...others } = readSettings(format, added);
      const { sample, ...neighbors } = now as Record<string, unknown>;
      delete settings[key];
      expect({ others, neighbors }).toEqual({ others: settings, neighbors: servers });
      expect(JSON.stringify(sample)).toContain("server.js");
      expect(added.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
      if (text.includes("\r\n")) expect(added).not.toMatch(/(?<!\r)\n/);
      if (client === INSTALLABLE_CLIENTS.find((each) => each.format === format)) {
        const shown = added.replaceAll(project.root, "<project>").replaceAll(process.execPath, "<node>");
        await expect(shown).toMatchFileSnapshot(`install-files/${style}.txt`);
      }
      expect((await install(name, "--env", "MODE=a")).out).toContain("already");
      // An update changes one value.
      expect((await install(name, "--env", "MODE=b")).code).toBe(0);
      const updated = readFileSync(file, "utf8");
      expect(updated).toBe(added.replace(/(?<=MODE.{1,6})a/, "b"));
      expect(await install(name, "--remove")).toMatchObject({ code: 0, err: "" });
      const removed = readFileSync(file, "utf8");
      const after = readSettings(format, removed);
      expect({ ...after, [key]: { ...(after[key] as object | undefined) } }).toEqual({
        ...settings,
        [key]: servers,
      });
      // A line break at the end of the file stays.
      if (!WITHOUT_SERVERS.test(style)) expect([text, `${text}\n`]).toContain(removed);
      expect((await install(name, "--remove")).out).toContain("has no server");
    },
  );

  test("is rejected and unchanged if it is not valid UTF-8", async () => {
    const file = getFile(client);
    for (const bytes of [
      Buffer.from(`# caf\xe9\n`, "latin1"),
      Buffer.from("\uFEFF{}", "utf16le"),
      Buffer.from([0xed, 0xa0, 0x80]),
    ]) {
      writeFileSync(file, bytes);
      for (const args of [[name], [name, "--remove"], [name, "--print"]]) {
        const { code, err } = await install(...args);
        expect(err.replaceAll(/\s+/g, " ")).toContain(
          `${relative(project.root, file)} is not valid UTF-8. hint Save the file in UTF-8`,
        );
        expect(code).toBe(1);
      }
      expect(readFileSync(file)).toEqual(bytes);
      expect(readdirSync(dirname(file)).filter((each) => each.includes("tenon"))).toEqual([]);
    }
  });

  test("stays a link, even to a file or through links that do not exist yet", async () => {
    const file = getFile(client);
    const dotfiles = join(project.root, "home/dotfiles");
    mkdirSync(dotfiles);
    symlinkSync(relative(dirname(file), join(dotfiles, "link")), file);
    symlinkSync("deep/config", join(dotfiles, "link"));
    expect((await install(name)).code).toBe(0);
    expect(readlinkSync(file)).toBe(relative(dirname(file), join(dotfiles, "link")));
    expect(readFileSync(join(dotfiles, "deep/config"), "utf8")).toContain("sample");
    expect(statSync(join(dotfiles, "deep/config")).mode & 0o777).toBe(0o600);
    expect((await install(name, "--remove")).code).toBe(0);
    expect(readlinkSync(join(dotfiles, "link"))).toBe("deep/config");
    expect(readFileSync(join(dotfiles, "deep/config"), "utf8")).not.toContain("sample");
  });

  test("is found through a relative link in a linked folder", async () => {
    const file = getFile(client);
    const real = join(project.root, "data/client");
    mkdirSync(join(project.root, "data/dotfiles"), { recursive: true });
    renameSync(dirname(file), real);
    symlinkSync(real, dirname(file));
    symlinkSync("../dotfiles/config", join(real, basename(file)));
    expect((await install(name)).code).toBe(0);
    expect(readFileSync(join(project.root, "data/dotfiles/config"), "utf8")).toContain("sample");
  });

  test("is not changed if its link leads to itself", async () => {
    const file = getFile(client);
    symlinkSync(basename(file), file);
    const { code, err } = await install(name);
    expect(err).toContain("is a symbolic link that leads to itself.");
    expect(code).toBe(1);
  });

  test("is not replaced if it is read-only", async () => {
    const file = getFile(client);
    writeFileSync(file, "");
    chmodSync(file, 0o444);
    const { code, err } = await install(name);
    expect(err.replaceAll(/\s+/g, " ")).toContain("is read-only. hint Make the file writable");
    expect(code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe("");
    expect(existsSync(`${file}.before-tenon`)).toBe(false);
  });

  test("is not replaced if another program changes it after it was read", () => {
    const file = getFile(client);
    writeFileSync(file, "theirs");
    const replace = (before: string): unknown => replaceConfig(file, "ours", { before, hasBackup: false });
    expect(() => replace("read")).toThrow("Another program changed");
    expect(readFileSync(file, "utf8")).toBe("theirs");
    expect(readdirSync(dirname(file)).filter((name) => name.includes("tenon"))).toEqual([]);
    replace("theirs");
    expect(readFileSync(file, "utf8")).toBe("ours");
  });

  test.skipIf(client.file("project", getConfigEnvironment(".")) === undefined)(
    "loses the entry of the project, even with more arguments, but no entry of another program",
    async () => {
      const scope = ["--scope", "project"];
      const file = client.file("project", getConfigEnvironment(project.root)) ?? "";
      expect(await install(name, ...scope)).toMatchObject({ code: 0, err: "" });
      const text = readFileSync(file, "utf8");
      const script = /"[^"]*dist\/server\.js"/.exec(text)?.[0] ?? "";
      writeFileSync(file, text.replace(script, `"--enable-source-maps", ${script}`));
      expect(await install(name, "--remove", ...scope)).toMatchObject({ code: 0, err: "" });
      expect(readFileSync(file, "utf8")).not.toContain("sample");
      writeFileSync(file, text.replace(script, '"elsewhere/server.js"'));
      expect((await install(name, "--remove", ...scope)).err).toContain("To remove it anyway");
      expect(readFileSync(file, "utf8")).toContain("elsewhere");
    },
  );

  test("keeps an entry of the same name that another program wrote", async () => {
    const file = getFile(client);
    const address = { command: "npx", args: ["-y", "server-filesystem", project.root], env: {} };
    const entry = client.entry(address, "sample") ?? {};
    writeFileSync(file, changeConfig({ format, file, text: "" }, { key, server: "sample", entry }));
    const text = readFileSync(file, "utf8");
    expect((await install(name)).err).toContain(`another server named sample in ${file}`);
    expect((await install(name, "--remove")).err).toContain("To remove it anyway, name it: --name sample.");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await install(name, "--remove", "--name", "sample")).code).toBe(0);
    expect(readSettings(format, readFileSync(file, "utf8"))[key] ?? {}).toEqual({});
    expect(readFileSync(`${file}.before-tenon`, "utf8")).toBe(text);
  });
});

/** Writes settings in one of several styles. */
const WRITERS: Record<InstallableClient["format"], (settings: object, style: number) => string> = {
  json: (settings, style) => {
    const lines = JSON.stringify(settings, null, [4, 2, "\t", 0][style % 4]).split("\n");
    const commented = lines.map((line, index) => ((index + style) % 5 === 1 ? `${line} // c, {"` : line));
    return (lines.length > 1 ? commented : lines).join(style % 2 === 0 ? "\n" : "\r\n");
  },
  toml: (settings) => stringifyToml(settings),
  yaml: (settings, style) =>
    stringifyYaml(settings, {
      indent: 2 + (style % 3),
      indentSeq: style % 2 === 0,
      lineWidth: style % 2 === 0 ? 80 : 0,
      collectionStyle: style % 5 === 0 ? "flow" : "any",
      singleQuote: style % 2 === 1,
    }),
};

test.each(["json", "toml", "yaml"] as const)(
  "any configuration in %s is the same after a server was added, updated, and removed",
  (format) => {
    const value = fc.oneof(
      fc.string(),
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.boolean(),
      fc.array(fc.string()),
      fc.constantFrom("a\nb\n", "# no comment", "[no.table]"),
    );
    const settings = fc.dictionary(fc.stringMatching(/^[a-z_][\w. -]{0,8}$/), value);
    const servers = fc.dictionary(fc.stringMatching(/^[a-n-]{1,8}$/), settings, { minKeys: 1 });
    const config = fc.record({ top: settings, servers, bottom: settings });
    fc.assert(
      fc.property(config, fc.nat(60), ({ top, ...others }, style) => {
        const text = WRITERS[format]({ ...top, ...others }, style);
        const change = (before: string, entry: object | undefined): string =>
          changeConfig({ format, file: "config", text: before }, { key: "servers", server: "ours", entry });
        const entry = { command: "node", args: ["a b", "c"], env: { A: "1" }, on: true };
        const added = change(text, entry);
        const updated = change(change(added, { ...entry, env: { A: "2", B: "x" } }), entry);
        expect([text, `${text}\n`]).toContain(change(updated, undefined));
      }),
      { numRuns: 100 },
    );
  },
);
