import { membersOf } from '@svc/contract'
import { nearest } from './nearest.ts'
import { quoted } from './readable-text.ts'

/** Validator's report on a value that does not fit; with the value and its schema, as the validator gives them when it is `verbose`. */
export interface Misfit {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params: Record<string, unknown>
  readonly data?: unknown
  /** The number as it was written, where it is beyond every double. */
  readonly text?: string
  readonly parentSchema?: unknown
}

/** The types of JSON in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
  null: 'null',
}
const LENGTHS: Readonly<Record<string, string>> = { minLength: 'at least', maxLength: 'at most', minItems: 'at least', maxItems: 'at most' }
const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
}

/**
 * Writes a sentence on why a request is not valid: the member, its value, and what would be right.
 *
 * @param where part of the request: `body`, `params`, `querystring`, `headers`
 */
export function sentenceOf(problem: Misfit, where: string): string {
  const name = problem.instancePath.split('/').filter(Boolean).join('.')
  const place = name || (where === 'body' ? 'The body' : `The ${where}`)
  const { params, data } = problem
  if (where === 'body' && name === '' && data === null) return 'The body is missing or null; it must be a JSON object.'
  if (problem.text !== undefined) {
    const digits = problem.text.length > 40 ? `${problem.text.slice(0, 40)}…` : problem.text
    return `${place} is ${digits}, which is beyond 1.8e308, the largest number that JSON readers agree on; it must be a number that somebody can have.`
  }
  const must = (what: string) => `${place} is ${shown(data)}; it must be ${what}.`
  switch (problem.keyword) {
    case 'additionalProperties':
      return unknownMember(String(params.additionalProperty), knownTo(problem), name)
    case 'required':
      return `${name ? `${name}.` : ''}${params.missingProperty} is missing.`
    case 'minProperties':
      return `${place} is empty; it must have at least one of ${knownTo(problem).join(', ')}.`
    case 'type':
      return must(
        [params.type]
          .flat()
          .map((type) => TYPES[String(type)] ?? String(type))
          .join(' or '),
      )
    case 'enum':
      return must(`one of ${(params.allowedValues as unknown[]).join(', ')}`)
    case 'pattern':
      return must(`of the form ${params.pattern}`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return must(`${BOUNDS[problem.keyword]} ${params.limit}`)
    case 'minLength':
    case 'maxLength':
      return `${place} has ${String(data).length} characters; it must have ${LENGTHS[problem.keyword]} ${params.limit}.`
    case 'minItems':
    case 'maxItems':
      return `${place} has ${(data as readonly unknown[]).length} items; it must have ${LENGTHS[problem.keyword]} ${params.limit}.`
    default:
      return `${place} is ${shown(data)}; it ${problem.message ?? 'does not fit'}.`
  }
}

function unknownMember(member: string, allowed: readonly string[], place: string): string {
  const where = place ? `in ${place}` : 'in this request'
  if (allowed.length === 0) return `There is no member ${shown(member)} ${where}; it has none.`
  const guess = nearest(member, allowed)
  return `There is no member ${shown(member)} ${where};${guess ? ` did you mean ${guess}?` : ''} ${guess ? 'It' : 'it'} has ${allowed.join(', ')}.`
}

function knownTo({ parentSchema }: Misfit): readonly string[] {
  return Object.keys(membersOf(membersOf(parentSchema).properties))
}

/** Writes a value as a sentence can carry it; of an object or a list only what it is. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'a JSON object' : quoted(value)
}
