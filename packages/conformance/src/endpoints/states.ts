import { without } from '../lacking.ts'
import type { Endpoint } from '../lies/endpoint.ts'
import type { FamilyLife } from '../life/family.ts'
import type { Scene } from './scene.ts'

/** An endpoint that is honest, and knows or serves less than one that is well. */
interface NodeState {
  /** End of a sentence: `keeps no index`. */
  readonly name: string
  readonly endpoint: Endpoint
  /** The head that it tells is an old one. */
  readonly isBehind: boolean
  /** The call that it does not serve. */
  readonly lacks?: string
}

/** Lists the states in which an endpoint of the family can be, and a sentence for each state in which it cannot. @param calls kinds of calls that the requests make */
export function statesOf(
  { early, late, healthy }: Scene,
  life: FamilyLife,
  calls: ReadonlySet<string>,
): { readonly states: readonly NodeState[]; readonly notes: readonly string[] } {
  const { pruned, unindexed, restarted, loss } = life
  const notes: string[] = []
  const states: NodeState[] = [
    { name: 'is behind', endpoint: behind(early.replay('behind'), healthy, loss?.sends), isBehind: true },
    { name: 'has forgotten', endpoint: late.changed('pruned', pruned), isBehind: false },
  ]
  for (const [name, how] of [
    ['keeps no index', unindexed],
    ['was restarted', restarted],
  ] as const)
    if (typeof how === 'function') states.push({ name, endpoint: late.changed(name.replaceAll(' ', '-'), how), isBehind: false })
    else notes.push(`no endpoint ${name}: ${how ?? 'the driver of the family does not say how one answers then'}`)
  for (const call of [...calls].sort()) {
    const fetch: Endpoint['fetch'] = (request) => without(call, (input, init) => healthy.fetch(new Request(input, init)))(request)
    states.push({
      name: `does not serve ${call}`,
      endpoint: { ...healthy, url: 'http://lacking.invalid', fetch },
      ...{ isBehind: false, lacks: call },
    })
  }
  return { states, notes }
}

/** It answers as it did before, and takes transactions, which it passes on. */
function behind(old: Endpoint, healthy: Endpoint, sends: RegExp | undefined): Endpoint {
  return {
    ...old,
    async fetch(request) {
      const text = Buffer.from(await request.clone().arrayBuffer()).toString('latin1')
      return sends?.test(`${request.url} ${text}`) ? healthy.fetch(request) : old.fetch(request)
    },
  }
}
