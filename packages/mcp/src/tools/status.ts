import { isSettled, type ValidUntil } from '@svc/client'
import { cleaned, flat } from '../data.ts'
import { type BoundProtocol, named, protocolArgument } from '../protocols.ts'
import { list, object, text } from '../schema.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered, exact } from './read.ts'

/** Objects and moves that are shown. */
const MOST = 50

/** Makes the tool that tells the state of a transaction, as the service follows it. */
export function statusTool(bound: readonly BoundProtocol[]): Tool {
  return defineTool<{ readonly protocol: string; readonly tx_hash: string }>({
    name: 'staking_status',
    title: 'Where a transaction stands',
    description:
      'What became of a transaction, by its hash. `unknown` and `pending` are no reason to sign anew; only where `settled` is true does it stay as it is. ' +
      'An error means that nobody could be asked, and says nothing of the transaction.',
    readOnly: true,
    idempotent: true,
    openWorld: true,
    input: object({ protocol: protocolArgument(bound), tx_hash: text('The hash.') }),
    output: object({
      ...answered,
      tx_hash: text('The hash.'),
      status: text('unknown, pending, included, final, failed, replaced or expired.'),
      settled: { type: 'boolean' },
      certainty: text('proven or likely.'),
      symbol: text('Of the fee.'),
      fee: { type: ['object', 'null'] },
      moves: { ...list({ type: 'object' }, 'What it really moved, in base units; null where no node keeps it.'), type: ['array', 'null'] },
      object_ids: { ...list({ type: 'string' }, 'What it made; null where no node keeps it.'), type: ['array', 'null'] },
      block: { type: ['object', 'null'] },
      error: { type: ['object', 'null'] },
      replaced_by: { type: ['string', 'null'] },
      replaced_by_same: { type: ['boolean', 'null'] },
      advice: { type: ['string', 'null'] },
      valid_until: { type: ['object', 'null'] },
    }),
    async run({ protocol, tx_hash }, { signal }) {
      const { calls, terms } = named(bound, protocol)
      const standing = await calls.status(tx_hash, { signal })
      const { status, certainty, block, error, replacedBy, replacedBySame, validUntil } = standing
      return {
        origin: 'service',
        protocol,
        network: terms.caip2,
        tx_hash: cleaned(standing.txHash),
        status: cleaned(status),
        settled: isSettled(standing),
        certainty: cleaned(certainty),
        symbol: terms.symbol,
        fee: exact(standing.fee),
        moves:
          standing.moves
            ?.slice(0, MOST)
            .map(({ kind, asset, amount }) => flat({ kind, asset, units: amount === null ? null : String(amount) })) ?? null,
        object_ids: standing.objectIds?.slice(0, MOST).map((id) => cleaned(id)) ?? null,
        block: block && flat({ ...block }),
        error: error && flat({ ...error }),
        replaced_by: replacedBy === null ? null : cleaned(replacedBy),
        replaced_by_same: replacedBySame,
        advice: replacedBySame ? SAME : null,
        valid_until: validUntil && endOf(validUntil),
      }
    },
  })
}

/** What to do about a transaction that another one replaced which does the same. */
const SAME =
  'The other transaction, replaced_by, does the very same, so what this one was to do is done by it: do not draft or stake again. Ask for the status of replaced_by; only if that one failed has nothing been done.'

/** Until when it can land, with its other end where it has two. */
function endOf({ also, ...until }: ValidUntil) {
  return { ...flat({ ...until }), ...(also ? { also: flat({ ...also }) } : {}) }
}
