import { membersOf } from '@svc/contract'
import { askNode, isNotServed, type ProbeContext } from '@svc/contract/requirements'
import { unanswered } from '@svc/contract/rpc'
import { wordsOf } from '../answer.ts'
import { notServed } from '../not-served.ts'

/** Sends each query of the application with an empty message, which a node that serves the query answers or refuses. @returns those that it does not serve */
export async function missingQueries(ctx: ProbeContext, paths: readonly string[]): Promise<string | null> {
  const answers = await Promise.all(paths.map(async (path) => ({ path, words: await refusalOf(ctx, path) })))
  const missing = answers.filter(({ words }) => words !== null)
  return missing.length === 0 ? null : `${missing.map(({ path }) => path).join(', ')}: ${missing[0]?.words}`
}

/** Checks whether queries of the application reach the node. @returns the first query that something in front of the node blocks, with its words; null where none is blocked */
export async function refusedQueries(ctx: ProbeContext, paths: readonly string[]): Promise<string | null> {
  const answers = await Promise.all(
    paths.map(async (path) => ({ path, answer: await askNode(ctx, 'abci_query', { path, data: '', prove: false }) })),
  )
  const refused = answers.find(({ answer }) => 'fault' in answer && isNotServed(answer.fault))
  return refused && 'fault' in refused.answer ? `${refused.path}: ${refused.answer.words}` : null
}

async function refusalOf(ctx: ProbeContext, path: string): Promise<string | null> {
  const answer = await askNode(ctx, 'abci_query', { path, data: '', prove: false })
  if ('fault' in answer) {
    if (isNotServed(answer.fault)) return answer.words
    throw unanswered(wordsOf(answer.fault)).refusal
  }
  const { code, log } = membersOf(membersOf(answer.result).response)
  return code !== 0 && code !== undefined && notServed(String(log)) ? String(log) : null
}

/**
 * Calls a method of the node, and looks for a refusal of a given kind.
 *
 * @returns its words, where they are a refusal of the kind looked for, or where it does not have the method; else null
 */
export async function refusedBy(ctx: ProbeContext, method: string, params: unknown, kind: RegExp): Promise<string | null> {
  const answer = await askNode(ctx, method, params)
  if (!('fault' in answer)) return null
  return kind.test(answer.words) || isNotServed(answer.fault) ? answer.words : null
}
