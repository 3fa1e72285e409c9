import { ToolError } from "../../api/errors.js";
import { download, DownloadError, type DownloadLimits } from "../../access/download/download.js";
import { findSizeProblem, findTypeProblem } from "../../data/files/file-limits.js";
import { PendingFile } from "../../data/files/pending-file.js";
import { decodePercentEncoding, toFileName } from "../../data/files/read-file.js";
import { joinPath } from "../../data/explanations/paths.js";
import type { Call } from "../connection/call.js";
import type { Stage } from "./stage.js";

type Path = readonly (string | number)[];

/** The limits of all downloads of a call. */
type CallLimits = Omit<DownloadLimits, "maxBytes">;

/** Maximum number of files that are downloaded for one call, so that a call cannot send many requests to a host. */
const MAX_DOWNLOADS = 32;

/**
 * Creates the stage that downloads the files that a client sent as URLs. Such a file is an argument, or an item of a
 * list.
 */
export const createDownloads: Stage = (next, _target, { settings }) => {
  const { maxDownloadBytes: maxBytes, downloadTimeoutMs: timeoutMs } = settings.limits;
  const allowedHosts = settings.files.allowedDownloadHosts ?? [];
  return function downloadFiles(call) {
    const given = call.arguments ?? {};
    const count = Object.values(given).flat().filter(isPending).length;
    if (count === 0) return next(call);
    if (count > MAX_DOWNLOADS)
      throw new ToolError(
        `A call may contain the URLs of at most ${MAX_DOWNLOADS} files (got ${count}). Use several calls.`,
      );
    const failed = new AbortController();
    const limits: CallLimits = {
      budget: { maxBytes, remainingBytes: maxBytes },
      timeoutMs,
      allowedHosts,
      signal: AbortSignal.any([call.signal, failed.signal]),
    };
    return downloadAll(given, limits, call)
      .catch((error: unknown) => {
        failed.abort(error);
        throw error;
      })
      .then(() => next(call));
  };
};

function isPending(value: unknown): boolean {
  return value instanceof PendingFile || (Array.isArray(value) && value.some(isPending));
}

async function downloadAll(given: Record<string, unknown>, limits: CallLimits, call: Call): Promise<void> {
  const members = Object.entries(given).map(
    async ([name, value]) => [name, await downloadOne(value, [name], limits)] as const,
  );
  call.arguments = Object.fromEntries(await Promise.all(members));
}

async function downloadOne(value: unknown, path: Path, limits: CallLimits): Promise<unknown> {
  if (value instanceof PendingFile) return toFile(value, path, limits);
  if (!isPending(value)) return value;
  return Promise.all((value as unknown[]).map((each, index) => downloadOne(each, [...path, index], limits)));
}

/**
 * Downloads a file, and checks its limits. The type that the client declares takes precedence over that of the
 * response.
 */
async function toFile({ url, declared, limits }: PendingFile, path: Path, all: CallLimits): Promise<File> {
  const reject = (problem: string): never => {
    throw new ToolError(`\`${joinPath(path)}\` ${problem}.`);
  };
  const typeProblem = declared.type === undefined ? undefined : findTypeProblem(declared.type, limits);
  if (typeProblem !== undefined) return reject(typeProblem);
  const maxBytes = limits.maxBytes ?? Infinity;
  const { bytes, type = "" } = await download(url, { ...all, maxBytes }).catch((error: unknown) => {
    if (error instanceof DownloadError) return reject(`cannot be downloaded: ${error.message}`);
    throw error;
  });
  const problem = findTypeProblem(declared.type ?? type, limits) ?? findSizeProblem(bytes.byteLength, limits);
  if (problem !== undefined) return reject(problem);
  const name = declared.name ?? decodePercentEncoding(new URL(url).pathname);
  return new File([bytes], toFileName(name), { type: declared.type ?? type });
}
