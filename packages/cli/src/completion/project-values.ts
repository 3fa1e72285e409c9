import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { OWN_FOLDER } from "../files/own-folder.js";
import { findProjectRoot } from "../project/project-root.js";
import { SHELLS } from "./shell-scripts.js";
import type { Suggestion, ValueSource } from "./suggestions.js";

/** Creates a source of completions from the project in a folder, clients, and diagnostics. Does not run the project. */
export function createValueSource(cwd: string): ValueSource {
  return async (command, name, operands) => {
    switch (`${command} ${name}`) {
      case "call tool":
        return toSuggestions(readManifest(cwd)?.tools);
      case "call arguments":
        return suggestArguments(readManifest(cwd), operands);
      case "call --prompt":
        return toSuggestions(readManifest(cwd)?.prompts);
      case "call --resource":
        return readManifest(cwd)?.resources.map(({ definition: { uri, description = "" } }) => {
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
        const { listDiagnosticCodes } = await import("@tenon/compiler");
        return listDiagnosticCodes().map(({ code }) => ({ value: code, description: "" }));
      }
      case "create --template": {
        const { listTemplateNames } = await import("../create/templates.js");
        return listTemplateNames().map((value) => ({ value, description: "" }));
      }
      case "completion shell":
        return SHELLS.map((value) => ({ value, description: "" }));
      default:
        return undefined;
    }
  };
}

function toSuggestions(
  entries: readonly { definition: { name: string; description?: string | undefined } }[] | undefined,
): Suggestion[] | undefined {
  return entries?.map(({ definition: { name, description = "" } }) => ({ value: name, description }));
}

/** Suggests missing arguments of a tool, and the values of enums. */
function suggestArguments(manifest: Manifest | undefined, [tool, ...given]: readonly string[]): Suggestion[] {
  const found = manifest?.tools.find(({ definition }) => definition.name === tool);
  const givenNames = new Set(given.map((arg) => arg.split("=", 1)[0]));
  const properties = Object.entries(found?.definition.inputSchema.properties ?? {});
  return properties.flatMap(([name, schema]): Suggestion[] => {
    if (givenNames.has(name)) return [];
    const { description = "" } = schema;
    const choices = getChoices(schema).map((value) => ({ value: `${name}=${value}`, description }));
    return [{ value: `${name}=`, description }, ...choices];
  });
}

function getChoices({ enum: values, type }: JsonSchema): string[] {
  if (type === "boolean") return ["true", "false"];
  return (values ?? []).flatMap((value) => (typeof value === "object" ? [] : [String(value)]));
}

/** Reads the newest manifest of a build. Compiling would take too long for a completion. */
function readManifest(cwd: string): Manifest | undefined {
  const root = findProjectRoot(".", cwd);
  const folders = [
    join(root, "dist"),
    ...["", "call"].flatMap((name) => listFolders(join(root, OWN_FOLDER, name))),
  ];
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

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
