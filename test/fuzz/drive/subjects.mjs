import { join } from "node:path";
import { bundle } from "../../support/bundle.mjs";

const root = join(import.meta.dirname, "../../..");

/**
 * A server that the fuzzer tests.
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} entry The program.
 * @property {readonly string[]} keys The keys that authenticate a client, if the server requires one.
 * @property {RegExp} expected The failures that its handlers cause on purpose.
 * @property {RegExp} slow The tools whose duration is an argument.
 * @property {RegExp} [left] The tools that are excluded because they never release resources.
 * @property {{ name: string, arguments: object, text: string }} good A call, and the text of its result.
 */

/** Builds the example that has every feature. @returns {Subject} */
export function everything() {
  return {
    name: "everything",
    entry: join(root, "examples/everything/dist/server.js"),
    keys: [],
    // It uses any argument as a URI.
    expected: /^prompt "test_prompt_with_embedded_resource"$/,
    slow: /^slow_compute$/,
    good: { name: "greet", arguments: { name: "you" }, text: "Hello, you!" },
  };
}

/** Builds a server that requires a key, and whose handlers fail in every way. @param {string} folder The output folder. @returns {Promise<Subject>} */
export async function guarded(folder) {
  const entry = join(folder, "guarded.mjs");
  await bundle(join(import.meta.dirname, "guarded-server.ts"), entry);
  return {
    name: "guarded",
    entry,
    keys: ["tok_of_ada_0123456789", "tok_of_bob_0123456789"],
    expected: /^(?:tool "(?:fail|wrong|wait)"|prompt "broken"|resource "broken:\/\/always"|background work)$/,
    slow: /^(?:wait|never|pause)$/,
    left: /^hold$/,
    good: { name: "book", arguments: { city: "Oslo", days: 2 }, text: "Booked 2 days in Oslo." },
  };
}
