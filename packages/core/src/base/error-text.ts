import type { ErrorBody } from '@svc/contract/host'

/** A refusal as it is sent. */
interface ErrorText {
  readonly contentType: string
  readonly text: string
}

/** Media type of every answer in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8'
/** Media type of a refusal by RFC 9457. @see https://www.rfc-editor.org/rfc/rfc9457#section-6.1 (read 2026-11-29) */
const PROBLEM = 'application/problem+json'

/**
 * Writes a refusal: by RFC 9457 where the caller's `Accept` names that format, else as JSON. Both have the same members; the problem document adds those of the RFC, of
 * which `type` is `about:blank`: the status tells the kind of the problem, and `code` the problem itself.
 *
 * @param accept the header of the request, as it came
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-4.2.1 (read 2026-11-29)
 */
export function writeError(body: ErrorBody, accept: string | undefined): ErrorText {
  if (!asksForProblem(accept)) return { contentType: JSON_TYPE, text: JSON.stringify(body) }
  const { statusCode, message, error } = body
  const problem = { type: 'about:blank', title: message, status: statusCode, detail: error, ...body }
  return { contentType: `${PROBLEM}; charset=utf-8`, text: JSON.stringify(problem) }
}

/** Tells whether an Accept header names the media type itself and does not refuse it by `q=0`. @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 (read 2026-11-29) */
function asksForProblem(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === PROBLEM && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}
