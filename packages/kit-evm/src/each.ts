import type { Question } from './abi.ts'
import type { Answer, Questions, Reader } from './reader.ts'

/**
 * Asks the same few questions about each of many addresses, with as many addresses in a call of the chain as fit. Digests are made from the answers.
 *
 * @param questionsOf the same ones for each address
 * @param perCall addresses in one call: as many as any endpoint has gas for
 * @returns answers by address, without the addresses of which one was not answered
 * @throws 502, 503, 504 when the chain could not be asked
 */
export async function askEach<T extends object>(
  ask: Reader['ask'],
  ctx: Parameters<Reader['ask']>[0],
  addresses: readonly string[],
  questionsOf: (address: string) => Questions<T>,
  perCall: number,
): Promise<ReadonlyMap<string, T>> {
  const each = addresses.map((address) => ({ address, questions: Object.entries<Question<unknown>>(questionsOf(address)) }))
  const count = each[0]?.questions.length ?? 0
  const all = each.flatMap(({ questions }) => questions.map(([, question]) => question))
  const answers: readonly Answer<unknown>[] = await ask<readonly unknown[]>(ctx, all, { perCall: perCall * count || 1 })
  return new Map(
    each.flatMap(({ address, questions }, index) => {
      const own = answers.slice(index * count, (index + 1) * count)
      const values = questions.flatMap(([name], at) => {
        const answer = own[at]
        return answer?.ok ? [[name, answer.value] as const] : []
      })
      return values.length < count ? [] : [[address, Object.fromEntries(values) as T] as const]
    }),
  )
}
