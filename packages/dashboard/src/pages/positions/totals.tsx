import { useState } from 'preact/hooks'
import type { PositionTotal } from '../../api/positions.ts'
import { Button } from '../../parts/form/button.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { count } from '../../text/amount.ts'
import { inColumn, inWhole } from '../../text/column.ts'
import { networkName } from '../../text/networks.ts'

/** Most sums that stand side by side; of more, the largest by wallets, and the others behind a press: choices of this project. */
const MOST = 8
const FEWER = 5

/** Shows what is staked, by network and token; never a sum over several tokens. Each is a filter. @param idOf the value for X-NETWORK of a network by CAIP-2; null: not known */
export function Totals({
  totals,
  chosen,
  idOf,
}: {
  readonly totals: readonly PositionTotal[]
  readonly chosen: string | undefined
  readonly idOf: (network: string) => string | null
}) {
  const [all, setAll] = useState(false)
  const few = totals.length > MOST && !all
  const visible = few ? totals.toSorted((one, other) => other.wallets - one.wallets).slice(0, FEWER) : totals
  if (totals.length === 0) return null
  return (
    <>
      <ul class="tiles totals" aria-label="Staked, by token">
        {visible.map((total) => (
          <Total key={`${total.network} ${total.symbol}`} total={total} id={idOf(total.network)} chosen={chosen} />
        ))}
      </ul>
      {few ? (
        <div>
          <Button kind="quiet" onClick={() => setAll(true)}>
            {count(totals.length - FEWER)} more
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Total({ total, id, chosen }: { readonly total: PositionTotal; readonly id: string | null; readonly chosen: string | undefined }) {
  const { network, symbol, wallets, staked, activating, missing } = total
  const { text, cut } = inWhole(staked)
  const waiting = inColumn(activating)
  const content = (
    <>
      <span class="total-head">
        <strong>{symbol ?? 'Token not known'}</strong>
        <span class="muted small num">
          {count(wallets)} {wallets === 1 ? 'wallet' : 'wallets'}
        </span>
      </span>
      <span class="total-figure">
        {missing > 0 ? <Icon name="ring" /> : null}
        <span>
          {text}
          {cut ? <span class="muted">…</span> : null}
        </span>
      </span>
      <span class="muted small num">{networkName(named.value, id ?? network)}</span>
      {waiting.look === 'zero' ? null : (
        <span class="muted small num">
          {waiting.text}
          {waiting.cut ? '…' : ''} activating
        </span>
      )}
      {missing > 0 ? (
        <span class="muted small num">
          at least: {count(missing)} {missing === 1 ? 'wallet has' : 'wallets have'} no figures
        </span>
      ) : null}
    </>
  )
  return (
    <li>
      {id === null ? (
        <div class="tile">{content}</div>
      ) : (
        <button type="button" class="tile" aria-pressed={chosen === id} onClick={() => setQuery({ network: chosen === id ? null : id })}>
          {content}
        </button>
      )}
    </li>
  )
}
