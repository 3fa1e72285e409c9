import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { SHELLS } from "./shell-scripts.js";
import type { Suggestion, ValueSource } from "./suggestions.js";

/** What is known of the project in a folder, and of clients and diagnostics. Nothing of the project is run. */
export function valuesIn(cwd: string): ValueSource {
  return async (command, name, operands) => {
    switch (`${command} ${name}`) {
      case "call tool":
        return named(manifestOf(cwd)?.tools);
      case "call arguments":
        return argumentsOf(manifestOf(cwd), operands);
      case "call --prompt":
        return named(manifestOf(cwd)?.prompts);
      case "call --resource":
        return manifestOf(cwd)?.resources.map(({ definition: { uri, description = "" } }) => {
          return { value: uri, description };
        });
      case "install client": {
        const { INSTALLABLE_CLIENTS } = await import("../install/client-config.js");
        return INSTALLABLE_CLIENTS.map((client) => ({ value: client.name, description: "" }));
      }
      case "check --client": {
        const { CLIENT_NAMES } = await import("@tenon/compiler/clients");
        return CLIENT_NAMES.map((value) => ({ value, description: "" }));
      }
      case "explain code": {
        const { catalogueEntries } = await import("@tenon/compiler");
        return catalogueEntries().map(({ code }) => ({ value: code, description: "" }));
      }
      case "create --template": {
        const { templateNames } = await import("../create/templates.js");
        return templateNames().map((value) => ({ value, description: "" }));
      }
      case "completion shell":
        return SHELLS.map((value) => ({ value, description: "" }));
      default:
        return undefined;
    }
  };
}

function named(
  entries: readonly { definition: { name: string; description?: string | undefined } }[] | undefined,
): Suggestion[] | undefined {
  return entries?.map(({ definition: { name, description = "" } }) => ({ value: name, description }));
}

/** The arguments of a tool that are not there yet, and the values of those that are choices. */
function argumentsOf(manifest: Manifest | undefined, [tool, ...given]: readonly string[]): Suggestion[] {
  const found = manifest?.tools.find(({ definition }) => definition.name === tool);
  const there = new Set(given.map((word) => word.split("=", 1)[0]));
  const properties = Object.entries(found?.definition.inputSchema.properties ?? {});
  return properties.flatMap(([name, schema]): Suggestion[] => {
    if (there.has(name)) return [];
    const { description = "" } = schema;
    const choices = choicesOf(schema).map((value) => ({ value: `${name}=${value}`, description }));
    return [{ value: `${name}=`, description }, ...choices];
  });
}

function choicesOf({ enum: values, type }: JsonSchema): string[] {
  if (type === "boolean") return ["true", "false"];
  return (values ?? []).flatMap((value) => (typeof value === "object" ? [] : [String(value)]));
}

/** The newest that a build has left. A compilation would take longer than people wait for a Tab. */
function manifestOf(cwd: string): Manifest | undefined {
  const folders = [join(cwd, "dist"), ...foldersIn(join(cwd, ".tenon"))];
  const files = folders.map((folder) => join(folder, "tenon.manifest.json"));
  const [newest] = files
    .filter((file) => existsSync(file))
    .map((file) => ({ file, mtimeMs: statSync(file).mtimeMs }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  if (newest === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(newest.file, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
