import type { errorCodes as shared } from './codes.ts'
import { type ErrorCodes, type Refusals, refusals } from './refusals.ts'

/**
 * Declares the error codes of a package, and returns the functions that refuse with them. These take the codes of the table and those that every protocol can answer, each
 * for its own status; any other code does not compile.
 *
 * @param errorCodes status and meaning by code; the meaning is a sentence for the page that lists them all
 * @param _further a table of another package whose codes are raised too, such as that of the kit; it stays with that package
 * @returns the table itself, and the makers of refusals
 */
export function declareErrors<const Own extends ErrorCodes, const Further extends ErrorCodes = never>(
  errorCodes: Own,
  _further?: Further,
): { readonly errorCodes: Own } & Refusals<Own | Further | typeof shared> {
  return { errorCodes, ...refusals }
}
