/** By which the runner of a test is asked for what its project is made of; the project folder follows. */
export const TEST_MODULE = "virtual:tenon-server:";
