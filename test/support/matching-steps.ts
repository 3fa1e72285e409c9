import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** Matches at a position and continues with the next matcher; returns false to try an alternative. */
type Matcher = (at: number, next: (at: number) => boolean) => boolean;

/** Maximum number of steps for each character. */
const MAX_STEPS = 1000;

/**
 * Counts how often a backtracking matcher, such as JavaScript's, examines a character, and returns whether the pattern
 * matches.
 *
 * @throws Error if the matcher takes too long, or if the pattern has unsupported syntax, such as references to groups
 */
export function matchingSteps(pattern: RegExp, text: string): { steps: number; matches: boolean } {
  const { source, flags, unicode } = pattern;
  const tests = new Map<string, RegExp>();
  const maxSteps = MAX_STEPS * (text.length + 1);
  let steps = 0;

  const character = ({ raw }: { raw: string }): Matcher => {
    const test = tests.get(raw) ?? new RegExp(`^${raw}$`, flags);
    tests.set(raw, test);
    return (at, next) => {
      steps += 1;
      if (steps > maxSteps) throw new Error(`${pattern} examines each character of ${text} too often.`);
      return at < text.length && test.test(text.charAt(at)) && next(at + 1);
    };
  };

  const matchAny = (alternatives: readonly AST.Alternative[]): Matcher => {
    const matchers = alternatives.map(({ elements }) =>
      elements.map(createMatcher).reduceRight<Matcher>(
        (rest, first) => (at, next) => first(at, (then) => rest(then, next)),
        (at, next) => next(at),
      ),
    );
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  };

  const repeat = ({ element, min, max, greedy }: AST.Quantifier): Matcher => {
    if (!greedy) throw new Error(`${pattern} has a lazy quantifier.`);
    const once = createMatcher(element);
    const more = (count: number, at: number, next: (at: number) => boolean): boolean =>
      (count < max && once(at, (then) => (then > at || count < min) && more(count + 1, then, next))) ||
      (count >= min && next(at));
    return (at, next) => more(0, at, next);
  };

  const assertion = (node: AST.Assertion): Matcher => {
    if (node.kind === "start") return (at, next) => at === 0 && next(at);
    if (node.kind === "end") return (at, next) => at === text.length && next(at);
    if (node.kind !== "lookahead") throw new Error(`${pattern} has a ${node.kind}.`);
    const inside = matchAny(node.alternatives);
    return (at, next) => inside(at, () => true) !== node.negate && next(at);
  };

  function createMatcher(node: AST.Element): Matcher {
    switch (node.type) {
      case "Character":
      case "CharacterClass":
      case "CharacterSet":
        return character(node);
      case "Group":
      case "CapturingGroup":
        return matchAny(node.alternatives);
      case "Quantifier":
        return repeat(node);
      case "Assertion":
        return assertion(node);
      default:
        throw new Error(`${pattern} has a ${node.type}.`);
    }
  }

  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  const whole = matchAny(alternatives);
  let matches = false;
  for (let start = 0; start <= text.length && !matches; start++) matches = whole(start, () => true);
  return { steps, matches };
}
