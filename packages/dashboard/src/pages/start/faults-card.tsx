import { useEffect, useId, useState } from 'preact/hooks'
import type { SandboxChain } from '../../api/sandbox.ts'
import { FAULTS, type FaultChoice, offeredOf } from './faults.ts'
import type { Chains } from './use-chains.ts'

/** Shows what may go wrong between the service and the chain that is looked at. */
export function Faults({
  chain: { chain, fault },
  name: called,
  chains,
}: {
  readonly chain: SandboxChain
  /** Name of the chain for people. */
  readonly name: string
  readonly chains: Chains
}) {
  const name = useId()
  // Shown at once; where the chain stands says so a moment later.
  const [selection, setWanted] = useState<FaultChoice | null>(null)
  const on = selection ?? offeredOf(fault)
  useEffect(() => setWanted(null), [chain, fault?.kind])
  const choose = async (offered: FaultChoice) => {
    setWanted(offered)
    if (!(await chains.operate(chain, 'fault', offered.body))) setWanted(null)
  }
  return (
    <section class="card">
      <header>
        <h2>Faults</h2>
        <span class="muted small actions">of {called}</span>
      </header>
      <div class="body stack">
        <fieldset class="stack tight">
          <legend class="hidden-visually">What the chain does when the service asks it</legend>
          {FAULTS.map((each) => (
            <label key={each.id} class="check">
              <input type="radio" name={name} checked={on.id === each.id} onChange={() => void choose(each)} />
              {each.label}
            </label>
          ))}
        </fieldset>
        <p class="muted" role="status">
          {on.seen}
        </p>
      </div>
    </section>
  )
}
