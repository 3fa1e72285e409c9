import type { SourceFile } from "ts-morph";
import type { ts } from "../typescript/typescript.js";

/** The files of a project that are checked together, with their options. */
export interface CheckedFiles {
  /** Absolute path of the project folder, with forward slashes. */
  readonly root: string;
  /** The program from which types are read. It has `strictNullChecks`, whether or not the author sets it. */
  readonly program: ts.Program;
  /** The author's options, from tsconfig.json. */
  readonly options: ts.CompilerOptions;
  /** Returns a program with the author's options, for a type check. It is created on the first call. */
  readonly getConfiguredProgram: () => ts.Program;
  readonly checker: ts.TypeChecker;
  /** The files under `src/` that may declare something to serve, without tests and declaration files. */
  readonly sourceFiles: readonly SourceFile[];
  /** All files of the author that tsconfig.json includes. A type check covers these. */
  readonly ownFiles: readonly ts.SourceFile[];
}
