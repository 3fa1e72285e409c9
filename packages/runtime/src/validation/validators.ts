/** Functions compiled from the schemas at build time; keys are tool names, prompt names and URI templates. */
export interface Validators {
  tools: Record<string, { input: Validator; /** Absent without an output schema. */ output?: Validator }>;
  prompts: Record<string, { input: Validator }>;
  resourceTemplates: Record<string, { input: Validator }>;
  /** By form id; absent when nothing is elicited. */
  forms?: Record<string, Validator>;
}

/** True when `data` satisfies the schema. Why not, the runtime finds from the schema itself. */
export type Validator = (data: unknown) => boolean;
