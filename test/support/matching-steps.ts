import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** Matches at a place and goes on with what follows there; false to try something else. */
type Matcher = (at: number, next: (at: number) => boolean) => boolean;

/** For each character. */
const MOST_STEPS = 1000;

/**
 * How often a matcher that backtracks, as that of JavaScript does, looks at a character of the text, and whether the
 * pattern matches.
 *
 * @throws when the matcher would take too long, and for what none of our patterns has, such as references to groups
 */
export function matchingSteps(pattern: RegExp, text: string): { steps: number; matches: boolean } {
  const { source, flags, unicode } = pattern;
  const tests = new Map<string, RegExp>();
  const most = MOST_STEPS * (text.length + 1);
  let steps = 0;

  const character = ({ raw }: { raw: string }): Matcher => {
    const test = tests.get(raw) ?? new RegExp(`^${raw}$`, flags);
    tests.set(raw, test);
    return (at, next) => {
      steps += 1;
      if (steps > most) throw new Error(`${pattern} looks at each character of ${text} too often.`);
      return at < text.length && test.test(text.charAt(at)) && next(at + 1);
    };
  };

  const anyOf = (alternatives: readonly AST.Alternative[]): Matcher => {
    const matchers = alternatives.map(({ elements }) =>
      elements.map(matcherOf).reduceRight<Matcher>(
        (rest, first) => (at, next) => first(at, (then) => rest(then, next)),
        (at, next) => next(at),
      ),
    );
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  };

  const repeat = ({ element, min, max, greedy }: AST.Quantifier): Matcher => {
    if (!greedy) throw new Error(`${pattern} repeats as little as possible.`);
    const once = matcherOf(element);
    const more = (count: number, at: number, next: (at: number) => boolean): boolean =>
      (count < max && once(at, (then) => (then > at || count < min) && more(count + 1, then, next))) ||
      (count >= min && next(at));
    return (at, next) => more(0, at, next);
  };

  const assertion = (node: AST.Assertion): Matcher => {
    if (node.kind === "start") return (at, next) => at === 0 && next(at);
    if (node.kind === "end") return (at, next) => at === text.length && next(at);
    if (node.kind !== "lookahead") throw new Error(`${pattern} has a ${node.kind}.`);
    const inside = anyOf(node.alternatives);
    return (at, next) => inside(at, () => true) !== node.negate && next(at);
  };

  function matcherOf(node: AST.Element): Matcher {
    switch (node.type) {
      case "Character":
      case "CharacterClass":
      case "CharacterSet":
        return character(node);
      case "Group":
      case "CapturingGroup":
        return anyOf(node.alternatives);
      case "Quantifier":
        return repeat(node);
      case "Assertion":
        return assertion(node);
      default:
        throw new Error(`${pattern} has a ${node.type}.`);
    }
  }

  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  const whole = anyOf(alternatives);
  let matches = false;
  for (let start = 0; start <= text.length && !matches; start++) matches = whole(start, () => true);
  return { steps, matches };
}
