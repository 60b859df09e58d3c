import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { membersOf } from './members.ts'

interface Problem {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

/**
 * Returns a sentence on the first fault of a value against its schema: where the fault is, what stands there and what would be right.
 *
 * @param at where the value itself stands, for the sentence
 * @returns null when it fits
 */
export function firstProblem(schema: TSchema, value: unknown, at: string): string | null {
  const problems = problemsOf(schema, value)
  // A member that is named wrongly says more than the one that is missing because of it.
  const problem = problems.find(({ keyword }) => keyword === 'additionalProperties') ?? problems[0]
  return problem ? sentence(schema, value, at, problem) : null
}

/** Returns one sentence for each place at which a value does not fit its schema; parameters as in `firstProblem`. */
export function allProblems(schema: TSchema, value: unknown, at: string): readonly string[] {
  const places = new Map<string, Problem>()
  for (const problem of problemsOf(schema, value)) {
    const { instancePath, keyword } = problem
    // Of alternatives, the sentence on the whole place says what would be right; those on its parts say why each one is not.
    if (keyword === 'anyOf') for (const place of places.keys()) if (place.startsWith(`${instancePath}/`)) places.delete(place)
    if (keyword === 'additionalProperties' || keyword === 'required') places.set(`${instancePath} ${keyword}`, problem)
    else places.set(instancePath, places.get(instancePath) ?? problem)
  }
  return [...places.values()].map((problem) => sentence(schema, value, at, problem))
}

function problemsOf(schema: TSchema, value: unknown): Problem[] {
  return Value.Errors(schema, value).filter(({ keyword }) => keyword !== 'boolean')
}

function sentence(schema: TSchema, value: unknown, at: string, problem: Problem): string {
  const path = problem.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const place = [at, ...path].filter(Boolean).join('.')
  const member = path.reduce<unknown>((holder, key) => membersOf(holder)[key], value)
  if (problem.keyword === 'required')
    return `${place || 'the whole'}: ${list(membersOf(problem.params).requiredProperties)} is missing.${known(schema, path)}`
  if (problem.keyword === 'additionalProperties')
    return `${[place, list(membersOf(problem.params).additionalProperties)].filter(Boolean).join('.')}: there is no such setting.${known(schema, path)}`
  return `${place || 'the whole'}: ${problem.message}${path.some(isSecret) ? '' : `, but it is ${shown(member)}`}.`
}

/** Settings whose value is a secret, or may hold one: it is not repeated in a message. */
function isSecret(name: string): boolean {
  return /^(signing_key|response_keys|peppers|endpoints|headers|database_url|redis_url)$/.test(name)
}

function list(names: unknown): string {
  return Array.isArray(names) ? names.join(', ') : ''
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Lists the names that would be right at a path, where the schema tells. */
function known(schema: TSchema, path: readonly string[]): string {
  const at = path.reduce<unknown>((node, key) => {
    const { properties, patternProperties } = membersOf(node)
    return membersOf(properties)[key] ?? Object.values(membersOf(patternProperties))[0]
  }, schema)
  const names = Object.keys(membersOf(membersOf(at).properties))
  return names.length > 0 ? ` Known here: ${names.join(', ')}.` : ''
}
