/** The prefix of the specifier with which a test runner loads a project. The project folder follows. */
export const TEST_MODULE = "virtual:tenon-server:";
