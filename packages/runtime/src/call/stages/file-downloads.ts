import { ToolError } from "../../api/errors.js";
import { download, DownloadError, type DownloadLimits } from "../../access/download/download.js";
import { findSizeProblem, findTypeProblem } from "../../data/files/file-limits.js";
import { PendingFile } from "../../data/files/pending-file.js";
import { decodePercents, toFileName } from "../../data/files/read-file.js";
import { joinPath } from "../../data/explanations/paths.js";
import type { Call } from "../connection/call.js";
import type { Stage } from "./stage.js";

type Path = readonly (string | number)[];

/** Creates the stage that replaces the files that a client sent as URLs. Such files are arguments, or in lists of them. */
export const createDownloads: Stage = (next, _target, { settings }) => {
  const { maxDownloadBytes: maxBytes, downloadTimeoutMs: timeoutMs } = settings.limits;
  const allowedHosts = settings.files.allowedDownloadHosts ?? [];
  return function downloadFiles(call) {
    const given = call.arguments ?? {};
    if (!Object.values(given).some(isPending)) return next(call);
    const limits = { maxBytes, timeoutMs, allowedHosts, signal: call.signal };
    return downloadAll(given, limits, call).then(() => next(call));
  };
};

function isPending(value: unknown): boolean {
  return value instanceof PendingFile || (Array.isArray(value) && value.some(isPending));
}

async function downloadAll(
  given: Record<string, unknown>,
  limits: DownloadLimits,
  call: Call,
): Promise<void> {
  const members = Object.entries(given).map(
    async ([name, value]) => [name, await downloadOne(value, [name], limits)] as const,
  );
  call.arguments = Object.fromEntries(await Promise.all(members));
}

async function downloadOne(value: unknown, path: Path, limits: DownloadLimits): Promise<unknown> {
  if (value instanceof PendingFile) return toFile(value, path, limits);
  if (!isPending(value)) return value;
  return Promise.all((value as unknown[]).map((each, index) => downloadOne(each, [...path, index], limits)));
}

/** Downloads a file, and checks its limits. The type that the client declares counts more than that of the response. */
async function toFile(
  { url, declared, limits }: PendingFile,
  path: Path,
  all: DownloadLimits,
): Promise<File> {
  const reject = (problem: string): never => {
    throw new ToolError(`\`${joinPath(path)}\` ${problem}.`);
  };
  const typeProblem = declared.type === undefined ? undefined : findTypeProblem(declared.type, limits);
  if (typeProblem !== undefined) return reject(typeProblem);
  const maxBytes = Math.min(all.maxBytes, limits.maxBytes ?? Infinity);
  const { bytes, type = "" } = await download(url, { ...all, maxBytes }).catch((error: unknown) => {
    if (error instanceof DownloadError) return reject(`cannot be downloaded: ${error.message}`);
    throw error;
  });
  const problem = findTypeProblem(declared.type ?? type, limits) ?? findSizeProblem(bytes.byteLength, limits);
  if (problem !== undefined) return reject(problem);
  const name = declared.name ?? decodePercents(new URL(url).pathname);
  return new File([bytes], toFileName(name), { type: declared.type ?? type });
}
