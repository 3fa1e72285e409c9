import type { Exchange } from "../../api/exchange.js";
import type { LogSink } from "../../api/log.js";
import type { Notify } from "../../api/notifier.js";
import type { SanitizeText } from "../../data/results/sanitize.js";
import type { listSecretTexts } from "../../observe/log/secret-texts.js";
import type { Elicitations } from "./elicitations.js";

/** The parts of a server that every call needs. */
export interface CallServer {
  /** Reports changes on behalf of handlers. */
  readonly notify: Notify;
  /** The clients whose users were sent to a URL. */
  readonly elicitations: Elicitations;
  /** Removes invisible characters from text. */
  readonly sanitize: SanitizeText;
  readonly log: LogSink;
  /** Lists the secrets in arguments. Absent if no argument is secret. */
  readonly listSecretTexts: typeof listSecretTexts | undefined;
  /** Obtains tokens for other APIs. Absent if it is not configured. */
  readonly exchange: Exchange | undefined;
}
