import { CLIENT_NAMES, type ClientName } from "@tenon/compiler/clients";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/**
 * Finds client families by name.
 *
 * @throws Failure (exit code 2) with the nearest name
 */
export function findClientFamilies(names: readonly string[] | undefined): ClientName[] | undefined {
  return (
    names &&
    [...new Set(names)].map((text) => {
      const found = CLIENT_NAMES.find((name) => name === text);
      if (found) return found;
      throw createUnknownNameFailure("client family", text, CLIENT_NAMES, { exitCode: 2 });
    })
  );
}
