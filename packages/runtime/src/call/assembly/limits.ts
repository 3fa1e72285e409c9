import type { ServerConfig } from "../../api/define-server.js";
import type { Limits } from "../../api/limits.js";

/** The limits of a server that configures none. */
export const DEFAULT_LIMITS: Limits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxLineBytes: 10 * 1024 * 1024,
  maxBatchMessages: 100,
  maxDepth: 256,
  maxValues: 200_000,
  maxSessions: 10_000,
  sessionIdleTimeoutMs: 30 * 60 * 1000,
  sessionLifetimeMs: 7 * 24 * 60 * 60 * 1000,
  maxStreamBufferBytes: 16 * 1024 * 1024,
  maxReplayBytes: 1024 * 1024,
  maxSubscriptions: 16_384,
  maxSubscribedResources: 1000,
  maxConcurrentRequests: 4096,
  maxConcurrentCallsPerCaller: 1024,
  maxResultChars: 0,
  maxEmbeddedFileBytes: 1024 * 1024,
  maxDownloadBytes: 20 * 1024 * 1024,
  downloadTimeoutMs: 30 * 1000,
  callTimeoutMs: 0,
  drainTimeoutMs: 7000,
  stdinDrainTimeoutMs: 1600,
  inputTimeoutMs: 10 * 60 * 1000,
  maxTasks: 1024,
  maxTaskBytes: 4 * 1024 * 1024,
  taskLifetimeMs: 60 * 60 * 1000,
  maxTrackedCallers: 65_536,
};

/** Returns the configured limits, with defaults for the others. */
export function resolveLimits(configured: ServerConfig["limits"] = {}): Limits {
  const given = Object.entries(configured).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, ...(Object.fromEntries(given) as Partial<Limits>) };
}
