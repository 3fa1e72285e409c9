import type { Validator, Validators } from "../assembly/application.js";

/** What the validators in a file of their own are made with, because such a file imports nothing. */
export type ValidatorLibrary = Readonly<Record<string, unknown>>;

/** Where the validators of a large server are: in files that are read when the first value has to be checked. */
export interface ValidatorTable {
  /** File beside the module that names it, and how many validators it holds; validators are numbered across all. */
  parts: readonly (readonly [file: string, count: number])[];
  tools: Readonly<Record<string, readonly [input: number, output?: number]>>;
  prompts: Readonly<Record<string, number>>;
  resourceTemplates: Readonly<Record<string, number>>;
  forms?: Readonly<Record<string, number>>;
}

/** What a file of validators exports: by number in the file, how to make each. */
type Part = readonly ((library: ValidatorLibrary) => Validator)[];

/**
 * Validators that are read at their first use, so that lists are answered without them. Reading takes a fraction
 * of a millisecond, and nothing waits for it: from the outside a late validator is like any other, but that its
 * first call throws when its file is gone.
 *
 * @param url `import.meta.url` of the module beside which the files are
 */
export function lateValidators(url: string, table: ValidatorTable, library: ValidatorLibrary): Validators {
  let read: ((file: string) => unknown) | undefined;
  const load = (number: number): Validator => {
    let index = number;
    for (const [file, count] of table.parts) {
      if (index < count) {
        read ??= process.getBuiltinModule("node:module").createRequire(url);
        const make = readPart(read, file)[index];
        if (make === undefined)
          throw new Error(`${file} has no validator ${index}. Build the project again.`);
        return make(library);
      }
      index -= count;
    }
    throw new Error(`There is no validator ${number}. Build the project again.`);
  };

  const late = (number: number): Validator => {
    let found: Validator | undefined;
    const validate: Validator = (data) => {
      found ??= load(number);
      if (found(data)) return true;
      if (found.errors !== undefined) validate.errors = found.errors;
      return false;
    };
    return validate;
  };
  const inputs = (numbers: Readonly<Record<string, number>>): Record<string, { input: Validator }> =>
    mapValues(numbers, (number) => ({ input: late(number) }));

  return {
    tools: mapValues(table.tools, ([input, output]) => ({
      input: late(input),
      ...(output === undefined ? {} : { output: late(output) }),
    })),
    prompts: inputs(table.prompts),
    resourceTemplates: inputs(table.resourceTemplates),
    ...(table.forms && { forms: mapValues(table.forms, late) }),
  };
}

/** A build replaces the files of the one before, while a server of that may still be running. */
function readPart(read: (file: string) => unknown, file: string): Part {
  try {
    return read(file) as Part;
  } catch (cause) {
    const message = `${file} cannot be read. If the server was built again while it ran, start it again.`;
    throw new Error(message, { cause });
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
