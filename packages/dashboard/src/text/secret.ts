/**
 * The value of a key or token within a text, as often as it stands there: what the lists show of it, and the secret behind.
 *
 * @see packages/core/src/credentials/value.ts: `svc_`, `svcm_` or `svco_`, a ULID, `_` and a secret. Taken with any letter, and in either case, since
 * what was mistyped is a secret all the same.
 */
const VALUE = /(svc[a-z]?_[0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]*/gi

/** Tells whether a text holds the value of a key or token: these are not searched for and never get into an address. */
export function looksSecret(text: string): boolean {
  return harmless(text) !== text
}

/** Tells whether a text is an API key, as programs have one: `svc_`, where tokens begin with `svcm_` or `svco_`. */
export function isApiKey(text: string): boolean {
  return /^\s*svc_[0-9A-HJKMNP-TV-Z]{26}_/i.test(text)
}

/** Takes what is secret out of a text: a whole value that was pasted is found by its id. */
export function harmless(text: string): string {
  return text.replace(VALUE, '$1')
}
