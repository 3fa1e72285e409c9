import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import envPaths from "env-paths";

/** What is kept of a login at one server. */
export interface KeptLogin {
  /** Where the browser comes back to: issuers know a client by it. */
  port?: number;
  /** By the issuer that registered each: a client is known to nobody else. */
  clients?: Record<string, StoredOAuthClientInformation>;
  /** Their issuer is in them. */
  tokens?: StoredOAuthTokens;
}

/** A file for each server in the user's own configuration folder, which nobody else may read. */
export interface LoginStore {
  read(): KeptLogin;
  write(login: KeptLogin): void;
  /** @returns whether there was anything */
  forget(): boolean;
}

const OWNER_ONLY = { file: 0o600, folder: 0o700 };

/** @param url of the server */
export function loginStore(url: URL): LoginStore {
  const folder = join(envPaths("tenon", { suffix: "" }).config, "logins");
  const server = `${url.origin}${url.pathname}${url.search}`;
  const file = join(folder, `${createHash("sha256").update(server).digest("hex").slice(0, 32)}.json`);
  return {
    read() {
      try {
        const kept = JSON.parse(readFileSync(file, "utf8")) as KeptLogin & { server?: string };
        return kept.server === server ? kept : {};
      } catch {
        return {};
      }
    },
    write(login) {
      mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
      const whole = `${file}.${randomUUID()}`;
      writeFileSync(whole, `${JSON.stringify({ server, ...login }, null, 2)}\n`, { mode: OWNER_ONLY.file });
      renameSync(whole, file);
    },
    forget() {
      try {
        rmSync(file);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
      }
    },
  };
}
