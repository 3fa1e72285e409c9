/** Functions compiled from the schemas at build time, by tool name, prompt name, URI template, or form ID. */
export interface Validators {
  tools: ValidatorsByName;
  prompts: ValidatorsByName;
  resourceTemplates: ValidatorsByName;
  /** Absent if nothing is elicited. */
  forms?: ValidatorsByName;
}

/** The validators of declarations of one kind, or the modules that contain them. */
export type ValidatorsByName = Record<string, EntryValidators | ValidatorsModule>;

/** The validators of one declaration. */
export interface EntryValidators {
  input: Validator;
  /** Absent without an output schema. */
  output?: Validator;
}

/** Returns whether `data` satisfies the schema. The runtime finds the reasons with the schema itself. */
export type Validator = (data: unknown) => boolean;

/** A module of a build with the validators of several declarations. */
export interface ValidatorsModule {
  /**
   * Imports the module, before the first call that needs one of its validators. The module receives `compiled` of
   * `@tenon/runtime/validation`, so that it needs no imports.
   */
  load(): Promise<{ createValidators(compiled: (code: never) => Validator): Validators }>;
}
