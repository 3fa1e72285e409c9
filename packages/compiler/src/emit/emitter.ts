import type { EmitInput } from "./emit.js";
import type { FileTree } from "./file-tree.js";
import type { ValidatorMemory } from "./validators/validators.js";

/** Writes a server's modules: `emit`, loaded when it is needed, with what it has found out before. */
export type Emitter = (input: EmitInput) => Promise<FileTree>;

/** Loading ajv and all that writes takes as long as deriving the schemas of fifty tools. */
export function createEmitter(): Emitter {
  let memory: ValidatorMemory | undefined;
  return async (input) => {
    const [{ emit }, { createValidatorMemory }] = await Promise.all([
      import("./emit.js"),
      import("./validators/validators.js"),
    ]);
    memory ??= createValidatorMemory();
    return emit(input, memory);
  };
}
