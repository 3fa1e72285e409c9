/**
 * Grades definitions by what can be decided without a model: the signals, gates, and counts of Glama's Tool Definition Quality
 * Score. Only a model could judge whether the text of a description helps, so that does not count.
 *
 * @see https://github.com/glama-ai/tool-definition-quality-score
 * @module
 */
import { isVisibleTo, type Manifest, type Tool } from "@tenon/runtime/manifest";
import { readSignals, type ToolSignals } from "./tool-signals.js";

/** The letter of a grade, from A for the best to D. */
export type Tier = "A" | "B" | "C" | "D";

/** A grade from 1 to 5, with one decimal. */
export interface Grade {
  score: number;
  tier: Tier;
}

/** The grade of a tool's definition. */
export interface ToolGrade extends Grade {
  name: string;
  signals: ToolSignals;
  /** The change with the greatest gain for its effort. Absent if no change would improve the score. */
  improvement?: Improvement;
  /** A tool that a model may call instead, because it needs far fewer arguments. */
  cheaper?: string;
}

/** A change to a definition, and the score that it leads to. */
export interface Improvement {
  /** An imperative without a period, such as "describe `city`". */
  edit: string;
  score: number;
}

/** The grade of all tools together. */
export interface ServerGrade extends Grade {
  tools: ToolGrade[];
  /** A score that combines the mean and the lowest of the tools' scores. */
  definitions: number;
  /** A score for the number of tools and the consistency of their names. */
  coherence: number;
}

/**
 * The weights of the score's dimensions whose signals need no model. They are those of the score: purpose, behavior,
 * parameters, and completeness.
 */
const WEIGHTS = { purpose: 0.25, behavior: 0.2, parameters: 0.15, completeness: 0.1 };
const TOTAL_WEIGHT = Object.values(WEIGHTS).reduce((total, each) => total + each, 0);

/** Grades the tools that models see. Returns undefined if there is none. */
export function gradeServer({ tools }: Pick<Manifest, "tools">): ServerGrade | undefined {
  const listed = tools.filter((entry) => isVisibleTo(entry, "model")).map(({ definition }) => definition);
  if (listed.length === 0) return undefined;
  const graded = listed.map(gradeTool);
  const withCheaper = graded.map((each): ToolGrade => {
    const cheaper = findCheaper(each, graded);
    return cheaper === undefined ? each : { ...each, cheaper };
  });
  const scores = graded.map(({ score }) => score);
  const definitions = round(0.6 * mean(scores) + 0.4 * Math.min(...scores));
  const coherence = round(mean([scoreCount(listed.length), scoreNames(listed.map(({ name }) => name))]));
  return { ...toGrade(0.7 * definitions + 0.3 * coherence), tools: withCheaper, definitions, coherence };
}

function gradeTool(tool: Tool): ToolGrade {
  const signals = readSignals(tool);
  const grade = toGrade(score(signals));
  const improvement = chooseImprovement(signals);
  return { name: tool.name, ...grade, signals, ...(improvement && { improvement }) };
}

function score(signals: ToolSignals): number {
  const { gate, hints, hasOutputSchema, isTitleMeaningful } = signals;
  if (gate === "no-description") return 1;
  const points = {
    purpose: gate === "repeats-name" ? 2 : 5,
    behavior: 2 + hints,
    parameters: scoreCoverage(signals),
    completeness: 3 + Number(hasOutputSchema) + Number(isTitleMeaningful),
  };
  const sum = Object.entries(WEIGHTS).reduce(
    (total, [name, weight]) => total + weight * points[name as keyof typeof points],
    0,
  );
  return sum / TOTAL_WEIGHT;
}

/**
 * Scores the descriptions of arguments: above 80 percent, the schema explains the arguments; below 50 percent, the
 * description of the tool would have to.
 */
function scoreCoverage({ descriptionCoverage }: ToolSignals): number {
  if (descriptionCoverage === 100) return 5;
  if (descriptionCoverage > 80) return 4;
  return descriptionCoverage >= 50 ? 3 : 2;
}

/** Chooses the change with the greatest gain for each description to write. */
function chooseImprovement(signals: ToolSignals): Improvement | undefined {
  const { gate, undescribed } = signals;
  const { gate: _, ...ungated } = signals;
  const now = score(signals);
  const changes: [edit: string, after: ToolSignals, effort: number][] = [
    ...(gate === undefined
      ? []
      : [
          ["write a description that says what it returns or changes", ungated, 2] as [
            string,
            ToolSignals,
            number,
          ],
        ]),
    ["set `readOnly` or `destructive`, and `openWorld`", { ...signals, hints: 3 }, 1],
    [
      `describe ${undescribed.map((name) => `\`${name}\``).join(", ")}`,
      { ...signals, descriptionCoverage: 100 },
      Math.max(1, undescribed.length),
    ],
    ["write a title that is longer than the name", { ...signals, isTitleMeaningful: true }, 1],
  ];
  const [best] = changes
    .map(([edit, after, effort]) => ({
      edit,
      score: round(score(after)),
      gain: (score(after) - now) / effort,
    }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
  return best && { edit: best.edit, score: best.score };
}

/**
 * Finds the tool that may be called instead of a costly one: among those that cost at most half as much
 * and at least 4 less, the most costly.
 *
 * @see https://github.com/glama-ai/tool-definition-quality-score#shadowed-tools
 */
function findCheaper({ signals: { cost } }: ToolGrade, all: readonly ToolGrade[]): string | undefined {
  const candidates = all.filter(({ signals }) => cost >= 2 * signals.cost && cost - signals.cost >= 4);
  return candidates.toSorted((a, b) => b.signals.cost - a.signals.cost)[0]?.name;
}

/** Scores the number of tools: 3 to 15 are best. */
function scoreCount(tools: number): number {
  if (tools >= 50) return 1;
  if (tools > 25) return 2;
  return tools > 15 || tools < 3 ? 3 : 5;
}

/** The styles of names with several words, by their pattern. */
const STYLES = [/^[a-z\d]+(?:_[a-z\d]+)+$/, /^[a-z\d]+(?:-[a-z\d]+)+$/, /^[a-z\d]+(?:[A-Z][a-z\d]*)+$/];

/** Scores the consistency of names: one style for all is best, and names of one word fit every style. */
function scoreNames(names: readonly string[]): number {
  const used = STYLES.map((style) => names.filter((name) => style.test(name)).length);
  const fitting = Math.max(...used) + names.filter((name) => /^[a-z\d]+$/.test(name)).length;
  return 1 + Math.round((4 * fitting) / names.length);
}

function toGrade(exact: number): Grade {
  const rounded = round(exact);
  return { score: rounded, tier: rounded >= 3.5 ? "A" : rounded >= 3 ? "B" : rounded >= 2 ? "C" : "D" };
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0) / numbers.length;
}
