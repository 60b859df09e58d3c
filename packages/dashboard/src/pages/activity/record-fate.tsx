import type { AuditRecord } from '../../api/audit.ts'
import { partsOfTransaction } from '../../api/transactions.ts'
import { Icon } from '../../parts/layout/icon.tsx'
import { StatusWord } from '../../parts/value/status-word.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { useTransaction } from '../../state/use-transaction.ts'
import { standingOf } from '../../text/status.ts'

/** Shows where the transaction of a record stands on its chain, as the last of its steps; nothing where the service does not follow it. */
export function Fate({ of: { account, unsigned_hash: hash, protocol } }: { readonly of: AuditRecord }) {
  const { value } = useTransaction(hash === null ? null : { hash, protocol, account })
  if (!value) return null
  const { look } = standingOf(value)
  return (
    <li class={look === 'ok' ? 'done' : look === 'pending' ? '' : 'bad'}>
      <span class="mark">
        <Icon name={look === 'ok' ? 'check' : look === 'pending' ? 'ring' : 'warn'} />
      </span>
      <div>
        <p class="step-head">
          <strong>On the chain</strong>
          <StatusWord of={value} />
        </p>
        <p class="small">
          <Link to={pathTo(partsOfTransaction(value))}>Timeline, and what it moved</Link>
        </p>
      </div>
    </li>
  )
}
