/** What must be gone from the code, because nothing defines it any more. */
const LEFT = /\b(?:vErrors|instancePath|parentData\w*|rootData|dynamicAnchors)\b/;

const STRING = /"(?:[^"\\]|\\.)*"/g;

/** A string, or what a call of another validator says of where its value is in the whole. */
const PLACES = /"(?:[^"\\]|\\.)*"|, \{instancePath[:,](?:[^"}]|"(?:[^"\\]|\\.)*")*,dynamicAnchors\}(?=\))/g;

/**
 * The text of validators that only say yes or no, from that of validators which collect errors; `undefined` when
 * something of the errors would be left.
 *
 * What text a schema holds stands in strings, and no line begins with one: with each statement on a line of its
 * own, a line is known by its beginning.
 *
 * @param code as ajv writes it with `code.lines` and without `code.optimize`
 */
export function acceptingCode(code: string): string | undefined {
  const lines = withoutErrors(code.split("\n"));
  const accepting = (mustCount(lines) ? withoutEmptyBlocks(lines) : withoutCounting(lines))
    .join("\n")
    .replaceAll(PLACES, (found) => (found.startsWith('"') ? found : ""));
  return LEFT.test(accepting.replaceAll(STRING, '""')) ? undefined : accepting;
}

/** Leaves only the number of errors, where alternatives depend on it. */
function withoutErrors(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("const err") && line.endsWith(" = {};")) {
      // … if(vErrors === null){ vErrors = [err]; } else { vErrors.push(err); }
      at += 6;
    } else if (line === "if(vErrors !== null){") {
      // … if(_errs){ vErrors.length = _errs; } else { vErrors = null; } }
      at += 7;
    } else if (line.startsWith("vErrors = vErrors === null ? ")) {
      // … errors = vErrors.length;
      at += 1;
      kept.push("errors++;");
    } else if (line.startsWith("function validate")) {
      kept.push(line.replace(/\(data, \{.*\}\)\{$/, "(data){"));
    } else if (
      line !== "let vErrors = null;" &&
      !/^validate\d+\.errors = (?:vErrors|\[\{\}\]);$/.test(line)
    ) {
      kept.push(line);
    }
  }
  return kept;
}

const VALID = /\bvalid\d+\b/;
const VALID_SET = /^var valid\d+ = (?:true|_errs\d+ === errors);$/;
const VALID_ASKED = /^if\(valid\d+\)\{$/;
const INVALID_ASKED = /^if\(!valid\d+\)\{$/;

/** False when the first error ends the validator, so that the number of errors is never anything but none. */
function mustCount(lines: readonly string[]): boolean {
  return lines.some((line, at) => {
    if (line === "errors++;") return true;
    if (!VALID.test(line) || VALID_SET.test(line) || VALID_ASKED.test(line)) return false;
    if (INVALID_ASKED.test(line)) return lines[at + 1] !== "break;" || lines[at + 2] !== "}";
    return VALID.test(line.replaceAll(STRING, '""'));
  });
}

const NOT_NEEDED =
  /^(?:let errors = 0|const _errs\d+ = errors|var valid\d+ = (?:true|_errs\d+ === errors));$/;
const ALWAYS = /^if\((?:errors === _errs\d+|_errs\d+ === errors|errors === 0|valid\d+)\)\{$/;

function withoutCounting(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (INVALID_ASKED.test(line)) at += 2;
    else if (line === "return errors === 0;") kept.push("return true;");
    else if (!NOT_NEEDED.test(line)) kept.push(ALWAYS.test(line) ? "{" : line);
  }
  return withoutEmptyBlocks(kept);
}

const EMPTY =
  /^(?:\{|else \{|if\(errors === (?:_errs\d+|0)\)\{|if\(_errs\d+ === errors\)\{|if\(valid\d+\)\{)$/;

function withoutEmptyBlocks(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const before = kept.at(-1) ?? "";
    if (line === "}" && EMPTY.test(before)) kept.pop();
    else if (line !== "break;" || before !== "return false;") kept.push(line);
  }
  return kept;
}
