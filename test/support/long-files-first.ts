import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests take long even if their files are short, because they compile projects or start processes. */
const LONG = /\/test\/(?:cli|compile|e2e|runtime\/replicas)\//;

/**
 * The order of test files. Where Vitest has never run before, it sorts them by size, so one worker may start a short
 * file that takes long when the others have already finished.
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
