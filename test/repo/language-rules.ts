/** A rule against an expression for which readers know another name. */
export interface LanguageRule {
  readonly find: RegExp;
  /** The better word. */
  readonly use: string;
  /** A text that the rule finds. */
  readonly wrong: string;
  /** Similar text that is fine. */
  readonly right: string;
}

/** Rules for every line: code, comments, messages, and pages. */
export const LINE_RULES: readonly LanguageRule[] = [
  {
    find: /\b(?:MOST|LONGEST|LEAST|SHORTEST|FEWEST)_[A-Z]/,
    use: "MAX_ or MIN_, and the unit",
    wrong: "const MOST_CALLS = 5;",
    right: "const MAX_CALLS = 5; const AT_MOST = 3;",
  },
  {
    find: /\b(?:function|const|let) (?!(?:any|all|one)Of\b)[a-z]\w*Of\b(?= ?[(=<:])/,
    use: "a verb: getX, findX, toX",
    wrong: "function pathOf(file: string) {}",
    right: "const position = text.indexOf(part); const anyOf = [text];",
  },
  {
    find: /(?:\/\*\*|^\s*\*) (?:What|Who|Whose|Of|Those|So)\b/,
    use: "a verb in the third person, or a noun phrase",
    wrong: "/** What a client sees. */",
    right: "/** Whether a client sees it. */",
  },
  {
    find: /\b(?:am|is|are|was|were|be) told\b/,
    use: "receives, sees",
    wrong: "The client is told.",
    right: "The client has told the server.",
  },
  {
    find: /\b(?:goes|went) on\b(?! (?:to|the|a|top)\b)/,
    use: "continues",
    wrong: "The call goes on.",
    right: "The badge goes on top; the page goes on the site.",
  },
  { find: /\bmended\b/i, use: "fixed", wrong: "It is mended.", right: "It is recommended." },
  { find: /\banew\b/, use: "again", wrong: "It starts anew.", right: "It starts a new one." },
  {
    find: /\bone word too many\b/,
    use: 'an error such as "Unexpected argument `x`."',
    wrong: "`x` is one word too many.",
    right: "Unexpected argument `x`.",
  },
  {
    find: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|such\b|doubt\b|one\b)[a-z]/i,
    use: "is not a",
    wrong: "`x` is no name.",
    right: "There is no name. It is no longer listed.",
  },
  {
    find: /(?<!\bfollowed )\b(?:by|behind) `?--[a-z]/,
    use: "with `--x`, after `--`",
    wrong: "Choose one by `--file`.",
    right: "Choose one with `--file`.",
  },
  {
    find: /\b(?:behavio|colo|favo|hono|neighbo|labo)ur(?!less)/i,
    use: "American spelling: -or",
    wrong: "the behaviour",
    right: "the behavior of four hours",
  },
  {
    find: /\b(?:recogn|organ|serial|normal|real|initial|author|summar|optim|custom|minim|maxim|sanit|categor|synchron)is(?:e[ds]?|ing|ation)\b/i,
    use: "American spelling: -ize",
    wrong: "It is serialised.",
    right: "It is serialized, realistic and promised.",
  },
  {
    find: /\b(?:misspelt|learnt|whilst|amongst)\b/i,
    use: "American spelling: misspelled, learned, while, among",
    wrong: "a misspelt tag",
    right: "a misspelled tag that was learned",
  },
  {
    find: /\balso (?:if|when)\b/,
    use: "even if, even when",
    wrong: "It is stored, also if it is empty.",
    right: "It is also stored if it is empty.",
  },
  {
    find: /\b(?:an?|one) (?!(?:bit|little|lot)\b)[a-z]+ less\b/,
    use: "one fewer",
    wrong: "a member less",
    right: "one fewer member, and a bit less than a second",
  },
];

/** Names that have changed, with the current ones. Each is found as a whole word. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  "ctx.once": "ctx.step",
  spendState: "consumeRequestState",
  "tenon.lock.json": "tenon.contract.json",
  "check --write": "check --update",
  ElicitAnswer: "ElicitResult",
  ElicitUrlAnswer: "ElicitUrlResult",
  AskOptions: "InputRequestOptions",
  RefusedRequest: "RejectedRequest",
  CallEnd: "CallSummary",
  TaskWork: "TaskRunner",
  "handed-over": "interrupted",
  CountedUse: "RateWindow",
  UsedUp: "LimitExceeded",
  onGap: "onMissed",
  allParts: "allFeatures",
  BehaviourOptions: "RuntimeOptions",
  RateLimitOf: "RateLimitResolver",
  DescribedOptions: "DefinitionOptions",
  outputChecks: "outputValidation",
  InvalidToken: "InvalidTokenError",
  KnownAuth: "DeclaredAuth",
  "not-listening": "listen-failed",
  "store-missed": "store-unreachable",
  "store-reached": "store-recovered",
  MADE_FROM: "SERVER_URL",
  "--single": "--single-file",
  "--against": "--baseline",
  "--forget": "--logout",
  "type-behaviour": "type-has-methods",
  "type-union-alike": "type-union-ambiguous",
  "profile-loses": "profile-lossy",
  "config-not-read": "config-ignored",
  "constraint-tag-unread": "constraint-tag-ignored",
  Asker: "InputRequester",
  isOver: "isDone",
  wordsOf: "errorMessage",
  onlooker: "observer",
  bodyBytes: "maxBodyBytes",
  callMs: "callTimeoutMs",
  answerMs: "inputTimeoutMs",
  drainMs: "drainTimeoutMs",
  sessionMs: "sessionLifetimeMs",
};

/** Rules for the titles of tests, which are read after the titles of the groups around them. */
export const TITLE_RULES: readonly LanguageRule[] = [
  {
    find: /^(?:and|but|nor|that|which|whose|of)\b/,
    use: "a claim with a subject and a verb",
    wrong: "that is full rejects writes",
    right: "is listed once",
  },
];

/** Rules for pages, wherever they are in the repository. */
export const PAGE_RULES: readonly LanguageRule[] = [
  {
    find: /\b(?:no|some|any)body\b(?!["'`])/i,
    use: "the person or program that acts, or anyone",
    wrong: "The stream that nobody continues.",
    right: 'The stream of `subject ?? "nobody"` that no process continues.',
  },
  {
    find: /\bheld (?:to|against)\b/,
    use: "validated against, checked against",
    wrong: "Messages are held against the schema.",
    right: "Messages are validated against the schema.",
  },
  {
    find: /\bsays so\b/,
    use: "the verb: reports, prints, logs",
    wrong: "A test that is skipped says so.",
    right: "A test that is skipped prints a message.",
  },
];

/** Rules for the titles of pages. */
export const PAGE_TITLE_RULES: readonly LanguageRule[] = [
  {
    find: /^(?:What|Who|When|Shown)\b/,
    use: "the words that a reader searches for: a task or a topic",
    wrong: "What models send",
    right: "Whatsoever",
  },
];
