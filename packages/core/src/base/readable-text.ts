/**
 * Characters that a reader cannot see as what they are: controls (C0 and C1), what changes the direction of a text or takes no room, separators of lines and
 * paragraphs, halves of a pair. A name with one of them passes for another name, or rewrites the line that it stands in.
 *
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing (read 2026-11-25)
 */
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const UNREADABLE_ALL = new RegExp(UNREADABLE, 'gu')
/** At least one sign that leaves a mark. */
const MARK = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Tells whether a text can be shown on one line unchanged, and has something visible. */
export function isReadable(text: string): boolean {
  return MARK.test(text) && !UNREADABLE.test(text)
}

/** Tells whether a text of several lines, which may have tabs, is readable in the sense of `isReadable`. */
export function isReadableText(text: string): boolean {
  return isReadable(text.replace(/[\t\r\n]/g, ' '))
}

/** Replaces every invisible character by a visible one, so that any text can be kept or shown. */
export function readable(text: string): string {
  return text.replace(UNREADABLE_ALL, '\ufffd')
}

/** Quotes a caller's value in a sentence: as JSON, with visible characters only. @param most characters that are shown; what is cut off is an ellipsis */
export function quoted(value: unknown, most = 60): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > most ? `${readable(text.slice(0, most))}…` : readable(text)
}
