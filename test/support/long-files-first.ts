import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests take long even if their files are short, because they compile projects or start processes. */
const LONG = /\/test\/(?:cli|compile|e2e|runtime\/replicas)\//;

/**
 * The order of test files. Vitest goes by their size where it has never run before, and then has one worker at the end with
 * a short file that takes long, while the others have nothing to do.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Workers change when another project begins, so the files of each stay together.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((each) => each.project === project);
      const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
      return [...own.filter(isLong), ...own.filter((each) => !isLong(each))];
    });
  }
}
