import type { ProtocolNetwork, StakedWith } from '../../api/protocols.ts'
import { Card } from '../../parts/layout/card.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { State, Tag } from '../../parts/value/state.tsx'
import { Time } from '../../parts/value/time.tsx'
import { isOld, KIND_WORDS, meaningOf, STATE_WORDS } from './condition-words.ts'

/** The validators and pools that a stake goes to, with their state; nothing where it was not read. `at` is when it was asked for, in milliseconds since 1970. */
export function Conditions({ network, at }: { readonly network: ProtocolNetwork; readonly at: number }) {
  const { staked_with: conditions, staked_with_age_seconds: age, staked_with_interval_seconds: interval } = network
  if (conditions === null || age === null) return null
  return (
    <Card
      title="Stakes with"
      about={
        <>
          read from the chain <Time at={new Date(at - age * 1000).toISOString()} relative />
        </>
      }
    >
      <div class="body stack">
        {isOld(age, interval) ? <Note kind="warn">The service could not read it since. This is how it was then.</Note> : null}
        <dl class="kv wide">
          {conditions.map((each) => (
            <One key={`${each.kind} ${each.id}`} condition={each} />
          ))}
        </dl>
      </div>
    </Card>
  )
}

function One({ condition }: { readonly condition: StakedWith }) {
  const kind = KIND_WORDS[condition.kind]
  return (
    <>
      <dt>{kind}</dt>
      <dd>
        <div class="with-action">
          <Address text={condition.id} what={kind.toLowerCase()} whole /> <StateWord state={condition.state} />
        </div>
        <p class="small muted">{meaningOf(condition)}</p>
      </dd>
    </>
  )
}

/** A state in a word: muted while all is well. */
export function StateWord({ state }: Pick<StakedWith, 'state'>) {
  const { name, tag } = STATE_WORDS[state]
  return tag === null ? <State kind="ok">{name}</State> : <Tag kind={tag}>{name}</Tag>
}
