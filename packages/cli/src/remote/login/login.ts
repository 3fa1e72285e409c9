import { randomBytes } from "node:crypto";
import {
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  RegistrationRejectedError,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "../official/mcp-client.js";
import { Failure } from "../../terminal/failure.js";
import { type LoginStore, createLoginStore, type StoredLogin } from "./login-store.js";
import { listenForRedirect, type RedirectListener } from "./redirect-listener.js";

/** The interaction with the user for a login. */
export interface LoginOptions {
  /** Shows the login URL. Absent if no user can log in; then only a stored login is used. */
  showUrl?: (url: URL) => Promise<void> | void;
  /**
   * Reads typed lines until the returned function is called. A browser on another machine cannot redirect here, but the user
   * can paste its address.
   */
  readLines?: (onLine: (line: string) => void) => () => void;
  /** Reports that a typed line is not a redirect address. */
  reportWrongAddress?: (redirectUrl: string) => void;
  /** The client ID or the URL of its metadata, if the issuer does not register clients. */
  clientId?: string;
  clientSecret?: string;
  signal?: AbortSignal;
}

/** Minimum age of a token that may have expired, so that the user logs in again. */
const MIN_TOKEN_AGE_MS = 30_000;

/**
 * The user's login at one server: an OAuth provider for the official client, which discovers the issuer, registers, and
 * requests further scopes if needed.
 */
export class Login implements OAuthClientProvider {
  readonly #store: LoginStore;
  readonly #listener: RedirectListener;
  readonly #options: LoginOptions;
  #stored: StoredLogin;
  #redirect: URLSearchParams | undefined;
  #state = "";
  /** Whether to register for refresh tokens, which some issuers reject. */
  #requestsRefreshToken = true;
  #canRegisterAgain = true;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;
  #isUnderWay = false;
  /** The time at which the issuer issued tokens. */
  #issuedAt: number | undefined;
  #requestedScope: string | null | undefined;
  /** The scope of the last login that resulted in tokens. */
  #answeredScope: string | null | undefined;

  private constructor(store: LoginStore, listener: RedirectListener, options: LoginOptions) {
    this.#store = store;
    this.#listener = listener;
    this.#options = options;
    const stored = store.read();
    // Most issuers compare the whole address, including the port.
    const { clients: _, ...others } = stored;
    this.#stored = stored.port === listener.port ? stored : { ...others, port: listener.port };
  }

  /** Returns the tokens, or undefined if there is no login. */
  static async open(url: URL, options: LoginOptions): Promise<Login | undefined> {
    const store = createLoginStore(url);
    const { port, tokens } = store.read();
    if (options.showUrl === undefined && tokens === undefined) return undefined;
    return new Login(store, await listenForRedirect(port), options);
  }

  /** Returns the parameters of the redirect, and forgets them. */
  takeRedirect(): URLSearchParams | undefined {
    const returned = this.#redirect;
    this.#redirect = undefined;
    return returned;
  }

  /** Whether the browser has returned from the login page. */
  get hasRedirect(): boolean {
    return this.#redirect !== undefined;
  }

  /** Whether the official client prepares the login: it discovers the issuer, registers, or requests tokens. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Whether the issuer has issued tokens since the login was opened. */
  get hasTokens(): boolean {
    return this.#issuedAt !== undefined;
  }

  /** Whether there is no client at the issuer, which does not register any. */
  get lacksClient(): boolean {
    const metadata = this.#discovered?.authorizationServerMetadata;
    if (metadata === undefined || metadata.registration_endpoint !== undefined) return false;
    return this.clientInformation({ issuer: metadata.issuer }) === undefined;
  }

  /**
   * Returns whether to retry after an issuer rejected the registration, without the rejected settings. Returns true only once.
   */
  shouldRetryRegistration(error: unknown): boolean {
    const isFirst = this.#requestsRefreshToken && error instanceof RegistrationRejectedError;
    if (isFirst) this.#requestsRefreshToken = false;
    return isFirst;
  }

  /**
   * Returns whether to retry after an issuer rejected unregistered scopes, with a new registration. Returns true only once.
   */
  shouldRegisterAgain(error: unknown): boolean {
    const isRejected = error instanceof OAuthError && String(error.code) === "invalid_scope";
    if (!isRejected || !this.#canRegisterAgain || this.#stored.clients === undefined) return false;
    this.#canRegisterAgain = false;
    this.invalidateCredentials("client");
    return true;
  }

  /** Returns the secrets to mask. */
  *listSecrets(): Iterable<string> {
    const { tokens, clients = {} } = this.#stored;
    const known = [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, this.#verifier];
    const clientSecrets = Object.values(clients).map((client) => client.client_secret);
    for (const secret of [...known, ...clientSecrets, this.#options.clientSecret]) if (secret) yield secret;
  }

  close(): void {
    this.#listener.close();
  }

  get redirectUrl(): string {
    return this.#listener.url;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Tenon",
      redirect_uris: [this.#listener.url],
      token_endpoint_auth_method: this.#options.clientSecret === undefined ? "none" : "client_secret_basic",
      grant_types: ["authorization_code", ...(this.#requestsRefreshToken ? ["refresh_token"] : [])],
      response_types: ["code"],
      application_type: "native",
    };
  }

  state(): string {
    this.#state = randomBytes(32).toString("base64url");
    return this.#state;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#options;
    if (clientId === undefined) return context && this.#stored.clients?.[context.issuer];
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(context && { issuer: context.issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    if (context === undefined || this.#options.clientId !== undefined) return;
    this.#update({ clients: { ...this.#stored.clients, [context.issuer]: client } });
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const { tokens } = this.#stored;
    return context === undefined || tokens?.issuer === context.issuer ? tokens : undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#isUnderWay = false;
    this.#issuedAt = performance.now();
    this.#answeredScope = this.#requestedScope;
    this.#update({ tokens });
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    this.#isUnderWay = true;
    return this.#discovered;
  }

  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    this.#discovered = discovered;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { clients: _clients, tokens: _tokens, ...rest } = this.#stored;
    if (scope === "discovery" || scope === "all") this.#discovered = undefined;
    if (scope === "tokens") this.#replace({ ...rest, ...(_clients && { clients: _clients }) });
    if (scope === "client") this.#replace({ ...rest, ...(_tokens && { tokens: _tokens }) });
    if (scope === "all") this.#replace(rest);
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.#isUnderWay = false;
    const { showUrl, readLines, reportWrongAddress, signal } = this.#options;
    if (showUrl === undefined)
      throw new Failure("The login for this server has expired, or lacks a required scope.", {
        hint: "Run the command in an interactive terminal to log in.",
      });
    if (!isPage(url)) {
      throw new Failure(`The login page of the server, ${url.protocol}//${url.host}, does not use HTTPS.`);
    }
    const scope = url.searchParams.get("scope");
    const age = performance.now() - (this.#issuedAt ?? -Infinity);
    // The same login would only result in the same token.
    if (scope === this.#answeredScope && age < MIN_TOKEN_AGE_MS) throw createRejectedTokenFailure();
    this.#requestedScope = scope;
    const redirect = this.#listener.waitForRedirect(this.#state, signal);
    // It rejects while the page is shown if the user interrupts the command.
    redirect.catch(() => undefined);
    await showUrl(url);
    const stop = readLines?.((line) => {
      if (line.trim() !== "" && !this.#listener.accept(line)) reportWrongAddress?.(this.redirectUrl);
    });
    try {
      this.#redirect = await redirect;
    } finally {
      stop?.();
    }
  }

  #update(changes: StoredLogin): void {
    this.#replace({ ...this.#stored, ...changes });
  }

  #replace(login: StoredLogin): void {
    this.#stored = login;
    this.#store.write(login);
  }
}

/**
 * Describes that a server does not accept a new token.
 *
 * @param cause the error of the request
 */
export function createRejectedTokenFailure(cause?: unknown): Failure {
  return new Failure("The server does not accept the access token that its issuer has just issued.", {
    hint: "The token may lack a scope, or be meant for another audience. The log of the server reports why.",
    cause,
  });
}

/** Checks the login URL, which the server chooses: only HTTPS pages, or pages of this machine, are opened. */
function isPage({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" || (protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}
