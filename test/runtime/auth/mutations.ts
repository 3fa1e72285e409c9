/** One check of the source that is left out, or made weaker. */
export interface Mutation {
  readonly check: string;
  /** Below `runtime/src/access/auth/`. */
  readonly file: string;
  /** The source text of the check, which occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** The table with a row that detects the mutation, and the beginning of the row's section. */
  readonly noticedBy: readonly [rfc: string, section?: string];
  /** Whether other checks then reject the same token with another message. */
  readonly changesMessageOnly?: true;
}

const NOBODY = "if (false)";

function claims(
  check: string,
  text: string,
  replacement = NOBODY,
  noticedBy: Mutation["noticedBy"] = ["RFC 9068"],
): Mutation {
  return { check, file: "tokens/check-claims.ts", text, replacement, noticedBy };
}

/** @param section the section of RFC 9449 */
function proof(
  check: string,
  section: string,
  text: string,
  replacement = NOBODY,
  changesMessageOnly?: true,
): Mutation {
  const mutation = {
    check,
    file: "dpop/proof.ts",
    text,
    replacement,
    noticedBy: ["RFC 9449", section],
  } as const;
  return changesMessageOnly ? { ...mutation, changesMessageOnly } : mutation;
}

const IAT = 'if (typeof iat !== "number" || !(Math.abs(seconds - iat) <= MAX_PROOF_AGE_SECONDS))';

const ALWAYS_VERIFIED =
  "(async (jwt) => ({ payload: decoded.decodeJwt(jwt), protectedHeader: decoded.decodeProtectedHeader(jwt) }))";

