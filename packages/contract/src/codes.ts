/** Status and meaning of each code that a package raises, for the page that lists them all. */
export type ErrorCodes = Readonly<Record<string, readonly [status: number, meaning: string]>>

/** What every protocol can answer. */
export const errorCodes: ErrorCodes = {
  AMOUNT_INVALID: [
    400,
    'The amount is not a decimal number, is zero or negative, has more decimals than the token, or is larger than any chain carries.',
  ],
  AMOUNT_TOO_SMALL: [400, 'The amount is below the minimum of the action.'],
  BODY_NOT_JSON: [400, 'The body is empty or not valid JSON.'],
  SETTINGS_INVALID: [500, "At start only: the operator's config does not fit; the sentence names the path and the mend."],
}
