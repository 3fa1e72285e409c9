import { ToolError } from "../../api/errors.js";
import { StructuredResult } from "../../data/results/tool-result.js";
import { CHARACTERS_PER_TOKEN } from "../../manifest.js";
import type { Content, ToolResult } from "../../protocol/specification.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { ResultStep } from "./stage.js";

/** Names of arguments that make a result smaller. */
const NARROWING =
  /limit|max|count|size|page|cursor|offset|first|top|filter|query|search|since|until|from|fields/i;

/**
 * Creates the step that checks the size of a tool's results.
 *
 * @returns a function that returns the result, or throws a ToolError that tells the model how to request less;
 * undefined if there is no limit
 */
export const createResultLimit: ResultStep = ({ entry, member }, { settings }) => {
  const { maxResultChars: limit = settings.limits.maxResultChars } = entry;
  if (member !== "content" || limit === 0) return undefined;
  const { inputSchema } = entry.definition as { inputSchema?: JsonSchema };
  return (_call, result) => {
    const { isError, content = [], structuredContent: data } = result as Partial<ToolResult>;
    const text = content.reduce((sum, block) => sum + countCharacters(block), 0);
    // Clients pass either the text or the data to the model. The text of derived data is its JSON.
    const isDerived = data === undefined || result instanceof StructuredResult;
    const length = isDerived ? text : Math.max(text, JSON.stringify(data).length);
    if (length <= limit || isError) return result;
    const tokens = Math.round(length / CHARACTERS_PER_TOKEN);
    throw new ToolError(
      `The result has ${format(length)} characters (about ${format(tokens)} tokens), but at most ${format(limit)} are allowed. ${formatAdvice(inputSchema)}`,
    );
  };
};

/** Counts the characters of text. Images and sound do not count. */
function countCharacters(block: Partial<Content>): number {
  const { text = "", resource } = block as { text?: string; resource?: { text?: string } };
  return text.length + (resource?.text?.length ?? 0);
}

function formatAdvice({ properties = {} }: JsonSchema = {}): string {
  const names = Object.keys(properties);
  const narrowing = names.filter((name) => NARROWING.test(name));
  const [first] = narrowing.length > 0 ? narrowing : names;
  if (first === undefined) return "The tool cannot return less; tell the user.";
  const list = (narrowing.length > 0 ? narrowing : names).map((name) => `\`${name}\``).join(", ");
  return `Request less: call the tool again with different values of ${list}.`;
}

function format(number: number): string {
  return number.toLocaleString("en-US");
}
