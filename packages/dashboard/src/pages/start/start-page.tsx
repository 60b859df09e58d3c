import { useState } from 'preact/hooks'
import type { Protocol } from '../../api/protocols.ts'
import type { Sandbox } from '../../api/sandbox.ts'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { readIntentList } from '../../realm/intent-list.ts'
import { useEvery } from '../../state/every.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import type { PageProps } from '../page.ts'
import { type Choice, chainName, choicesOf, uncheckable } from './choices.ts'
import { Clock } from './clock.tsx'
import { offeredOf } from './faults.ts'
import { Faults } from './faults-card.tsx'
import { JourneySteps } from './journey.tsx'
import { Lies } from './lies-card.tsx'
import { STEAL, Theft } from './theft-card.tsx'
import { useChains } from './use-chains.ts'
import { useJourney } from './use-journey.ts'

/** Interval at which the state of the chains is asked for, in milliseconds: their clocks go on by themselves every 30 s. */
const CLOCK_MS = 15_000

/** A first stake on local chains: asked for, checked in this browser, signed, sent, and seen; beside it the chain's clock and faults. */
export function StartPage({ session }: PageProps) {
  // A sandbox has one account.
  const account = session.accounts[0]?.id
  const sandbox = useResource('sandbox', (signal) => api.call<Sandbox>('sandbox', { signal }))
  const protocols = useResource(`protocols ${account}`, (signal) =>
    api.call<readonly Protocol[]>('protocols', { query: { account }, signal }),
  )
  const intents = useResource('intents', () => readIntentList(document.baseURI))
  useEvery(CLOCK_MS, sandbox.reload)
  const failure = [sandbox, protocols, intents].find(({ value }) => value === undefined)?.failure
  const reload = () => {
    for (const each of [sandbox, protocols, intents]) each.reload()
  }
  const choices = sandbox.value && protocols.value && intents.value ? choicesOf(protocols.value, sandbox.value, intents.value) : []
  const [first] = choices
  const missing = uncheckable(protocols.value ?? [], intents.value ?? [])
  return (
    <>
      <PageHead title="A first stake" meta="on local chains, with play money" />
      {failure ? (
        <ErrorState failure={failure} onRetry={reload} />
      ) : !sandbox.value || !protocols.value || !intents.value ? (
        <Loading />
      ) : !first ? (
        <Empty title="Nothing to stake here">
          This sandbox has no protocol that this page can check: the manifest of its plugin has to name an intent by <code>svc.intent</code>
          .
        </Empty>
      ) : (
        <>
          {missing.length === 0 ? null : (
            <p class="muted">
              Not here, since their plugins bring no intent by which this page could check what is crafted: {missing.join(', ')}.
            </p>
          )}
          <Guide sandbox={sandbox.value} choices={choices} first={first} onChain={sandbox.reload} />
        </>
      )}
    </>
  )
}

function Guide({
  sandbox,
  choices,
  first,
  onChain,
}: {
  readonly sandbox: Sandbox
  readonly choices: readonly Choice[]
  readonly first: Choice
  readonly onChain: () => void
}) {
  const [journey, moves] = useJourney(first, sandbox, onChain)
  const chains = useChains(onChain)
  const { choice, amount } = journey
  const [selection, setLooked] = useState(journey.choice.chain)
  const chain = sandbox.chains.find((each) => each.chain === selection) ?? sandbox.chains[0]
  const fault = sandbox.chains.find((each) => each.chain === choice.chain)?.fault ?? null
  const canSteal = sandbox.chains.some((each) => each.chain === choice.chain && each.operations.some(({ name }) => name === STEAL))
  const hindered = fault === null ? null : offeredOf(fault).label
  const onEpoch = async () => {
    setLooked(choice.chain)
    if (await chains.operate(choice.chain, 'advance', { epochs: 1 })) await moves.look()
  }
  return (
    <div class="columns start">
      <section class="card">
        <div class="body">
          <h2 class="hidden-visually">The stake</h2>
          <JourneySteps
            journey={journey}
            moves={{
              ...moves,
              choose: (chosen) => {
                moves.choose(chosen)
                setLooked(chosen.chain)
              },
            }}
            choices={choices}
            hindered={hindered}
            onEpoch={() => void onEpoch()}
            turning={chains.busy}
          />
        </div>
      </section>
      <div class="stack">
        {chain ? (
          <Clock chain={chain} all={sandbox.chains} nameOf={(id) => chainName(id, choices)} onChain={setLooked} chains={chains} />
        ) : null}
        {chain ? <Faults chain={chain} name={chainName(chain.chain, choices)} chains={chains} /> : null}
        <Lies key={choice.id} choice={choice} amount={amount.trim()} sandbox={sandbox} />
        {canSteal ? <Theft key={`theft ${choice.id}`} choice={choice} sandbox={sandbox} onChain={onChain} /> : null}
      </div>
    </div>
  )
}
