import type { SandboxChain } from '../../api/sandbox.ts'
import { Button } from '../../parts/form/button.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'
import { count } from '../../text/amount.ts'
import type { Chains } from './use-chains.ts'

/** Steps by which a press moves a clock. */
const STEPS: readonly { readonly label: string; readonly body: Readonly<Record<string, number>> }[] = [
  { label: 'One epoch on', body: { epochs: 1 } },
  { label: 'An hour on', body: { seconds: 3600 } },
  { label: 'A day on', body: { seconds: 86_400 } },
]

/** Shows which chain is looked at, where it stands, and its clock to turn. */
export function Clock({
  chain,
  all,
  nameOf,
  onChain,
  chains: { busy, failure, operate },
}: {
  readonly chain: SandboxChain
  readonly all: readonly SandboxChain[]
  /** Returns the name of a chain for people. */
  readonly nameOf: (chain: string) => string
  readonly onChain: (chain: string) => void
  readonly chains: Chains
}) {
  return (
    <section class="card">
      <header>
        <h2>Clock</h2>
        <div class="actions">
          <Select
            label="Chain"
            value={chain.chain}
            options={all.map(({ chain: id }) => ({ value: id, label: nameOf(id) }))}
            onValue={onChain}
          />
        </div>
      </header>
      <div class="body stack">
        <dl class="kv narrow">
          <dt>Block</dt>
          <dd class="num">{chain.block === null ? '–' : count(chain.block)}</dd>
          {chain.epoch === null ? null : (
            <>
              <dt>Epoch</dt>
              <dd class="num">{count(chain.epoch)}</dd>
            </>
          )}
          <dt>Its time</dt>
          <dd>{chain.time === null ? '–' : <Time at={chain.time} />}</dd>
        </dl>
        <div class="toolbar">
          {STEPS.map(({ label, body }) => (
            <Button key={label} busy={busy} onClick={() => void operate(chain.chain, 'advance', body)}>
              {label}
            </Button>
          ))}
        </div>
        <p class="muted small">A chain’s time runs ahead of yours when its clock was turned. It never goes back.</p>
        {failure === null ? null : (
          <Note kind="bad" alert>
            {failure}
          </Note>
        )}
      </div>
    </section>
  )
}
