// The readers of a transaction's life, on what the Cosmos Hub's and Celestia's own software answered.
import type { Subject } from '@svc/contract'
import { type Recording, recordings } from '@svc/testing/recordings'
import t from 'tap'
import { hashOf, historyNode, timeAt } from '../support/history.ts'
import { ACCOUNT, At, accountInfo, connect, hubOne, hubTwo, RpcError, type Table } from '../support/node.ts'

interface Expected {
  readonly status: 'final' | 'failed' | 'pending'
  readonly error: string | null
}

/** What comes of each situation, on both chains; reviewed by hand against the situations' names. */
const OUTCOMES: Readonly<Record<string, Expected>> = {
  'cancel-unstake-landed': { status: 'final', error: null },
  'claim-failed-none': { status: 'failed', error: 'STAKING_3' },
  'claim-landed': { status: 'final', error: null },
  'emptying-landed': { status: 'final', error: null },
  'out-of-gas': { status: 'failed', error: 'OUT_OF_GAS' },
  'redelegate-landed': { status: 'final', error: null },
  'refused-in-block': { status: 'pending', error: 'INSUFFICIENT_FUNDS' },
  'second-message-failed': { status: 'failed', error: 'INSUFFICIENT_FUNDS' },
  'send-landed': { status: 'final', error: null },
  'set-withdraw-address-landed': { status: 'final', error: null },
  'stake-failed-funds': { status: 'failed', error: 'INSUFFICIENT_FUNDS' },
  'stake-failed-validator': { status: 'failed', error: 'STAKING_3' },
  'stake-failed-zero': { status: 'failed', error: 'INVALID_REQUEST' },
  'stake-landed': { status: 'final', error: null },
  'stake-more-landed': { status: 'final', error: null },
  'two-messages-landed': { status: 'final', error: null },
  'unstake-failed-entries': { status: 'failed', error: 'STAKING_27' },
  'unstake-failed-shares': { status: 'failed', error: 'INVALID_REQUEST' },
  'unstake-landed': { status: 'final', error: null },
}

const resultOf = ({ response }: Recording) => (response.body as { result: any }).result

for (const [name, chain, chainId] of [
  ['hub', hubOne, 'cosmoshub-4'],
  ['celestia', hubTwo, 'celestia'],
] as const) {
  const all = recordings(name)
  const outcomes = Object.entries(OUTCOMES).filter(([situation]) => all.has(`tx-${situation}`))

  t.test(`${name}: every transaction that was recorded is told as it went`, async (t) => {
    t.ok(outcomes.length >= 18, `${outcomes.length} situations`)
    for (const [situation, expected] of outcomes) {
      const tx = resultOf(all.get(`tx-${situation}`)!)
      const raw = new Uint8Array(Buffer.from(tx.tx, 'base64'))
      const { kit, ctx } = connect(chain, { fetch })
      const bounds = kit.life!.bounds({ signed_tx_hex: Buffer.from(raw).toString('hex') }, ctx.network)
      const sequence = BigInt(bounds.facts.sequence!)
      const used = expected.status === 'pending' ? 0n : 1n
      const head = BigInt(tx.height) + 5n
      const table: Table = {
        [ACCOUNT]: () => new At(head, accountInfo(bounds.wallet, 1n, sequence + used)),
        tx,
        unconfirmed_txs: resultOf(all.get('unconfirmed-txs')!),
        tx_search: { txs: [], total_count: '0' },
      }
      const stated = all.get(`tx-status-${situation}`)
      const results = all.get(`block-results-${situation}`)
      const entries = (result: unknown) => ({ height: tx.height, txs_results: [...Array(tx.index).fill({}), result] })
      const nodes: Record<string, Table> =
        name === 'hub'
          ? { 'with an index': {} }
          : {
              'with the defaults of its software': { block_results: new RpcError('node is not persisting finalize block responses') },
              'that keeps results': { block_results: entries(results?.response.body ?? tx.tx_result) },
            }
      for (const [which, more] of Object.entries(nodes)) {
        // Out of gas may be out of gas of the checks, which charge nothing.
        const keepsNothing = which === 'with the defaults of its software'
        const node = historyNode(
          { chainId, wallet: bounds.wallet, sequence, head },
          { ...table, ...(name === 'celestia' && stated ? { tx_status: resultOf(stated) } : {}), ...more },
        )
        if (name === 'celestia' && !stated) continue
        const subject: Subject = { txHash: hashOf(raw), bounds, keep: null, firstSeen: timeAt(head - 10n), accepted: true }
        const live = connect(chain, node)
        const seen = await live.kit.life!.look({ ...live.ctx, network: { ...live.ctx.network, chainId } }, subject)
        t.match(
          seen,
          {
            status: expected.status,
            certainty: expected.status === 'pending' ? 'likely' : 'proven',
            finality: expected.status === 'pending' ? 'none' : 'final',
            fee: expected.status === 'pending' || (keepsNothing && expected.error === 'OUT_OF_GAS') ? null : BigInt(bounds.facts.fee!),
            error: expected.error === null ? null : { code: expected.error },
          },
          `${situation}, a node ${which}`,
        )
        if (seen.error) t.notMatch(seen.error.reason, /\.go:|rpc error|\.\.|\p{Cc}|\uFFFD/u, `${situation}: ${seen.error.reason}`)
        if (expected.status === 'pending') t.match(seen.error?.reason, /the same bytes can still land/)
      }
    }
  })
}
