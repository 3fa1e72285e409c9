import { play } from "./run.mjs";

/**
 * @import { Case } from "./cases.mjs"
 * @import { Find } from "./run.mjs"
 * @import { Subject } from "./drive/subjects.mjs"
 * @import { Surface } from "./generate/messages.mjs"
 */

/** Maximum number of replays that shrink a finding. */
const MAX_TRIES = 150;

/**
 * Shrinks a finding while the problem remains: first the number of cases, then their bytes.
 *
 * @param {Find} find
 * @param {Subject} subject
 * @param {Surface} surface
 * @returns {Promise<Find>} The original finding if it cannot be reproduced.
 */
export async function shrink(find, subject, surface) {
  let smallest = find;
  let tries = 0;
  /** @param {Case[]} cases */
  const fails = async (cases) => {
    if (++tries > MAX_TRIES) return false;
    const { way, revision } = find;
    const played = await play({ way, subject, revision, cases, seed: 1, surface, neverMs: 5000 });
    if (played.find === undefined) return false;
    smallest = { ...played.find, cases };
    return true;
  };
  const cases = await fewest(find.cases, fails);
  const [only] = cases;
  if (cases.length !== 1 || only === undefined || smallest === find) return smallest;
  if ("pieces" in only) {
    const lines = await fewest(only.pieces.join("").split("\n"), (remaining) =>
      fails([{ pieces: [remaining.join("\n")] }]),
    );
    await fewest([...lines.join("\n")], (remaining) => fails([{ pieces: [remaining.join("")] }]));
    return smallest;
  }
  const { request } = only;
  /** @param {Partial<typeof request>} part @returns {Case} */
  const withChange = (part) => ({ request: { ...request, ...part } });
  await fewest(request.headers, (headers) => fails([withChange({ headers })]));
  return smallest;
}

/**
 * Returns the smallest part of a list that still fails, as found by halving.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {(kept: T[]) => Promise<boolean>} fails
 * @returns {Promise<T[]>}
 */
async function fewest(list, fails) {
  let remaining = [...list];
  for (
    let size = Math.ceil(remaining.length / 2);
    size >= 1 && remaining.length > 1;
    size = Math.floor(size / 2)
  ) {
    for (let at = 0; at < remaining.length && remaining.length > 1;) {
      const without = [...remaining.slice(0, at), ...remaining.slice(at + size)];
      if (without.length > 0 && (await fails(without))) remaining = without;
      else at += size;
    }
  }
  return remaining;
}
