import { createHash } from "node:crypto";
import type { FileTree } from "../file-tree.js";
import type { ValidatorCode } from "./validator-code.js";

/** Beyond this size, in characters, validators would delay the start of a server more than they delay its first call. */
const MOST_INLINE = 24 * 1024;

/** A file of validators is about so large, in characters: reading it is not felt, and there are not too many. */
const PART_SIZE = 64 * 1024;

/** Which validator belongs to what; each by its number. */
export interface ValidatorNumbers {
  tools: [name: string, [input: number, output?: number]][];
  prompts: [name: string, number][];
  resourceTemplates: [uriTemplate: string, number][];
  forms: [id: string, number][];
}

/** `validators.js` and, where the validators are many, the files that it reads when it needs them. */
export function validatorFiles(numbers: ValidatorNumbers, codes: readonly ValidatorCode[]): FileTree {
  const size = codes.reduce((sum, { body }) => sum + body.length, 0);
  return size > MOST_INLINE ? lateModules(numbers, codes) : inlineModule(numbers, codes);
}

function inlineModule(numbers: ValidatorNumbers, codes: readonly ValidatorCode[]): FileTree {
  const { tools, prompts, resourceTemplates, forms } = numbers;
  const imports = [...new Set(codes.flatMap((code) => code.imports))].sort();
  const header =
    imports.length > 0 ? `import { ${imports.join(", ")} } from "@tenon/runtime/validation";\n\n` : "";
  const functions = codes.map(
    ({ body }, number) => `const check${number} = /* @__PURE__ */ (() => {\n${body}\n})();\n`,
  );
  const rows = (list: [string, string][]): string =>
    list.map(([name, value]) => `    ${JSON.stringify(name)}: ${value},`).join("\n");
  const inputs = (list: [string, number][]): string =>
    rows(list.map(([name, number]) => [name, `{ input: check${number} }`]));
  const ofTools = tools.map(([name, [input, output]]): [string, string] => [
    name,
    `{ input: check${input}${output === undefined ? "" : `, output: check${output}`} }`,
  ]);
  const ofForms = forms.map(([id, number]): [string, string] => [id, `check${number}`]);
  const formsMember = forms.length > 0 ? `\n  forms: {\n${rows(ofForms)}\n  },` : "";
  const text = `${header}${functions.join("\n")}
export const validators = {
  tools: {
${rows(ofTools)}
  },
  prompts: {
${inputs(prompts)}
  },
  resourceTemplates: {
${inputs(resourceTemplates)}
  },${formsMember}
};
`;
  return new Map([["validators.js", text]]);
}

function lateModules(numbers: ValidatorNumbers, codes: readonly ValidatorCode[]): FileTree {
  const files: FileTree = new Map();
  const parts = inParts(codes).map((part): [string, number] => {
    const text = partModule(part);
    // The name says what is inside: a server still running from before another build must not take it for its own.
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
    const name = `validators-${hash}.cjs`;
    files.set(name, text);
    return [`./${name}`, part.length];
  });
  const { tools, prompts, resourceTemplates, forms } = numbers;
  const table = {
    parts,
    tools: Object.fromEntries(tools),
    prompts: Object.fromEntries(prompts),
    resourceTemplates: Object.fromEntries(resourceTemplates),
    ...(forms.length > 0 && { forms: Object.fromEntries(forms) }),
  };
  const imports = [...new Set(codes.flatMap((code) => code.imports))].sort();
  const library = imports.length > 0 ? `{ ${imports.join(", ")} }` : "{}";
  // Read from a string in half the time that a literal takes.
  const text = `import { ${["lateValidators", ...imports].join(", ")} } from "@tenon/runtime/validation";

const table = JSON.parse(${JSON.stringify(JSON.stringify(table))});

export const validators = lateValidators(import.meta.url, table, ${library});
`;
  return files.set("validators.js", text);
}

function inParts(codes: readonly ValidatorCode[]): ValidatorCode[][] {
  const parts: ValidatorCode[][] = [];
  let size = Infinity;
  for (const code of codes) {
    if (size > PART_SIZE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(code);
    size += code.body.length;
  }
  return parts;
}

/** CommonJS, because that can be read at once, in the middle of a call. */
function partModule(part: readonly ValidatorCode[]): string {
  const makers = part.map(({ body, imports }) => {
    const parameters = imports.length > 0 ? `{ ${imports.join(", ")} }` : "";
    return `(${parameters}) => {\n${body}\n},\n`;
  });
  return `"use strict";\nmodule.exports = [\n${makers.join("")}];\n`;
}
