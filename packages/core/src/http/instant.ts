import { badRequest } from '../base/codes.ts'
import { quoted } from '../base/readable-text.ts'

/** Parses a day or an instant of a query. @throws 400 `REQUEST_INVALID` */
export function instantOf(name: string, given: string): Date {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/i
  const date = new Date(given)
  if (form.test(given) && !Number.isNaN(date.getTime())) return date
  throw badRequest('REQUEST_INVALID', `${name} is ${quoted(given)}; it must be like 2030-12-31T23:59:59Z, or a day, 2030-12-31.`)
}
