import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { findPackage } from "./installed-packages.js";

/** The reason for a package with native code, which runs only on one platform. */
export const NATIVE_CODE = "has native code";

/** Patterns of code that only works where its package is installed, with the reasons. */
const REASONS: readonly (readonly [RegExp, reason: string])[] = [
  [
    /\b__(?:dirname|filename)\b|\bimport\.meta\b|\brequire\.(?:resolve|main|cache)\b|\bcreateRequire\b/,
    "finds files relative to itself",
  ],
  [/\bnew Worker\(/, "starts threads from its own files"],
  [/\b(?:require|import)\((?!\s*["'])/, "loads modules by names computed at run time"],
];

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/**
 * Finds the reason why the package of a file works only where it is installed.
 *
 * @param file a file of the package, absolute
 * @returns the reason, or undefined if neither the file nor package.json contains one
 */
export async function findInstalledOnlyReason(file: string): Promise<string | undefined> {
  const found = findPackage(file);
  if (!found) return "has no package.json";
  const { folder, settings } = found;
  const isNative =
    settings["gypfile"] === true ||
    settings["os"] ||
    settings["cpu"] ||
    existsSync(join(folder, "binding.gyp"));
  if (isNative) return NATIVE_CODE;
  const scripts = (settings["scripts"] ?? {}) as Record<string, unknown>;
  if (INSTALL_SCRIPTS.some((name) => name in scripts)) return "has an install script";
  if (!/\.[cm]?js$/.test(file)) return undefined;
  const text = readFileSync(file, "utf8");
  if (!findReason(text)) return undefined;
  // Most matches are in comments.
  const { code } = await transform(text, { minifyWhitespace: true, legalComments: "none" });
  return findReason(code);
}

function findReason(text: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(text))?.[1];
}
