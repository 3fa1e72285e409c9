/**
 * Lets Node read decorated classes and TypeScript, and lets tests connect to the server of their project.
 *
 * @example
 * node --import=@tenon/cli/register --test "test/*.test.ts"
 * @module
 */
import { register } from "node:module";
import { resolveProjectRoot } from "../project/project-root.js";

register("./node-hooks.js", import.meta.url, { data: { root: resolveProjectRoot(process.cwd()) } });
