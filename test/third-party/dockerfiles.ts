export { default as dockerignore, type Ignore } from "@balena/dockerignore";
export {
  DockerfileParser,
  type Copy,
  type Env,
  type Instruction,
  type JSONInstruction,
} from "dockerfile-ast";
export { validate } from "dockerfile-utils";
