import type { Arguments, ArgumentsPlan, ArgumentsValidators } from "../../data/conversion/arguments.js";
import type { DataValidators, OutputSchema, RejectOutput } from "../../data/results/output-check.js";
import type {
  EntryValidators,
  Validator,
  Validators,
  ValidatorsModule,
} from "../../data/validation/validators.js";
import { createOutdatedBuildError, getOwnMember } from "./lookup.js";

/** The noun in messages for each kind of declaration that has validators. */
const NOUNS: Readonly<Record<keyof Validators, string>> = {
  tools: "tool",
  prompts: "prompt",
  resourceTemplates: "resource template",
  forms: "form",
};

const KINDS = Object.keys(NOUNS) as (keyof Validators)[];

/** See `checks.ts`. */
export type Checks = typeof import("./checks.js");

/**
 * The validation of a server's calls. None of it is loaded when the server starts. The first call loads `checks.ts`,
 * and each call loads the validators that it needs. A build keeps them in modules, since a server of a thousand tools
 * has megabytes of them, and clients call few tools. A validator that is not loaded throws.
 */
export class Validation {
  readonly #validators: Validators;
  readonly #declared: Readonly<Record<keyof Validators, Map<string, DeclaredValidators>>> = {
    tools: new Map(),
    prompts: new Map(),
    resourceTemplates: new Map(),
    forms: new Map(),
  };
  /** Modules that any call may need: the validators of forms and URI templates. */
  readonly #general = new Set<ValidatorsModule>();
  readonly #loading = new Map<ValidatorsModule, Promise<void>>();
  #checks: Checks | undefined;

  /** @param checks absent if the first call loads them */
  constructor(validators: Validators, checks?: Checks) {
    this.#validators = validators;
    this.#checks = checks;
  }

  /**
   * The loaded checks.
   *
   * @throws Error before the first call
   */
  get checks(): Checks {
    return this.#checks ?? throwNotLoaded();
  }

  /**
   * Returns the validators of a declaration, which throw until they are loaded.
   *
   * @throws Error for a declaration without validators
   */
  find(kind: keyof Validators, name: string): DeclaredValidators {
    const found = getOwnMember(this.#validators[kind] ?? {}, name);
    const declared = new DeclaredValidators(this, `${NOUNS[kind]} "${name}"`, found);
    this.#declared[kind].set(name, declared);
    if (declared.module !== undefined && kind !== "tools" && kind !== "prompts")
      this.#general.add(declared.module);
    return declared;
  }

  /**
   * Loads the code that validates the values of a call.
   *
   * @param kind the kind of declaration that the call names, if that is a tool or a prompt
   * @returns undefined if everything is loaded
   * @throws Error, from the promise, if a module is missing or belongs to another build
   */
  load(kind: "tools" | "prompts" | undefined, name: unknown): Promise<void> | undefined {
    const named = kind && this.#declared[kind].get(name as string)?.module;
    if (named === undefined && this.#general.size === 0 && this.#checks !== undefined) return undefined;
    return this.#loadAll(new Set(named === undefined ? this.#general : [named, ...this.#general]));
  }

  async #loadAll(modules: ReadonlySet<ValidatorsModule>): Promise<void> {
    try {
      this.#checks ??= await import("./checks.js");
      await Promise.all([...modules].map((module) => this.#loadOnce(module)));
    } catch (cause) {
      throw new Error(UNLOADABLE, { cause });
    }
  }

  #loadOnce(module: ValidatorsModule): Promise<void> {
    const loading = this.#loading.get(module) ?? this.#loadModule(module);
    this.#loading.set(module, loading);
    return loading.finally(() => this.#loading.delete(module));
  }

  async #loadModule(module: ValidatorsModule): Promise<void> {
    const { createValidators } = await module.load();
    const loaded = createValidators(this.checks.compiled);
    for (const kind of KINDS) {
      for (const [name, declared] of this.#declared[kind])
        if (declared.module === module) declared.set(getOwnMember(loaded[kind] ?? {}, name));
    }
    this.#general.delete(module);
  }
}

const UNLOADABLE =
  "The validators of the server cannot be loaded. Restart the server if the project was built since; otherwise, build " +
  "it again.";

/**
 * The validators of one declaration. Callers keep this object, since its members change when the validators are loaded.
 */
export class DeclaredValidators implements ArgumentsValidators, DataValidators {
  readonly #validation: Validation;
  readonly #subject: string;
  #hasOutputSchema = false;
  input: Validator = throwNotLoaded;
  /** Throws for a declaration without an output schema. */
  output: Validator = throwNotLoaded;
  /** The module of the validators, until they are loaded. */
  module: ValidatorsModule | undefined;

  /** @throws Error if there are no validators */
  constructor(
    validation: Validation,
    subject: string,
    validators: EntryValidators | ValidatorsModule | undefined,
  ) {
    this.#validation = validation;
    this.#subject = subject;
    if (validators !== undefined && "load" in validators) this.module = validators;
    else this.set(validators);
  }

  reconsiderArguments(plan: ArgumentsPlan, values: unknown): Arguments {
    return this.#validation.checks.reconsiderArguments(plan, values);
  }

  reconsiderData(json: unknown, output: OutputSchema, reject: RejectOutput | undefined): unknown {
    return this.#validation.checks.reconsiderData(json, output, reject);
  }

  /**
   * Sets the validators.
   *
   * @throws Error if there are none
   */
  set(validators: EntryValidators | ValidatorsModule | undefined): void {
    if (validators === undefined || "load" in validators) throw this.#createMissingError();
    this.input = validators.input;
    this.output = validators.output ?? throwNotLoaded;
    this.module = undefined;
    if (this.#hasOutputSchema) this.requireOutput();
  }

  /**
   * Requires a validator for results.
   *
   * @throws Error, now or from `set`, if there is no validator for results
   */
  requireOutput(): void {
    this.#hasOutputSchema = true;
    if (this.module === undefined && this.output === throwNotLoaded) throw this.#createMissingError();
  }

  #createMissingError(): Error {
    return createOutdatedBuildError(`The ${this.#subject} has no validator.`);
  }
}

function throwNotLoaded(): never {
  throw new Error("A value was validated before its validator was loaded.");
}
