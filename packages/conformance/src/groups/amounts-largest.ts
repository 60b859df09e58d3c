import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatAmount, isServiceError, MOST_UNITS } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import { capture } from '../direct.ts'
import { actionOf } from '../present.ts'
import type { Subject } from '../subject.ts'
import type { AmountMember } from './member.ts'

/** Round trips of a craft, and one more. */
const ROUNDS = 4

/**
 * Tests that no amount leads to an endpoint being paused: an amount that the chain cannot carry is refused before an endpoint is asked, and no endpoint is blamed for the
 * largest possible one.
 */
export async function largest(subject: Subject, check: Check, { action, name, decimals }: AmountMember): Promise<void> {
  const { kit, protocol, upstream, client } = subject
  const most = kit.mostUnits ?? MOST_UNITS
  const { body } = await subject.example(action)
  const asking = (units: bigint) => ({ ...body, [name]: formatAmount(units, decimals) })

  const { result, usage } = await upstream.measure(() => client.post(`/action/${action}`, asking(most + 1n)))
  const expected = actionOf(protocol, action).invalidBody ?? 400
  check.ok(
    result.status === expected && result.code === 'AMOUNT_INVALID' && usage.calls === 0,
    `${action}: ${name} of ${most + 1n} base units is ${expected} AMOUNT_INVALID before an endpoint is asked`,
    shown([result.status, result.code, usage]),
  )

  const blamed: unknown[] = []
  const ctx = subject.connect(blamed)
  try {
    const sentence = `${action}: ${name} of ${most} base units is refused`
    await capture(protocol, ctx, actionOf(protocol, action), JSON.stringify(asking(most))).then(
      () => check.fail(sentence, 'it was crafted'),
      (error: unknown) => check.ok(isServiceError(error) && error.statusCode < 500, sentence, thrown(error)),
    )
    // What was asked at the same time as the refusal may go on to a further round trip.
    for (let round = 0; round < ROUNDS; round++) {
      await nextTurn()
      await upstream.idle()
    }
    check.equal(blamed.map(thrown), [], `${action}: no endpoint is blamed for ${name} of ${most} base units`)
  } finally {
    await kit.close?.(ctx.client)
  }
}
