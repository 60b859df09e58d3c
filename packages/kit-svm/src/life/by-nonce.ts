import { nodeBehind } from '@svc/contract'
import { type AccountState, accountOf } from '../accounts.ts'
import { countOf, listOf, memberOf, textOf } from '../answers.ts'
import { nonceValue } from '../nonce.ts'
import type { Rpc } from '../rpc.ts'
import { type Ends, slotsBehindAtMost } from './ending.ts'

/** Number of transactions of the nonce account that are looked at for the one that used its value. */
const MOST_SIGNATURES = 50
/** Slots of about an hour. */
const HOUR_SLOTS = 10_000n
const NOBODY: readonly string[] = []

/**
 * Rules for the end of a transaction by the value of its nonce account, which only one transaction can use, also one that fails. The finalised value lags behind the one
 * that a craft has read: another value proves a replacement only after ours was seen, or so much later that ours must have been there.
 */
export const byNonce: Ends = {
  status: 'replaced',
  async observe(ctx, { nonce_account: account = '', nonce = '' }, before) {
    const [final, confirmed] = await Promise.all([readValue(ctx.client, account, 'finalized'), readValue(ctx.client, account, 'confirmed')])
    const match = [confirmed, final].find(({ value }) => value === nonce)
    const behind = slotsBehindAtMost(ctx)
    const settled = before.settled ?? (behind === null ? undefined : confirmed.slot + behind)
    const keep = { ...before, settled, since: sinceOf(before.since, match?.slot) }
    const from = keep.since ?? settled
    const over = match === undefined && from !== undefined && final.slot > from
    return { finalized: final.slot, keep, over, validUntil: { kind: 'nonce_account', value: `${account}=${nonce}`, estimatedAt: null } }
  },
  async confirm({ client }, { nonce_account: account = '', nonce = '' }, { finalized, keep: { since } }, hash) {
    const [final, users] = await Promise.all([
      readValue(client, account, 'finalized', (slot) => {
        if (slot < finalized) throw nodeBehind({ slot, finalized })
      }),
      // Who it was is worth knowing, and not worth failing for.
      since === undefined ? NOBODY : readUsers(client, account, since).catch(() => NOBODY),
    ])
    const [by, ...others] = users
    // A node that names the transaction itself among them knows it after all.
    return { over: final.value !== nonce && !users.includes(hash), by: others.length === 0 ? (by ?? null) : null }
  },
}

/** The later, the less a ledger needs to reach back; but what is kept is not to change with every look. */
function sinceOf(before: bigint | undefined, slot: bigint | undefined): bigint | undefined {
  if (before === undefined || slot === undefined) return before ?? slot
  return slot - before > HOUR_SLOTS ? slot : before
}

interface Held {
  readonly slot: bigint
  /** Nonce that the account holds; null where it holds none. */
  readonly value: string | null
}

async function readValue(
  { rpc }: { readonly rpc: Rpc },
  address: string,
  commitment: 'confirmed' | 'finalized',
  judge: (slot: bigint) => void = () => undefined,
): Promise<Held> {
  return rpc('getAccountInfo', [address, { encoding: 'base64', commitment }], (answer) => {
    const slot = countOf(memberOf(memberOf(answer, 'context'), 'slot'))
    judge(slot)
    const entry = memberOf(answer, 'value')
    const account: AccountState | null = entry === null ? null : accountOf(entry)
    return { slot, value: account && nonceValue(account) }
  })
}

/** Hashes of finalised transactions that name an account, later than a slot. @see https://solana.com/docs/rpc/http/getsignaturesforaddress (read 2026-11-22) */
async function readUsers({ rpc }: { readonly rpc: Rpc }, account: string, since: bigint): Promise<readonly string[]> {
  const read = (answer: unknown): readonly string[] =>
    listOf(answer).flatMap((each) => (countOf(memberOf(each, 'slot')) > since ? [textOf(memberOf(each, 'signature'))] : []))
  const params = [account, { limit: MOST_SIGNATURES, commitment: 'finalized' }]
  return rpc('getSignaturesForAddress', params, read, 'along', (answer) => 'value' in answer && answer.value.length === 0)
}
