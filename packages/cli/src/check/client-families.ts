import { CLIENT_NAMES, type ClientName } from "@tenon/compiler/clients";
import { unknownName } from "../terminal/unknown-name.js";

/**
 * Families of clients by what the person calls them.
 *
 * @throws Failure (exit code 2) with the nearest name
 */
export function clientFamilies(names: readonly string[] | undefined): ClientName[] | undefined {
  return names?.map((text) => {
    const found = CLIENT_NAMES.find((name) => name === text);
    if (found) return found;
    throw unknownName("client family", text, CLIENT_NAMES, { exitCode: 2 });
  });
}
