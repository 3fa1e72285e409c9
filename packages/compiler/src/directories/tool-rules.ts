import type { JsonSchema, ToolEntry } from "@tenon/runtime/manifest";
import type { DiagnosticParameters } from "../diagnostics/catalog.js";
import { countCharacters } from "../json-schema/count-characters.js";
import { readSignals } from "../grade/tool-signals.js";
import { listLocatedSchemas } from "../clients/located-schemas.js";
import type { ToolRule } from "./directory.js";

/** The rules for each tool that models see, by the code of their diagnostic. */
export const TOOL_RULES: readonly ToolRule[] = [
  rule("directory-description-missing", ["openai", "anthropic", "glama"], ({ definition }) =>
    readSignals(definition).gate === "no-description" ? {} : undefined,
  ),
  rule("directory-description-repeats-name", ["glama"], ({ definition }) =>
    readSignals(definition).gate === "repeats-name" ? {} : undefined,
  ),
  rule("directory-description-hidden", ["openai", "anthropic"], ({ definition: { description = "" } }) => {
    const hidden = HIDDEN.exec(description.replaceAll(FLAG, ""))?.[0];
    return hidden === undefined ? undefined : { text: describeHidden(hidden) };
  }),
  rule("directory-description-steers", ["openai", "anthropic"], ({ definition: { description = "" } }) => {
    const phrase = STEERING.exec(description)?.[0];
    return phrase === undefined ? undefined : { phrase };
  }),
  rule("directory-description-long", ["openai"], ({ definition: { description = "" } }) => {
    const length = countCharacters(description);
    return length > MAX_DESCRIPTION_CHARACTERS ? { length, limit: MAX_DESCRIPTION_CHARACTERS } : undefined;
  }),
  rule("directory-effect-undeclared", ["openai", "anthropic"], ({ definition: { annotations = {} } }) => {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint === undefined) return { isWriting: false };
    return destructiveHint === undefined ? { isWriting: true } : undefined;
  }),
  rule("directory-reach-undeclared", ["openai"], ({ definition: { annotations } }) =>
    annotations?.openWorldHint === undefined ? {} : undefined,
  ),
  rule("directory-effect-neither", ["anthropic"], ({ definition: { annotations = {} } }) =>
    annotations.readOnlyHint === false && annotations.destructiveHint === false ? {} : undefined,
  ),
  rule("directory-title-missing", ["anthropic"], ({ definition: { title } }) => (title ? undefined : {})),
  rule("directory-title-uninformative", ["glama"], ({ definition }) =>
    definition.title && !readSignals(definition).isTitleMeaningful ? { title: definition.title } : undefined,
  ),
  rule("directory-name-long", ["anthropic"], ({ definition: { name } }) =>
    name.length > MAX_NAME_CHARACTERS ? { length: name.length, limit: MAX_NAME_CHARACTERS } : undefined,
  ),
  rule("directory-arguments-undescribed", ["glama"], ({ definition }) => {
    const { descriptionCoverage, undescribed } = readSignals(definition);
    return descriptionCoverage > MIN_COVERAGE_PERCENT
      ? undefined
      : { coverage: descriptionCoverage, limit: MIN_COVERAGE_PERCENT, names: undescribed };
  }),
  rule("directory-tool-catch-all", ["openai", "anthropic"], ({ definition }) => {
    const { name, inputSchema, annotations } = definition;
    if (GENERIC_TOOL.test(name)) return {};
    if (annotations?.readOnlyHint) return undefined;
    const [argument] = Object.entries(inputSchema.properties ?? {}).find(isChoiceOfAction) ?? [];
    return argument === undefined ? undefined : { argument };
  }),
  rule("directory-argument-of-conversation", ["openai", "anthropic"], ({ definition: { inputSchema } }) => {
    const argument = findProperty(inputSchema, CONVERSATION);
    return argument === undefined ? undefined : { argument };
  }),
  rule("directory-argument-of-location", ["openai"], ({ definition: { inputSchema } }) => {
    const argument = findProperty(inputSchema, LOCATION);
    return argument === undefined ? undefined : { argument };
  }),
  rule("directory-result-traced", ["openai"], ({ definition: { outputSchema } }) => {
    const property = outputSchema && findProperty(outputSchema, TRACE);
    return property === undefined ? undefined : { property };
  }),
];

/** Returns the first property with a matching name, at any depth. */
function findProperty(schema: JsonSchema, name: RegExp): string | undefined {
  const names = listLocatedSchemas(schema).flatMap((each) => Object.keys(each.schema.properties ?? {}));
  return names.find((each) => name.test(each));
}

/** Creates a rule. The code determines the type that `find` returns. */
function rule<Code extends ToolRule["code"]>(
  code: Code,
  directories: ToolRule["directories"],
  find: (entry: ToolEntry) => Omit<DiagnosticParameters<Code>, "tool" | "directories"> | undefined,
): ToolRule {
  return { code, directories, find };
}

/** Names of at most this length fit the rules of all model providers. */
const MAX_NAME_CHARACTERS = 64;
/** The limit that one developer reported after a plugin was rejected. */
const MAX_DESCRIPTION_CHARACTERS = 200;
/** The coverage above which the score counts arguments as described, in percent. */
const MIN_COVERAGE_PERCENT = 80;

/** Characters that people do not see but models read, and HTML comments. Joiners and single selectors belong to words and emoji. */
const HIDDEN =
  /(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|\p{Variation_Selector}{2}|<!--/u;

/** The flag of a region, such as Scotland, which invisible characters name. */
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;

const STEERING =
  /\b(?:always|must|never) (?:use|call|prefer|invoke|choose)\b|\binstead of (?:any )?other (?:tools|plugins|apps|connectors|servers)\b|\b(?:better|faster|cheaper|more accurate) than (?:any |all )?(?:other|competing)\b|\bdo not (?:use|call) (?:any )?other\b|\bignore (?:all |any )?(?:previous|other|prior) instructions\b|\bthe best (?:tool|plugin|app|connector)\b/i;

/** Matches the names of tools that can do anything. */
const GENERIC_TOOL =
  /^(?:execute|run|invoke|call|do|perform)(?:[_-]?(?:action|command|operation|tool|method|api|request))?$/i;

const ACTION = /^(?:method|action|operation|command|verb)$/i;

function isChoiceOfAction([name, schema]: [string, JsonSchema]): boolean {
  return ACTION.test(name) && (schema.enum?.length ?? schema.oneOf?.length ?? schema.anyOf?.length ?? 0) > 1;
}

const CONVERSATION =
  /^(?:transcript|messages|conversation|(?:chat|conversation|dialog|message)[_-]?(?:history|log|transcript|context)|(?:previous|prior)[_-]?(?:messages|turns))$/i;

const LOCATION =
  /^(?:(?:user[_-]?|current[_-]?)?(?:latitude|longitude|lat|lng|lon|location|geo[_-]?location|coordinates)|ip[_-]?address)$/i;

const TRACE = /^(?:(?:session|trace|span|request|correlation)[_-]?id|telemetry|request[_-]?timestamp)$/i;

function describeHidden(text: string): string {
  return text === "<!--"
    ? "an HTML comment"
    : `U+${text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}
