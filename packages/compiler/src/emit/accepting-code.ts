/**
 * What collects errors, and what stands in its place. Text from a schema stands in strings, which begin no line:
 * with each statement on a line of its own, what a line begins with is always code.
 */
const LINES: readonly (readonly [RegExp, string])[] = [
  [
    /^const (err\d+) = \{.*\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/gm,
    "",
  ],
  [
    /^if\(vErrors !== null\)\{\nif\((_errs\d+)\)\{\nvErrors\.length = \1;\n\}\nelse \{\nvErrors = null;\n\}\n\}\n/gm,
    "",
  ],
  [
    /^vErrors = vErrors === null \? ((?:validate|wrapper)\d+(?:\.validate)?)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;\n/gm,
    "errors++;\n",
  ],
  [/^validate\d+\.errors = (?:vErrors|\[\{.*\}\]);\n/gm, ""],
  [/^let vErrors = null;\n/gm, ""],
  [/^(function validate\d+\(data), \{.*\}\)\{$/gm, "$1){"],
];

const STRING = /"(?:[^"\\]|\\.)*"/g;

/** A string, or what a call of another validator says of where its value is in the whole. */
const PLACES = /"(?:[^"\\]|\\.)*"|, \{instancePath[:,](?:[^"}]|"(?:[^"\\]|\\.)*")*,dynamicAnchors\}(?=\))/g;

/** What must be gone from the code, because nothing defines it any more. */
const LEFT = /\b(?:vErrors|instancePath|parentData\w*|rootData|dynamicAnchors)\b/;

/**
 * The text of validators that only say yes or no, from that of validators which collect errors; `undefined` when
 * something of the errors would be left.
 *
 * @param code as ajv writes it with `code.lines`
 */
export function acceptingCode(code: string): string | undefined {
  const accepting = LINES.reduce(
    (text, [found, instead]) => text.replaceAll(found, instead),
    code,
  ).replaceAll(PLACES, (found) => (found.startsWith('"') ? found : ""));
  return LEFT.test(accepting.replaceAll(STRING, '""')) ? undefined : accepting;
}
