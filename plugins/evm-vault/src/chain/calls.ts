import { type Answers, type Question, type Questions, reader } from '@svc/kit-evm'
import { vaultAbi } from '../abi.ts'
import { badGateway } from '../codes.ts'
import type { VaultContext } from '../network.ts'

/** Functions that ask the vault and the contracts that vaults share. A question without an answer is a 502 VAULT_UNREADABLE. */
export const { ask, askAll, answered } = reader({
  unreadable: ({ method, reason }) =>
    badGateway('VAULT_UNREADABLE', `The vault could not be read (${method}): ${reason || 'no reason given'}.`),
})

/** Groups of questions, by names; those of a group by names or in a list. */
type Groups<G> = { readonly [N in keyof G]: Questions<G[N]> }

/** Asks groups of questions in one round trip, in their order. A question that fails fails alone. */
export async function askGroups<G extends object>(
  ctx: VaultContext,
  groups: Groups<G>,
): Promise<{ readonly [N in keyof G]: Answers<G[N]> }> {
  return inGroups(groups, await ask(ctx, questionsOf(groups)))
}

/**
 * Combines questions to the vault into one call of its `multicall`, so that all of them are answered from the same state. When one call fails, all fail.
 *
 * @param first call data of calls that run before the questions, and whose changes the answers show
 */
export function together<G extends object>(vault: string, groups: Groups<G>, first: readonly string[] = []): Question<G> {
  const questions = questionsOf(groups)
  return {
    to: vault,
    method: `multicall of ${questions.map(({ method }) => method).join(', ')}`,
    data: vaultAbi.encodeFunctionData('multicall', [[...first, ...questions.map(({ data }) => data)]]),
    read(answer) {
      const results = vaultAbi.decodeFunctionResult('multicall', answer).slice(first.length)
      if (results.length !== questions.length) throw new TypeError(`${results.length} results of ${questions.length} calls`)
      const values = questions.map(({ read }, index) => read(results[index] ?? '0x'))
      return inGroups(groups, values)
    },
  }
}

function questionsOf(groups: object): readonly Question<unknown>[] {
  return Object.values(groups).flatMap((questions: object) => Object.values(questions))
}

/** Returns the results of the questions, in their groups and there under their names or in their places; each question said the type of its own. */
function inGroups<T>(groups: object, values: readonly unknown[]): T
function inGroups(groups: object, values: readonly unknown[]): unknown {
  const rest = [...values]
  return Object.fromEntries(
    Object.entries(groups).map(([name, questions]) => {
      const own = rest.splice(0, Object.keys(questions).length)
      return [name, Array.isArray(questions) ? own : Object.fromEntries(Object.keys(questions).map((key, index) => [key, own[index]]))]
    }),
  )
}
