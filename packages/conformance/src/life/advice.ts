/** Words by which somebody makes another transaction in the place of the first. */
const ANEW = /\b(?:craft|draft|sign|stake)(?:s|ed|ing)?(?: it| them| one)? (?:again|anew|another)\b/i
/** Words that have the same in them, and keep from it. */
const CAUTION = /\bbefore you (?:craft|make) another\b|\bcrafting another is not\b/gi

/** Finds the advice to make another transaction in an answer of the service: as long as the first can land, it leads to a second stake. */
export function adviceIn(answer: string): string | null {
  return ANEW.exec(answer.replace(CAUTION, ''))?.[0] ?? null
}
