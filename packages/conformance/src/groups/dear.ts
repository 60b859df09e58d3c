import { createClient, MismatchError, ServiceError, VerifiedTransaction } from '@svc/client'
import type { PinnedTerms } from '@svc/core/plugins'
import { formatUnits, type Intent } from '@svc/verify/intent'
import type { Check } from '../check.ts'
import { dearer } from '../lies/endpoint.ts'
import type { Subject } from '../subject.ts'
import { textual } from '../textual.ts'
import { seatAt } from './seat.ts'

/** Each price is so many times the one before. */
const STEP = 4n
/** From a price of 4 to 65,536 times the usual one: beyond, every family's cap has been met, or the price follows no node. */
const STEPS = 8
/** Up to 16 times the usual price everything is crafted: more than what one node alone is believed, wherever there is such a bound. */
const LEAST_STEPS = 3
/** Crafts until one costs as much as the first did. */
const MOST_TRIES = 50

/**
 * Tests that nobody is kept from leaving on a busy day: whatever the chain's price of gas, the client of a caller who pinned the terms on another day accepts the service's
 * craft; and it refuses a transaction that costs more than the pinned `max_fee`.
 */
export async function dear(subject: Subject, check: Check, intent: Intent, terms: PinnedTerms): Promise<void> {
  const { family, actions, example, serve } = subject
  if (!family.liar?.dearer)
    return check.note(
      `the driver of the family ${family.family} does not say how a node tells a higher price, so that no busy day is played`,
    )
  let factor = 1n
  const service = await serve({ fetch: dearer(subject, family.liar.dearer, () => factor) })
  try {
    const clientOn = async (pinned: PinnedTerms) => {
      const { trust, apiKey, fetch } = await seatAt(subject, service, intent, pinned)
      return createClient({ trust, apiKey, fetch, protocols: { it: intent }, retries: 0 }).it
    }
    const client = await clientOn(terms)
    for (const action of actions) {
      if (!Object.hasOwn(intent.actions, action)) continue
      const body = textual(intent, action, (await example(action)).body)
      const fees: bigint[] = []
      let end = 'the settings bound the price'
      factor = 1n
      for (let step = 0; step <= STEPS; step++, factor *= STEP) {
        const outcome = await client.craft(action, body).catch((error: unknown) => error)
        if (step >= LEAST_STEPS && outcome instanceof ServiceError && outcome.status >= 500) {
          end = `at ${factor} times the usual price the service refuses, ${outcome.code}`
          break
        }
        if (!(outcome instanceof VerifiedTransaction)) {
          check.fail(`${action}: at ${factor} times the usual price the client takes what the service crafts`, outcome)
          break
        }
        fees.push(outcome.decoded.maxFee)
        // The same craft, to a caller who pinned a unit less. One that is made anew may cost less, as of a stake account with another address.
        const pinned = outcome.decoded.maxFee - 1n
        const poorer = await clientOn({ ...terms, max_fee: formatUnits(pinned, terms.decimals) })
        let refusal: unknown
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          refusal = await poorer.craft(action, body).catch((error: unknown) => error)
          if (!(refusal instanceof VerifiedTransaction && refusal.decoded.maxFee <= pinned)) break
        }
        check.ok(
          refusal instanceof MismatchError && refusal.mismatches.some(({ path }) => path === 'maxFee'),
          `${action}: the client refuses a fee that is a unit above the \`max_fee\` that was pinned`,
          refusal,
        )
      }
      const [usual = 0n, highest = 0n] = [fees[0], fees.at(-1)]
      if (highest > usual) check.note(`${action}: taken at a fee of up to ${highest / usual} times the usual one; ${end}`)
      else check.note(`${action}: no node of this chain is asked for a price, or the fee at the usual one is the highest there is`)
      check.tried(fees.length, `prices of ${action}`)
    }
  } finally {
    await service.close()
  }
}
