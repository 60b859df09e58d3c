import { type Facts, isServiceError, type Sighting, type Subject } from '@svc/contract'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import t from 'tap'
import { type History, hashOf, historyNode, type LandedTransaction, paid, signed, timeAt } from './support/history.ts'
import { connect, hubOne, hubTwo, silent } from './support/node.ts'
import { one, two } from './support/vectors.ts'

/** One node at one look: how far it has come, what it has forgotten, what it keeps. */
const nodes = fc.record({
  behind: fc.integer({ min: 0, max: 12 }),
  forgets: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
  index: fc.boolean(),
  searches: fc.boolean(),
  results: fc.boolean(),
  stateAhead: fc.integer({ min: -2, max: 2 }),
})

const scripts = fc.record({
  hub: fc.boolean(),
  ends: fc.constantFrom('ours', 'theirs', 'neither'),
  failed: fc.boolean(),
  landedAt: fc.integer({ min: 930, max: 985 }),
  refusedAt: fc.option(fc.integer({ min: 920, max: 929 }), { nil: null }),
  timeout: fc.option(fc.integer({ min: 925, max: 990 }), { nil: null }),
  accepted: fc.boolean(),
  looks: fc.array(fc.record({ head: fc.integer({ min: 920, max: 999 }), nodes: fc.array(nodes, { minLength: 1, maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
})

t.test('whatever nodes know, forget and lag behind, nothing is told that is not so', async (t) => {
  const counts: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(scripts, async ({ hub, ends, failed, landedAt, refusedAt, timeout, accepted, looks }) => {
      const [chain, names] = hub ? [hubOne, one] : ([hubTwo, two] as const)
      const raw = until(signed(names.stake), timeout)
      const rival = signed(names.claim)
      const fits = ends !== 'ours' || timeout === null || landedAt <= timeout
      const events = paid(names.address, names.sequence, `1${chain.denom}`)
      const outcome = failed ? { code: 5, codespace: 'sdk', log: 'failed' } : {}
      const landed: LandedTransaction[] = [
        // Celestia has none of these: see the ante handler's specification.
        ...(hub && refusedAt !== null ? [{ raw, height: BigInt(refusedAt), code: 13, codespace: 'sdk', log: 'refused', events: [] }] : []),
        ...(ends === 'ours' && fits ? [{ raw, height: BigInt(landedAt), events, ...outcome }] : []),
        ...(ends === 'theirs' ? [{ raw: rival, height: BigInt(landedAt), events }] : []),
      ]
      const { kit, ctx } = connect(chain, silent)
      const bounds = kit.life!.bounds({ signed_tx_hex: Buffer.from(raw).toString('hex') }, ctx.network)
      let keep: Facts | null = null
      for (const { head, nodes } of looks.toSorted((a, b) => a.head - b.head)) {
        const histories = nodes.map(({ behind, forgets, index, results, stateAhead, searches }): readonly [History, boolean] => {
          const own = BigInt(head - behind)
          const lowest = forgets === 0 ? 1n : own - BigInt(forgets)
          return [
            {
              chainId: names.chainId,
              wallet: names.address,
              sequence: names.sequence,
              head: own,
              lowest,
              index,
              results,
              state: own + BigInt(stateAhead),
              landed,
            },
            searches,
          ]
        })
        const { kit, ctx } = connect(
          chain,
          histories.map(([history, searches]) => historyNode(history, searches ? {} : { tx_search: { txs: [], total_count: '0' } })),
          { max_block_age: 0 },
        )
        const subject: Subject = { txHash: hashOf(raw), bounds, keep, firstSeen: timeAt(915n), accepted }
        const seen: Sighting | null = await kit.life!.look(ctx, subject).catch((error: unknown) => {
          if (isServiceError(error) && error.statusCode >= 502) return null
          throw error
        })
        counts[seen?.status ?? 'none'] = (counts[seen?.status ?? 'none'] ?? 0) + 1
        if (seen === null) continue
        keep = seen.keep
        const ours = landed.some((each) => each.raw === raw && (each.events?.length ?? 0) > 0)
        const truth = {
          replaced: ends === 'theirs',
          expired: !ours && timeout !== null && head + 2 > timeout,
          final: ours && !failed,
          failed: ours && failed,
        }
        const { status, certainty } = seen
        if (status !== 'unknown' && status !== 'pending' && status !== 'included' && !truth[status])
          throw new Error(`${status} (${certainty}) is told of what ended as ${ends}`)
      }
    }),
    { numRuns: Number(process.env.SVC_RUNS ?? 150), includeErrorInReport: true },
  )
  for (const status of ['replaced', 'expired', 'final', 'failed', 'pending', 'unknown', 'none'])
    t.ok((counts[status] ?? 0) > 0, `${status} was told ${counts[status]} times`)
})

function until(raw: Uint8Array, height: number | null): Uint8Array {
  if (height === null) return raw
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(raw)
  const body = { ...TxBody.decode(bodyBytes), timeoutHeight: BigInt(height) }
  return TxRaw.encode({ bodyBytes: TxBody.encode(body).finish(), authInfoBytes, signatures }).finish()
}
