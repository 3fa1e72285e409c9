import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@tenon/compiler/report";
import envPaths from "env-paths";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "../official/mcp-client.js";

/** The stored login for one server. */
export interface StoredLogin {
  /** The port of the redirect URL, which issuers compare. */
  port?: number;
  /** The registered clients, by issuer. */
  clients?: Record<string, StoredOAuthClientInformation>;
  /** The tokens, with their issuer. */
  tokens?: StoredOAuthTokens;
}

/** A store with one file for each server in the user's configuration folder, readable only by the user. */
export interface LoginStore {
  read(): StoredLogin;
  write(login: StoredLogin): void;
  /**
   * Deletes the login.
   *
   * @returns whether there was one
   */
  delete(): boolean;
}

const OWNER_ONLY = { file: 0o600, folder: 0o700 };

/**
 * Creates the store of a server.
 *
 * @param url the URL of the server
 */
export function createLoginStore(url: URL): LoginStore {
  const folder = join(envPaths("tenon", { suffix: "" }).config, "logins");
  const server = `${url.origin}${url.pathname}${url.search}`;
  const file = join(folder, `${createHash("sha256").update(server).digest("hex").slice(0, 32)}.json`);
  return {
    read() {
      try {
        const stored = JSON.parse(readFileSync(file, "utf8")) as StoredLogin & { server?: string };
        return stored.server === server ? stored : {};
      } catch {
        return {};
      }
    },
    write(login) {
      mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder });
      const draft = `${file}.${randomUUID()}`;
      writeFileSync(draft, `${JSON.stringify({ server, ...login }, null, 2)}\n`, { mode: OWNER_ONLY.file });
      replaceFile(draft, file);
    },
    delete() {
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
