import { countUsers, type UserCount } from '@svc/contract'
import { type AccountFilter, findAccounts, malformed, readAccounts } from '@svc/kit-svm'
import type { NativeContext } from '../network.ts'
import { activationAt } from './activation.ts'
import type { Now } from './now.ts'
import { CLOCK, nowOf, STAKE_HISTORY, STAKE_PROGRAM } from './now.ts'
import { DELEGATED_BYTES, decodeHolding, NEVER, OFFSET, STAKE_SPACE, speller } from './stake-account.ts'

/** Number of first bytes that a wallet's address can have. Each part of the delegators has one of these bytes, so that nobody is in two parts. */
const PARTS = 256
/** Parts that are counted at once, and how often a refresh does so: each has the node look at all stake there is. */
const AT_ONCE = 4
const STEPS_PER_REFRESH = 2
/** Accounts read before others get their turn. */
const BREATH = 2_000
/** @see https://datatracker.ietf.org/doc/html/draft-msporny-base58-03 (read 2026-11-22) */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Counts the owners of stake with the operator's validator that has not cooled down; an owner is who may withdraw it. It takes one search; after that has failed twice,
 * since they are too many for one answer, it counts by parts.
 */
export async function countDelegators(ctx: NativeContext): Promise<UserCount> {
  return countUsers<number>(ctx, {
    key: 'delegators',
    whole: () => countPart(ctx, null),
    because: 'the delegators are counted by parts: one answer with all of them was not to be had',
    start: 0,
    steps: STEPS_PER_REFRESH,
    async step(first, count) {
      const some = Array.from({ length: Math.min(AT_ONCE, PARTS - first) }, (_, index) => countPart(ctx, first + index))
      const end = first + some.length
      const addition = (await Promise.all(some)).reduce((sum, each) => sum + each, 0)
      return { counted: count + addition, next: end === PARTS ? null : end }
    },
    isPlace: (cursor): cursor is number => typeof cursor === 'number' && Number.isInteger(cursor) && cursor >= 0 && cursor < PARTS,
  })
}

/** @param first the byte that the owners' addresses begin with; null: all */
async function countPart({ client, network }: NativeContext, first: number | null): Promise<number> {
  const filters: AccountFilter[] = [
    { dataSize: STAKE_SPACE },
    { memcmp: { offset: OFFSET.discriminant, bytes: DELEGATED_BYTES } },
    { memcmp: { offset: OFFSET.voter, bytes: network.validator } },
    ...(first === null ? [] : [{ memcmp: { offset: OFFSET.withdrawer, bytes: inBase58(first) } }]),
  ]
  const slice = { offset: OFFSET.withdrawer, length: OFFSET.deactivationEpochEnd - OFFSET.withdrawer }
  const spell = speller()
  const voter = OFFSET.voter - slice.offset
  const fits = (data: Buffer) =>
    data.length === slice.length && spell(data.subarray(voter, voter + 32)) === network.validator && (first === null || data[0] === first)
  const [accounts, now] = await Promise.all([
    findAccounts(client, { program: STAKE_PROGRAM, filters, dataSlice: slice, fits }),
    readAccounts(client, [CLOCK, STAKE_HISTORY], ([clock, history]) => nowOf(clock, history)),
  ])
  const owners = new Set<string>()
  for (const [index, { data }] of accounts.entries()) {
    if (index % BREATH === BREATH - 1) await new Promise((resolve) => setImmediate(resolve))
    const holding = decodeHolding(data)
    if (!holding) throw malformed()
    if (holds(holding.delegation, now)) owners.add(holding.withdrawer)
  }
  return owners.size
}

function holds(delegation: Parameters<typeof activationAt>[0], { clock, history }: Now): boolean {
  return delegation.deactivationEpoch === NEVER || activationAt(delegation, clock.epoch, history).effective > 0n
}

/** One byte in base58. */
function inBase58(byte: number): string {
  const [first, last] = [ALPHABET.charAt(Math.floor(byte / 58)), ALPHABET.charAt(byte % 58)]
  return byte < 58 ? last : first + last
}
