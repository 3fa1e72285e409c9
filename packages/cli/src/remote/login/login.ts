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
} from "@modelcontextprotocol/client";
import { Failure } from "../../terminal/failure.js";
import { type LoginStore, loginStore, type KeptLogin } from "./login-store.js";
import { listenForRedirect, type RedirectListener } from "./redirect-listener.js";

/** How a person logs in. */
export interface LoginOptions {
  /** Shows the person where to log in. Absent where there is nobody: then only a login that is kept is used. */
  ask?: (url: URL) => Promise<void> | void;
  /**
   * Reads what the person types meanwhile, until what it returns is called: a browser on another machine cannot come back
   * here, but its address can.
   */
  readLines?: (onLine: (line: string) => void) => () => void;
  /** Tells the person that such a line was no answer. */
  refuse?: (redirectUrl: string) => void;
  /** As which client, where the issuer does not register any: its id, or the URL of its metadata. */
  clientId?: string;
  clientSecret?: string;
  signal?: AbortSignal;
}

/**
 * The person's login at one server, in the way of the official client: it finds out where, registers, and comes back for
 * more scopes where they are needed.
 */
export class Login implements OAuthClientProvider {
  readonly #store: LoginStore;
  readonly #listener: RedirectListener;
  readonly #options: LoginOptions;
  #kept: KeptLogin;
  #returned: URLSearchParams | undefined;
  #state = "";
  /** Whether to ask for tokens that can be renewed; some issuers refuse those who do. */
  #refreshes = true;
  #widens = true;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  private constructor(store: LoginStore, listener: RedirectListener, options: LoginOptions) {
    this.#store = store;
    this.#listener = listener;
    this.#options = options;
    const kept = store.read();
    // Issuers compare the whole address, mostly with the port.
    const { clients: _, ...others } = kept;
    this.#kept = kept.port === listener.port ? kept : { ...others, port: listener.port };
  }

  /** @returns nothing where nobody could log in and nobody has */
  static async open(url: URL, options: LoginOptions): Promise<Login | undefined> {
    const store = loginStore(url);
    const { port, tokens } = store.read();
    if (options.ask === undefined && tokens === undefined) return undefined;
    return new Login(store, await listenForRedirect(port), options);
  }

  /** What came back with the browser, once. */
  takeReturned(): URLSearchParams | undefined {
    const returned = this.#returned;
    this.#returned = undefined;
    return returned;
  }

  get hasReturned(): boolean {
    return this.#returned !== undefined;
  }

  /**
   * True once, after an issuer has refused to register this client: what it takes is known by then, and the next try
   * asks for no more.
   */
  registersOtherwise(error: unknown): boolean {
    const isFirst = this.#refreshes && error instanceof RegistrationRejectedError;
    if (isFirst) this.#refreshes = false;
    return isFirst;
  }

  /**
   * True once, after an issuer has refused scopes that this client did not name when it registered: the next try
   * registers again, and names them.
   */
  registersForMore(error: unknown): boolean {
    const isRefused = error instanceof OAuthError && String(error.code) === "invalid_scope";
    if (!isRefused || !this.#widens || this.#kept.clients === undefined) return false;
    this.#widens = false;
    this.invalidateCredentials("client");
    return true;
  }

  /** What must not be shown. */
  *secrets(): Iterable<string> {
    const { tokens, clients = {} } = this.#kept;
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
      grant_types: ["authorization_code", ...(this.#refreshes ? ["refresh_token"] : [])],
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
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    return context && this.#kept.clients?.[context.issuer];
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    if (context === undefined || this.#options.clientId !== undefined) return;
    this.#keep({ clients: { ...this.#kept.clients, [context.issuer]: client } });
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const { tokens } = this.#kept;
    return context === undefined || tokens?.issuer === context.issuer ? tokens : undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#keep({ tokens });
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    this.#discovered = discovered;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { clients: _clients, tokens: _tokens, ...rest } = this.#kept;
    if (scope === "discovery" || scope === "all") this.#discovered = undefined;
    if (scope === "tokens") this.#replace({ ...rest, ...(_clients && { clients: _clients }) });
    if (scope === "client") this.#replace({ ...rest, ...(_tokens && { tokens: _tokens }) });
    if (scope === "all") this.#replace(rest);
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { ask, readLines, refuse, signal } = this.#options;
    if (ask === undefined)
      throw new Failure("The login at this server has ended, or does not reach as far as this.", {
        hint: "Run the command once at a terminal, where you can log in.",
      });
    if (!isPage(url)) {
      throw new Failure(
        `The server sends its users to log in at ${url.protocol}//${url.host}, which is not safe.`,
      );
    }
    const coming = this.#listener.returned(this.#state, signal);
    // It is refused while the page is shown where the person has enough of it.
    coming.catch(() => undefined);
    await ask(url);
    const stop = readLines?.((line) => {
      if (line.trim() !== "" && !this.#listener.accept(line)) refuse?.(this.redirectUrl);
    });
    try {
      this.#returned = await coming;
    } finally {
      stop?.();
    }
  }

  #keep(more: KeptLogin): void {
    this.#replace({ ...this.#kept, ...more });
  }

  #replace(login: KeptLogin): void {
    this.#kept = login;
    this.#store.write(login);
  }
}

/** Whoever runs the server names the page: nothing but a page is opened, and none that others on the way could read. */
function isPage({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" || (protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  );
}
