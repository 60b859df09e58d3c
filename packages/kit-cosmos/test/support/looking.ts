import type { Subject } from '@svc/contract'
import t from 'tap'
import type { CosmosChain } from '../../src/index.ts'
import { event, type History, hashOf, historyNode, type LandedTransaction, paid, signed, timeAt, timed } from './history.ts'
import { connect, hubOne, hubTwo, type Node, silent, type Table } from './node.ts'
import { one, two } from './vectors.ts'

export const raw = signed(one.stake)
export const rival = signed(one.claim)
export const ours: LandedTransaction = {
  raw,
  height: 990n,
  events: [...paid(one.address, 7n, '1500uatom'), event('delegate', { msg_index: '0' })],
}
export const theirs: LandedTransaction = { raw: rival, height: 990n, events: paid(one.address, 7n, '1250uatom') }
export const forged: LandedTransaction = { ...theirs, raw: timed({ memo: 'made up' }) }
export const base: History = { chainId: one.chainId, wallet: one.address, sequence: 7n, head: 1000n }
export const celestia: History = { chainId: two.chainId, wallet: two.address, sequence: 0n, head: 1000n }
export const ourTwo: LandedTransaction = { raw: signed(two.stake), height: 990n, events: paid(two.address, 0n, '1200utia') }
export const theirTwo: LandedTransaction = { raw: signed(two.claim), height: 990n, events: paid(two.address, 0n, '1000utia') }
export const bodyOf = (bytes: Uint8Array) => ({ signed_tx_hex: Buffer.from(bytes).toString('hex') })

export const subjectOf = (bytes: Uint8Array, change: Partial<Subject> = {}, chain: CosmosChain = hubOne): Subject => ({
  txHash: hashOf(bytes),
  bounds: connect(chain, silent).kit.life!.bounds(bodyOf(bytes), connect(chain, silent).ctx.network),
  keep: null,
  firstSeen: timeAt(980n),
  accepted: true,
  ...change,
})
export const look = (nodes: Node | readonly Node[], subject: Subject, chain: CosmosChain = hubOne) => {
  const { kit, ctx } = connect(chain, nodes)
  return kit.life!.look(ctx, subject)
}
export const lookAt = (history: Partial<History>, change: Partial<Subject> = {}, bytes = raw) =>
  look(historyNode({ ...base, ...history }), subjectOf(bytes, change))
export const lookTwo = (history: Partial<History>, change: Partial<Subject> = {}) =>
  look(historyNode({ ...celestia, ...history }), subjectOf(ourTwo.raw, change, hubTwo), hubTwo)
export const free = (height: bigint) => ({ keep: { free_at: String(height) } })
export const hashAlone = { bounds: null, firstSeen: null, accepted: false }

/** Looks until one has come to its end. */
export async function lookOn(history: Partial<History>, change: Partial<Subject> = {}, further: Table = {}) {
  let keep = change.keep ?? null
  for (let looks = 1; ; looks++) {
    const seen = await look(historyNode({ ...base, ...history }, further), subjectOf(raw, { ...change, keep }))
    if (!seen.unfinished) return { ...seen, looks }
    t.match(seen, { status: 'pending', certainty: 'likely', block: null })
    ;({ keep } = seen)
  }
}