export const MUTATIONS: readonly Mutation[] = [
  claims("issuer", 'if (typeof iss !== "string" || !issuers.includes(iss))', 'if (typeof iss !== "string")'),
  claims("audience", "if (!namesThisServer)", NOBODY, ["RFC 8707"]),
  claims("audience, absent", "if (!namesThisServer)", "if (aud !== undefined && !namesThisServer)", [
    "RFC 8707",
  ]),
  claims("audience, whole", "audiences.includes(each)", "audiences.some((one) => each.startsWith(one))", [
    "RFC 8707",
  ]),
  claims("expiry, absent", 'if (typeof exp !== "number" || !(Math.abs(exp) <= MAX_TIME_SECONDS))'),
  claims("expiry", "if ((exp + CLOCK_TOLERANCE_SECONDS) * 1000 <= now)"),
  claims(
    "nbf",
    'if (nbf !== undefined && !(typeof nbf === "number" && (nbf - CLOCK_TOLERANCE_SECONDS) * 1000 <= now))',
  ),
  claims(
    "nbf, which is not a time",
    '!(typeof nbf === "number" && (nbf - CLOCK_TOLERANCE_SECONDS) * 1000 <= now)',
    "(nbf as number) - CLOCK_TOLERANCE_SECONDS > now / 1000",
  ),
  claims("subject", 'if (typeof sub !== "string" || sub === "")', 'if (typeof sub !== "string")'),
  {
    check: "one spelling",
    file: "tokens/jwt.ts",
    text: "if (!COMPACT_JWT.test(token))",
    replacement: NOBODY,
    noticedBy: ["RFC 6750"],
  },
  {
    check: "issuer before its keys are fetched",
    file: "tokens/jwt.ts",
    text: "if (claimed === undefined || !issuers.includes(claimed))",
    replacement: "if (claimed === undefined)",
    noticedBy: ["RFC 9068"],
  },
  {
    check: "alg",
    file: "tokens/jwt.ts",
    text: "{ algorithms: [...algorithms] }",
    replacement: "{}",
    noticedBy: ["RFC 9068"],
  },
  {
    check: "signature",
    file: "tokens/jwt.ts",
    text: "await jose.compactVerify(token, getKeys(claimed), {",
    replacement:
      "await (async (...[jwt]) => ({ payload: jose.base64url.decode(jwt.split('.')[1]), " +
      "protectedHeader: jose.decodeProtectedHeader(jwt), }))(token, getKeys(claimed), {",
    noticedBy: ["RFC 9068"],
  },
  {
    check: "typ",
    file: "tokens/jwt.ts",
    text: 'if (typeof typ !== "string" || !types.includes(normalizeType(typ)))',
    replacement: NOBODY,
    noticedBy: ["RFC 9068"],
  },
  {
    check: "issuer of the keys",
    file: "tokens/issuer-metadata.ts",
    text: "if (metadata.issuer !== issuer)",
    replacement: NOBODY,
    noticedBy: ["RFC 9068"],
  },
  {
    check: "active",
    file: "tokens/introspection.ts",
    text: "if (response.active !== true)",
    replacement: NOBODY,
    noticedBy: ["RFC 6750"],
  },
  {
    check: "possession",
    file: "oauth.ts",
    text: "await checkPossession({ scheme, hash, cnf }, credentials);",
    replacement: "",
    noticedBy: ["RFC 9449", "7.2"],
  },
  {
    check: "possession, where the token is known",
    file: "tokens/recent-tokens.ts",
    text: "if (known !== undefined) return known;",
    replacement: "if (known !== undefined) return { ...known, cnf: undefined };",
    noticedBy: ["RFC 9449", "7.2"],
  },
  {
    check: "cnf of plain tokens",
    file: "possession.ts",
    text: "if (cnf !== undefined)",
    replacement: NOBODY,
    noticedBy: ["RFC 9449", "7.2"],
  },
  {
    check: "cnf, where it is required",
    file: "possession.ts",
    text: "if (isRequired)",
    replacement: NOBODY,
    noticedBy: ["RFC 9449", "7.2"],
  },
  {
    check: "cnf of tokens with a proof",
    file: "possession.ts",
    text: "if (!isBoundToKey(cnf))",
    replacement: NOBODY,
    noticedBy: ["RFC 9449", "7.1"],
    changesMessageOnly: true,
  },
  proof("a proof at all", "4.3, 1", "if (proof === undefined)", NOBODY, true),
  proof("one proof", "4.3, 1", "if (!COMPACT_JWT.test(proof))", NOBODY, true),
  proof("jti, absent", "4.3, 3", 'if (typeof jti !== "string" || jti === "")', 'if (jti === "")'),
  proof("typ", "4.3, 4", 'typ: "dpop+jwt",', ""),
  proof("alg", "4.3, 5", "algorithms: [...PUBLIC_KEY_ALGORITHMS],", "", true),
  proof(
    "signature",
    "4.3, 6",
    "const { payload } = await jwtVerify(proof, getKey, {",
    `const decoded = await loadJose(); const { payload } = await ${ALWAYS_VERIFIED}(proof, getKey, {`,
  ),
  proof("private part", "4.3, 7", "PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))", "false"),
  proof("htm", "4.3, 8", "if (htm !== method)"),
  proof("htm, exactly", "4.3, 8", "if (htm !== method)", "if (String(htm).toUpperCase() !== method)"),
  proof("htu", "4.3, 9", 'if (typeof htu !== "string" || toTargetUrl(htu) !== toTargetUrl(url))'),
  proof(
    "htu, its path",
    "4.3, 9",
    "toTargetUrl(htu) !== toTargetUrl(url)",
    "new URL(htu).host !== new URL(url).host",
  ),
  proof("nonce", "4.3, 10", "if (nonces !== undefined && !nonces.accepts(nonce))"),
  proof("iat", "4.3, 11", IAT, 'if (typeof iat !== "number")'),
  proof("iat, ahead", "4.3, 11", "Math.abs(seconds - iat)", "(seconds - iat)"),
  proof("iat, absent", "4.3, 3", IAT, "if (Math.abs(seconds - iat) > MAX_PROOF_AGE_SECONDS)"),
  proof("ath", "4.3, 12", "if (ath !== tokenHash)"),
  proof("ath, absent", "4.3, 3", "if (ath !== tokenHash)", "if (ath !== undefined && ath !== tokenHash)"),
  proof("cnf.jkt", "4.3, 12", "if ((await calculateJwkThumbprint(jwk)) !== thumbprint)"),
  proof("jti, used before", "11.1", "if (!(await usedProofs.add(thumbprint, jti, iat, seconds)))"),
  {
    check: "jti, by key",
    file: "dpop/seen-proofs.ts",
    text: "this.#byKey.get(thumbprint)",
    replacement: '(thumbprint = "one", this.#byKey.get(thumbprint))',
    noticedBy: ["RFC 9449", "11.1"],
  },
  {
    check: "htu without its query",
    file: "dpop/target-url.ts",
    text: 'url.search = "";',
    replacement: "",
    noticedBy: ["RFC 9449", "4.3, 9"],
  },
];
